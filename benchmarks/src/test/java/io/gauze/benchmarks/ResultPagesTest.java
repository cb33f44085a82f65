package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each page of measured tables says when it was recorded and which command makes it again, and the
 * index names it.
 */
final class ResultPagesTest {
  private static final Path RESULTS = Path.of("results");
  private static final String INDEX = "README.md";
  private static final Pattern DAY = Pattern.compile("Recorded (?:on|from) 20\\d\\d-\\d\\d-\\d\\d");
  private static final Pattern SCRIPT = Pattern.compile("benchmarks/[a-z]+( .*)?");
  private static final int FIRST_WORD = 3; // of a line that runs accuracy: after DATA and releases
  private static final Set<String> WORDS =
      Stream.of(
              Accuracy.TABLES,
              Accuracy.EPSILONS,
              PoolTable.SETS,
              PoolTable.SAID,
              PoolTable.MECHANISMS,
              PoolTable.BASELINES,
              List.of(ModelTables.ALL, "wine", "lad", "quantile", "huber"))
          .flatMap(List::stream)
          .collect(Collectors.toSet());

  /** The pages of all folders, without the index. */
  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(RESULTS)) {
      return files
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> !file.equals(RESULTS.resolve(INDEX)))
          .sorted()
          .toList();
    }
  }

  @Test
  void theIndexNamesEachPage() throws IOException {
    String index = Files.readString(RESULTS.resolve(INDEX));
    String papers = Files.readString(RESULTS.resolve("papers").resolve(INDEX));
    assertThat(pages()).hasSizeGreaterThan(30);
    for (Path page : pages()) {
      String name = page.getFileName().toString();
      boolean isOfPapers = page.getParent().endsWith("papers");
      if (!isOfPapers || !name.equals(INDEX)) {
        assertThat(isOfPapers ? papers : index).contains("](" + name + ")");
      }
    }
  }

  @Test
  void theGuideNamesEachTableOfAccuracy() throws IOException {
    String guide = Files.readString(Path.of("..", "docs", "benchmarks.md"));
    assertThat(Accuracy.TABLES).allMatch(word -> guide.contains("`" + word + "`"));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aPageSaysWhenAndHowItWasMade(Path page) throws IOException {
    assertThat(wrong(Files.readString(page))).isEmpty();
  }

  @Test
  void whatIsMissingIsFound() throws IOException {
    String day = "Recorded on 2026-11-22.\n\n";
    String table = "| a |\n|---|\n| 1 |\n";
    assertThat(wrong("    benchmarks/run\n" + table)).containsExactly("no day");
    assertThat(wrong(day + table)).containsExactly("no command");
    assertThat(wrong(day + "Made by hand.\n" + table)).isEmpty();
    assertThat(wrong(day + "    benchmarks/nothing 1\n")).containsExactly("no script nothing");
    assertThat(wrong(day + "    benchmarks/accuracy DATA 20 excess made-up # a part\n"))
        .containsExactly("no word made-up");
  }

  /** What a page lacks, and what its commands name that is not there. */
  private static Set<String> wrong(String page) throws IOException {
    Set<String> wrong = new TreeSet<>();
    String joined = page.replaceAll(" \\\\\\R +", " "); // commands of several lines
    List<String> commands = joined.lines().filter(line -> line.startsWith("    ")).toList();
    if (!DAY.matcher(page).find()) {
      wrong.add("no day");
    }
    if (commands.isEmpty() && !page.contains("ade by hand")) {
      wrong.add("no command");
    }
    for (String command : commands) {
      String line = command.split("#", 2)[0].strip();
      if (SCRIPT.matcher(line).matches()) {
        check(List.of(line.split(" +")), wrong);
      }
    }
    return wrong;
  }

  private static void check(List<String> words, Set<String> wrong) {
    String script = words.get(0).replaceFirst("^benchmarks/", "");
    if (!Files.isExecutable(Path.of(script))) {
      wrong.add("no script " + script);
    } else if (script.equals("accuracy")) {
      words.stream()
          .skip(FIRST_WORD)
          .filter(word -> !WORDS.contains(word))
          .forEach(word -> wrong.add("no word " + word));
    }
  }
}
