package io.gauze.testing;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pages of which parts are made from the code. Such a part stands between the lines {@code <!--
 * generated: NAME -->} and {@code <!-- end of generated -->}; the rest of a page is written by
 * hand.
 */
public final class ReferencePages {
  private static final Pattern PART =
      Pattern.compile("(?s)(<!-- generated: ([^>]+) -->\n).*?(<!-- end of generated -->\n)");

  private ReferencePages() {}

  /**
   * Returns a page with its generated parts as they must be.
   *
   * @param parts the parts by name, each ending with a line break
   * @throws IllegalArgumentException if the page has an unknown part, or lacks one
   */
  public static String written(String page, Map<String, String> parts) {
    Set<String> missing = new HashSet<>(parts.keySet());
    String text =
        PART.matcher(page)
            .replaceAll(
                found -> {
                  String part = parts.get(found.group(2));
                  if (part == null) {
                    throw new IllegalArgumentException("nothing makes the part " + found.group(2));
                  }
                  missing.remove(found.group(2));
                  return Matcher.quoteReplacement(
                      found.group(1) + "\n" + part + "\n" + found.group(3));
                });
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("the page has no place for " + missing);
    }
    return text;
  }

  /** Returns a text that can stand in a cell of a table. */
  public static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replaceAll("\\s+", " ").strip();
  }
}
