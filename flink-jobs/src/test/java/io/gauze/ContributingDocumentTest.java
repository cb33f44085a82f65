package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.PrintedCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands of Maven that pages print work as they are written: modules, tests and profiles are
 * there, and no module fails because the named test is in another one.
 */
final class ContributingDocumentTest {
  /** The option that names tests, and the one without which a module that lacks them fails. */
  private static final Map<String, String> TESTS =
      Map.of(
          "-Dtest",
          "-Dsurefire.failIfNoSpecifiedTests=false",
          "-Dit.test",
          "-Dfailsafe.failIfNoSpecifiedTests=false");

  private static Stream<String> commands() throws IOException {
    List<Path> pages =
        Stream.concat(
                PrintedCommands.documents().stream(),
                Stream.of(PrintedCommands.ROOT.resolve("CONTRIBUTING.md")))
            .toList();
    Stream<String> lines = Stream.empty();
    for (Path page : pages) {
      lines = Stream.concat(lines, Files.readAllLines(page).stream());
    }
    return lines
        .filter(line -> line.matches(" {4,}mvn .*"))
        .map(line -> line.split("#|&&", 2)[0].strip());
  }

  @Test
  void thereAreCommands() throws IOException {
    assertThat(commands()).hasSizeGreaterThan(8).anyMatch(line -> line.contains("-Dit.test="));
    String failed =
        "mvn verify -pl flink-jobs -am -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dit.test=RunCommandIT";
    assertThat(wrong(failed)).isEqualTo("lacks -Dfailsafe.failIfNoSpecifiedTests=false");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandWorksAsItIsWritten(String command) throws IOException {
    assertThat(wrong(command)).isEmpty();
  }

  /** What is wrong with a command; empty if nothing is. */
  private static String wrong(String command) throws IOException {
    List<String> words = Arrays.asList(command.split(" +"));
    Map<String, String> options = new TreeMap<>();
    words.forEach(word -> options.put(word.split("=", 2)[0], word.replaceFirst("^[^=]*=", "")));
    int list = words.indexOf("-pl");
    List<String> modules = list < 0 ? List.of() : Arrays.asList(words.get(list + 1).split(",", -1));
    String pom = Files.readString(PrintedCommands.ROOT.resolve("pom.xml"));
    for (String module : modules) {
      if (!pom.contains("<module>" + module + "</module>")) {
        return "no module " + module;
      }
    }
    for (String word : words) {
      if (word.startsWith("-P") && !pom.contains("<id>" + word.substring(2) + "</id>")) {
        return "no profile " + word.substring(2);
      }
    }
    for (Map.Entry<String, String> option : TESTS.entrySet()) {
      String tests = options.getOrDefault(option.getKey(), "none");
      if (options.containsKey(option.getKey())
          && (modules.size() > 1 || words.contains("-am"))
          && !words.contains(option.getValue())) {
        return "lacks " + option.getValue();
      }
      for (String test : tests.split(",", -1)) {
        if (!test.equals("none") && modules.stream().noneMatch(module -> holds(module, test))) {
          return "no test " + test + " in " + modules;
        }
      }
    }
    return "";
  }

  private static boolean holds(String module, String test) {
    Path tests = PrintedCommands.ROOT.resolve(module).resolve("src/test/java");
    try (Stream<Path> files = Files.exists(tests) ? Files.walk(tests) : Stream.empty()) {
      return files.anyMatch(file -> file.endsWith(test.split("#", 2)[0] + ".java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
