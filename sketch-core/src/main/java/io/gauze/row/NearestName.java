package io.gauze.row;

import java.util.Collection;

/** Finds the known name that a mistyped name most resembles. */
public final class NearestName {
  private NearestName() {}

  /**
   * Returns the known name with the fewest single-character edits, ignoring case; the first of
   * equally near names.
   *
   * @param name the given name
   * @param known the candidates, at least one
   * @throws IllegalArgumentException if there are no candidates
   */
  public static String of(String name, Collection<String> known) {
    if (known.isEmpty()) {
      throw new IllegalArgumentException("known must have at least 1 name. Provided value: []");
    }
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      int edits = edits(name, candidate);
      if (edits < least) {
        least = edits;
        best = candidate;
      }
    }
    return best;
  }

  /**
   * Returns the exception for an unknown name; its message lists all known names and suggests the
   * nearest.
   *
   * @param what the kind of the name
   * @throws IllegalArgumentException if there are no candidates
   */
  public static IllegalArgumentException unknown(
      String what, String name, Collection<String> known) {
    return new IllegalArgumentException(
        what
            + " must be one of "
            + String.join(", ", known)
            + "; the nearest is "
            + of(name, known)
            + ". Provided value: "
            + name);
  }

  /** Returns the Levenshtein distance, computed one row of the table at a time. */
  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (same(a.charAt(i - 1), b.charAt(j - 1)) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(diagonal, row[j - 1]));
      }
    }
    return row[b.length()];
  }

  private static boolean same(char a, char b) {
    return Character.toLowerCase(a) == Character.toLowerCase(b);
  }
}
