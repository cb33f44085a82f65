package io.gauze.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A page of the documentation, for tests that compare it with the program.
 *
 * @param file its path from the folder of the project
 * @param text the page, or a part of it
 */
public record MarkdownPage(String file, String text) {
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```$");

  public static MarkdownPage of(String file) throws IOException {
    return new MarkdownPage(file, Files.readString(PrintedCommands.ROOT.resolve(file)));
  }

  /** The page of the operations pages with this name, such as {@code runbook}. */
  public static MarkdownPage ofOperations(String name) throws IOException {
    return of("docs/operations/" + name + ".md");
  }

  /** All pages for operators. */
  public static List<MarkdownPage> ofOperations() throws IOException {
    List<MarkdownPage> pages = new ArrayList<>();
    for (Path path : PrintedCommands.documents()) {
      if (path.getParent().endsWith("operations")) {
        pages.add(of(PrintedCommands.ROOT.relativize(path).toString()));
      }
    }
    return pages;
  }

  /** The part under a heading of the second level, without the parts below it. */
  public MarkdownPage section(String heading) {
    String begin = "\n## " + heading + "\n";
    int at = text.indexOf(begin);
    if (at < 0) {
      throw new AssertionError(file + " has no section " + heading);
    }
    String rest = text.substring(at + begin.length());
    int end = rest.indexOf("\n## ");
    return new MarkdownPage(file, end < 0 ? rest : rest.substring(0, end));
  }

  /** The cells of the rows of all tables, without their headers. */
  public List<List<String>> rows() {
    List<String> lines = text.lines().toList();
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      boolean header = i + 1 < lines.size() && lines.get(i + 1).startsWith("|---");
      if (lines.get(i).startsWith("| ") && !header) {
        rows.add(Arrays.stream(lines.get(i).split("\\|", -1)).skip(1).map(String::strip).toList());
      }
    }
    return rows;
  }

  /** What stands between single backticks in a text. */
  public static List<String> codes(String text) {
    return CODE.matcher(FENCE.matcher(text).replaceAll(""))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }
}
