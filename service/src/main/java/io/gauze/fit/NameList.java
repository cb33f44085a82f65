package io.gauze.fit;

import java.util.ArrayList;
import java.util.List;

/**
 * Names of columns with commas between them, as options and parameters of queries have them. As in
 * CSV (RFC 4180), a name that has a comma is in double quotes, and a quote in it is doubled.
 */
public final class NameList {
  private NameList() {}

  /**
   * Returns the names, without blanks around them. A comma at the end is followed by an empty name.
   *
   * @param what the name of the list in messages
   * @throws IllegalArgumentException if a quote is not closed, or closed within a name
   */
  public static List<String> parse(String what, String text) {
    List<String> names = new ArrayList<>();
    int at = 0;
    boolean more = true;
    while (more) {
      StringBuilder name = new StringBuilder();
      at = skipBlanks(text, at);
      if (at < text.length() && text.charAt(at) == '"') {
        at = skipBlanks(text, quoted(what, text, at + 1, name));
      } else {
        int comma = text.indexOf(',', at);
        int end = comma < 0 ? text.length() : comma;
        name.append(text.substring(at, end).strip());
        at = end;
      }
      names.add(name.toString());
      more = at < text.length();
      if (more && text.charAt(at) != ',') {
        throw wrong(what, text);
      }
      at++;
    }
    return names;
  }

  private static int skipBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    return at;
  }

  /** Reads a name up to its closing quote, and returns the place after it. */
  private static int quoted(String what, String text, int from, StringBuilder name) {
    int at = from;
    while (at < text.length()) {
      boolean quote = text.charAt(at) == '"';
      boolean doubled = quote && at + 1 < text.length() && text.charAt(at + 1) == '"';
      if (quote && !doubled) {
        return at + 1;
      }
      name.append(text.charAt(at));
      at += doubled ? 2 : 1;
    }
    throw wrong(what, text);
  }

  private static IllegalArgumentException wrong(String what, String text) {
    return new IllegalArgumentException(
        what
            + " must be names with commas between them; a name with a comma is in double quotes, such"
            + " as \"height, cm\",weight. Provided value: "
            + text);
  }
}
