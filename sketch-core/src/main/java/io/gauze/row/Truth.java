package io.gauze.row;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The spellings of booleans: as JSON and Avro have them, as Python writes them ({@code True}), as R
 * and spreadsheets do ({@code TRUE}), and as numbers. All spellings of a boolean are equal.
 */
public final class Truth {
  /** The spellings of true, words first. */
  private static final List<String> YES = List.of("true", "True", "TRUE", "1", "1.0");

  private static final List<String> NO = List.of("false", "False", "FALSE", "0", "0.0");
  private static final int WORDS = 3;

  private Truth() {}

  /** Returns the boolean that a text is; empty if it is none. */
  public static Optional<Boolean> of(String text) {
    if (YES.contains(text)) {
      return Optional.of(true);
    }
    return NO.contains(text) ? Optional.of(false) : Optional.empty();
  }

  /** Returns whether a text is a boolean in words, and so can be nothing else. */
  public static boolean isWord(String text) {
    return isWord(YES, text) || isWord(NO, text);
  }

  private static boolean isWord(List<String> spellings, String text) {
    int at = spellings.indexOf(text);
    return at >= 0 && at < WORDS;
  }

  /** The spellings of a boolean, the usual one first; immutable. */
  public static List<String> spellings(boolean truth) {
    return truth ? YES : NO;
  }

  /**
   * Returns values by text, with all other spellings if all texts are booleans. A text that is
   * there keeps its value.
   *
   * @return a new map
   */
  public static <T> Map<String, T> withSpellings(Map<String, T> values) {
    Map<String, T> all = new HashMap<>(values);
    boolean both =
        values.size() == 2
            && values.keySet().stream().map(Truth::of).flatMap(Optional::stream).distinct().count()
                == 2;
    if (both) {
      values.forEach(
          (text, value) ->
              spellings(of(text).orElseThrow()).forEach(other -> all.putIfAbsent(other, value)));
    }
    return all;
  }
}
