package io.gauze.testing;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The words of a command line as a shell takes them apart, for lines with quotes at most. */
public final class ShellWords {
  private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

  private ShellWords() {}

  /** The words, without their quotes. */
  public static String[] of(String line) {
    return WORD.matcher(line)
        .results()
        .map(MatchResult::group)
        .map(word -> word.replaceAll("['\"]", ""))
        .toArray(String[]::new);
  }
}
