package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Constants that were chosen on data stand in the {@code Tuning} of their package, say what chose
 * them, and are used there or in a package below it; no other comment tells of such a choice.
 */
class FittedConstantsTest {
  private static final Path ROOT = Path.of("..");
  private static final List<String> MODULES =
      List.of("sketch-core", "regression", "audit", "papers", "service", "flink-jobs");
  private static final String FILE = "Tuning.java";

  private static final Pattern CONSTANT =
      Pattern.compile(
          "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:public )?static final \\S+ (\\w+) =", Pattern.DOTALL);
  private static final Pattern FIELD = Pattern.compile("(?m)^  \\w[^(;{]* (\\w+) =");
  private static final Pattern COMMENT =
      Pattern.compile("/\\*.*?\\*/|(?<![:\"])//[^\\n]*", Pattern.DOTALL);
  private static final Pattern CHOICE =
      Pattern.compile(
          "(?i)reference data|diamonds|california|house values|flight delays|skewed rows"
              + "|chosen (?:by hand|on )");
  private static final Pattern BARE_FRACTION = Pattern.compile("(?<![\\w.)\\]])\\.\\d");
  private static final Pattern PAGE = Pattern.compile("(?:benchmarks|docs)/[\\w/.-]*\\w");

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> paths = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        paths.filter(path -> path.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }

  private static boolean isTuning(Path path) {
    return path.getFileName().toString().equals(FILE);
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String prose(String comment) {
    return comment.replaceAll("\\n\\s*(?:\\*|//)?\\s*", " ");
  }

  private static List<String> comments(String source) {
    return COMMENT.matcher(source).results().map(found -> prose(found.group())).toList();
  }

  /** Returns what is wrong with the text of a Tuning file. */
  private static List<String> faults(String source) {
    List<String> faults = new ArrayList<>();
    if (!source.contains("final class Tuning {")) {
      faults.add("is not a final class");
    }
    List<String> documented = new ArrayList<>();
    Matcher constants = CONSTANT.matcher(source);
    while (constants.find()) {
      documented.add(constants.group(2));
      String text = prose(constants.group(1));
      for (String label : List.of("Unit:", "Data:", "Chosen:", "Figure:")) {
        if (!text.contains(label + " ")) {
          faults.add(constants.group(2) + " lacks " + label);
        }
      }
    }
    FIELD
        .matcher(source)
        .results()
        .map(field -> field.group(1))
        .filter(field -> !documented.contains(field))
        .forEach(field -> faults.add(field + " is no documented constant"));
    PAGE.matcher(prose(source))
        .results()
        .filter(page -> Files.notExists(ROOT.resolve(page.group())))
        .forEach(page -> faults.add(page.group() + " is not there"));
    return faults;
  }

  private static List<String> choices(String source) {
    return comments(source).stream().filter(text -> CHOICE.matcher(text).find()).toList();
  }

  private static List<String> bareFractions(String source) {
    return comments(source).stream().filter(text -> BARE_FRACTION.matcher(text).find()).toList();
  }

  @Test
  void everyFittedConstantSaysWhatChoseIt() throws IOException {
    List<Path> files = sources().stream().filter(FittedConstantsTest::isTuning).toList();
    assertThat(files).hasSizeGreaterThan(10);
    assertThat(files).allSatisfy(file -> assertThat(faults(read(file))).isEmpty());
  }

  @Test
  void everyFittedConstantIsUsed() throws IOException {
    List<Path> sources = sources();
    for (Path file : sources.stream().filter(FittedConstantsTest::isTuning).toList()) {
      String others =
          sources.stream()
              .filter(path -> path.startsWith(file.getParent()) && !isTuning(path))
              .map(FittedConstantsTest::read)
              .reduce("", String::concat);
      Matcher constants = CONSTANT.matcher(read(file));
      while (constants.find()) {
        assertThat(others).containsPattern("Tuning\\." + constants.group(2) + "\\b");
      }
    }
  }

  @Test
  void noOtherCommentTellsOfSuchAChoice() throws IOException {
    assertThat(sources().stream().filter(path -> !isTuning(path)))
        .allSatisfy(path -> assertThat(choices(read(path))).as(path.toString()).isEmpty());
  }

  @Test
  void fractionsInCommentsBeginWithAZero() throws IOException {
    assertThat(sources())
        .allSatisfy(path -> assertThat(bareFractions(read(path))).as(path.toString()).isEmpty());
  }

  /** A rule that could not fail would say nothing. */
  @Test
  void theRulesFindOffences() {
    String source =
        """
        public class Tuning {
          /** Too little. Unit: none. Data: none. Figure: none, see benchmarks/nowhere. */
          static final double A = 0.1;

          static final double B = 0.2;

          /** Twice the best on reference
           * data, .5 there. */
          private static final double C = 0.3; // chosen by hand
        }
        """;
    assertThat(faults(source))
        .containsExactly(
            "is not a final class",
            "A lacks Chosen:",
            "B is no documented constant",
            "C is no documented constant",
            "benchmarks/nowhere is not there");
    assertThat(choices(source)).hasSize(2);
    assertThat(bareFractions(source)).hasSize(1);
  }
}
