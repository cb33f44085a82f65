package io.gauze.row;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Kinds of texts that stand where a number must be, for messages: what is wrong with a text,
 * without showing it.
 */
public final class NumberText {
  private static final String TEXT = "a text";
  private static final int LONGEST = 64; // longer texts are no numbers
  private static final String SPACE = "[ \\u00a0\\u2007\\u2009\\u202f]";
  private static final Set<String> MISSING =
      Set.of(
          "", "-", "--", ".", "..", "?", "na", "n/a", "#n/a", "null", "nil", "none", "missing",
          "\\n");
  private static final Set<String> TRUTH = Set.of("true", "false", "yes", "no");

  private static final Pattern JSON =
      Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d{1,3})?");

  private record Kind(Pattern pattern, String words) {
    static Kind of(String pattern, String words) {
      return new Kind(Pattern.compile(pattern), words);
    }
  }

  private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)(e[-+]?\\d+)?");

  /** The first kind that matches counts. */
  private static final List<Kind> KINDS =
      List.of(
          Kind.of("[-+]?(nan|inf|infinity)", "NaN or an infinity"),
          Kind.of("[-+]?(\\d+\\.?\\d*|\\.\\d+)(e[-+]?\\d+)?", "a number that is written as a text"),
          Kind.of("[-+]?\\d{1,3}(,\\d{3})+", "a number with a comma, for decimals or thousands"),
          Kind.of("[-+]?\\d*,\\d+(e[-+]?\\d+)?", "a number with a decimal comma"),
          Kind.of(
              "[-+]?\\d{1,3}((" + SPACE + "\\d{3})+|('\\d{3})+|(,\\d{3})+|(\\.\\d{3})+)([.,]\\d*)?",
              "a number with separators of thousands"),
          Kind.of("[-+]?[\\d.,]+" + SPACE + "*[%\\u2030]", "a number with a percent sign"),
          Kind.of(
              "([-+(]*\\p{Sc}.*\\d.*)|([-+(]*[\\d.,' ]+" + SPACE + "*\\p{Sc}\\)?)",
              "a number with a currency sign"),
          Kind.of("\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{1,4}\\b.*", "a date"),
          Kind.of("[-+]?[\\d.,]+" + SPACE + "*\\p{L}.*", "a number with a unit behind it"),
          Kind.of("[-+]?0x[0-9a-f]+", "a hexadecimal number"));

  private NumberText() {}

  /**
   * Returns whether a text may be a value and not a name: a number in any form, a date, a truth
   * value or a mark of a missing one.
   */
  public static boolean isValueLike(String text) {
    return !kind(text).equals(TEXT);
  }

  /** Returns what a text is, such as "a number with a decimal comma". */
  static String kind(String text) {
    if (text.length() > LONGEST) {
      return TEXT;
    }
    String lower = text.strip().toLowerCase(Locale.ROOT);
    if (MISSING.contains(lower)) {
      return "a mark of a missing value";
    }
    if (TRUTH.contains(lower)) {
      return "a truth value";
    }
    if (isTooLarge(lower)) {
      return "a number that is too large";
    }
    return KINDS.stream()
        .filter(kind -> kind.pattern().matcher(lower).matches())
        .map(Kind::words)
        .findFirst()
        .orElse(TEXT);
  }

  /**
   * Returns the number that a text is as JSON writes numbers, equal for all spellings of it; empty
   * if it is none.
   */
  static Optional<BigDecimal> number(String text) {
    return text.length() <= LONGEST && JSON.matcher(text).matches()
        ? Optional.of(new BigDecimal(text).stripTrailingZeros())
        : Optional.empty();
  }

  private static boolean isTooLarge(String text) {
    return NUMBER.matcher(text).matches() && Double.isInfinite(Double.parseDouble(text));
  }
}
