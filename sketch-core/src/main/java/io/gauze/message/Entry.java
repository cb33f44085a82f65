package io.gauze.message;

import java.util.Arrays;
import java.util.Locale;

/**
 * A message that a program can give. The codes are a contract: an entry keeps its code. {@code
 * docs/messages.md} is generated from the entries.
 */
public interface Entry {
  /** Returns the name in the catalogue, which follows {@code GZ-} in the code. */
  String name();

  /**
   * What an entry says.
   *
   * @param severity how much this takes from a result, or whether a program stops
   * @param message the format of the sentence of what is
   * @param action the format of the sentence of what to do
   * @param explanation what there is to say at leisure, in Markdown
   */
  record Text(Severity severity, String message, String action, String explanation) {}

  /** Returns what it says. */
  Text text();

  /** Returns the code, such as {@code GZ-WEAK}. */
  default String code() {
    return "GZ-" + name();
  }

  /**
   * Returns the message with its numbers and names. Names are cut if the sentence would be too long
   * otherwise.
   *
   * @param values what the formats of both sentences ask for
   */
  default Message of(Object... values) {
    return new Message(code(), filled(text().message(), values), filled(text().action(), values));
  }

  private static String filled(String format, Object... values) {
    String text = String.format(Locale.ROOT, format, values);
    int longest =
        Arrays.stream(values)
            .filter(String.class::isInstance)
            .mapToInt(value -> ((String) value).length())
            .max()
            .orElse(0);
    for (int most = longest - 1; text.length() > Message.LONGEST && most > 0; most--) {
      text = String.format(Locale.ROOT, format, cut(most, values));
    }
    return text;
  }

  private static Object[] cut(int most, Object... values) {
    return Arrays.stream(values)
        .map(value -> value instanceof String name ? cut(most, name) : value)
        .toArray();
  }

  private static String cut(int most, String name) {
    if (name.length() <= most) {
      return name;
    }
    // a pair of surrogates is one character
    int end = most > 1 && Character.isHighSurrogate(name.charAt(most - 2)) ? most - 2 : most - 1;
    return name.substring(0, end).stripTrailing() + "\u2026";
  }
}
