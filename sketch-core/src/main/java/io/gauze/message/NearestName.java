package io.gauze.message;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds the known name that a mistyped name most resembles. */
public final class NearestName {
  /** Of three characters, so many may be other ones in a name that resembles another. */
  private static final int MOST_OF_THREE = 2;

  private NearestName() {}

  /**
   * Returns the nearest known name, ignoring case: one that begins with the given name, else one
   * that contains it, else any. Of these it is the one with the fewest single-character edits, and
   * of equally near names the first.
   *
   * @param name the given name
   * @param known the candidates, at least one
   * @throws IllegalArgumentException if there are no candidates
   */
  public static String of(String name, Collection<String> known) {
    String given = lower(name);
    return known.stream()
        .min(
            Comparator.comparingInt((String each) -> rank(given, lower(each)))
                .thenComparingInt(each -> edits(given, lower(each))))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "known must have at least 1 name. Provided value: []"));
  }

  /**
   * Returns a hint at the nearest name, such as "; the nearest is lambda"; empty if no name
   * resembles the given one, since a hint at any would lead astray.
   *
   * @param known the candidates; none: no hint
   */
  public static String hint(String name, Collection<String> known) {
    if (known.isEmpty()) {
      return "";
    }
    String given = lower(name);
    String nearest = of(name, known);
    String other = lower(nearest);
    boolean part = !given.isEmpty() && (rank(given, other) < 2 || given.contains(other));
    boolean resembles =
        3 * edits(given, other) <= MOST_OF_THREE * Math.max(given.length(), other.length());
    return part || resembles ? "; the nearest is " + nearest : "";
  }

  private static int rank(String given, String known) {
    return known.startsWith(given) ? 0 : known.contains(given) ? 1 : 2;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the exception for an unknown name; its message lists all known names and suggests the
   * nearest, if one resembles it.
   *
   * @param what the kind of the name
   * @throws IllegalArgumentException if there are no candidates
   */
  public static IllegalArgumentException unknown(
      String what, String name, Collection<String> known) {
    return unknown(what, name, known, known.size());
  }

  /**
   * Returns the exception for an unknown name; its message lists the first known names and suggests
   * the nearest of all.
   *
   * @param what the kind of the name
   * @param most the most names that are listed
   * @throws IllegalArgumentException if there are no candidates
   */
  public static IllegalArgumentException unknown(
      String what, String name, Collection<String> known, int most) {
    return new IllegalArgumentException(
        what
            + " must be one of "
            + listed(known, most)
            + hint(name, known)
            + ". Provided value: "
            + name);
  }

  /** Returns the first names, and how many more there are. */
  public static String listed(Collection<String> names, int most) {
    String first = names.stream().limit(most).collect(Collectors.joining(", "));
    return names.size() > most ? first + ", and " + (names.size() - most) + " more" : first;
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
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(diagonal, row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
