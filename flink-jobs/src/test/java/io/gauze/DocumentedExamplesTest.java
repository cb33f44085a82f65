package io.gauze;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.gauze.config.StreamConfig;
import io.gauze.testing.PrintedCommands;
import io.gauze.testing.PrintedCommands.Printed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands and configs that the documents print are right: verbs, options and keys exist. */
class DocumentedExamplesTest {
  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(\\w+:.*?)^```");
  private static final Pattern TOP_KEY = Pattern.compile("(?m)^(?=\\w+:)");

  /** Every part that a config must have, for the fragments that documents show. */
  private static final Map<String, String> BASE =
      parts(
          """
          stream: meters
          columns: [{name: kwh, lower: 0, upper: 8}]
          privacy: {epsilon: 1, delta: 1.0e-9, neighbours: replace-one}
          epochs: {length: PT1H, from: 2026-01-01T00:00:00Z}
          expectedRows: 1000
          sketches: [{name: moments, mechanism: noisy-moments}]
          """);

  private static Stream<Arguments> commands() throws IOException {
    return PrintedCommands.all().stream().map(each -> Arguments.of(each.document(), each));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("commands")
  void aCommandIsUnderstood(String document, Printed printed) {
    assertThatCode(() -> Main.commandLine().parseArgs(printed.arguments()))
        .doesNotThrowAnyException();
  }

  @Test
  void thereAreCommands() throws IOException {
    assertThat(commands()).hasSizeGreaterThan(100);
  }

  /** At the top of a clone; words in capitals stand for what the reader has. */
  @Test
  void filesAreInACloneOrMadeByAnEarlierCommand() throws IOException {
    Map<String, List<Printed>> byDocument =
        PrintedCommands.all().stream()
            .collect(groupingBy(Printed::document, LinkedHashMap::new, toList()));

    byDocument.forEach(
        (document, commands) ->
            assertThat(PrintedCommands.missingFiles(commands)).as(document).isEmpty());
    List<Printed> wrong = List.of(new Printed("", "fit --release made-up.avro,FILE --response y"));
    assertThat(PrintedCommands.missingFiles(wrong)).containsExactly("made-up.avro");
  }

  @Test
  void theConfigOfTheQuickstartIsTheExample() throws IOException {
    String example = Files.readString(PrintedCommands.ROOT.resolve("examples/meters.yaml"));

    assertThat(Files.readString(PrintedCommands.ROOT.resolve("docs/quickstart.md")))
        .contains("```yaml\n" + example + "```");
  }

  /** The one file that is not in a clone. */
  @Test
  void theDownloadOfTheExampleHasAnAddress() {
    for (String file : List.of("docs/quickstart.md", "examples/wine.yaml")) {
      assertThat(text(PrintedCommands.ROOT.resolve(file)))
          .contains("winequality-white.csv")
          .containsOnlyOnce("https://archive.ics.uci.edu/dataset/186/wine+quality");
    }
  }

  /** Nobody who tries the commands changes a file of the clone. */
  @Test
  void noPrintedReportOverwritesAFileOfTheClone() throws IOException {
    for (Printed printed : PrintedCommands.all()) {
      List<String> words = List.of(printed.arguments());
      int option = words.indexOf("--report");
      if (option >= 0) {
        assertThat(PrintedCommands.ROOT.resolve(words.get(option + 1))).doesNotExist();
      }
    }
  }

  private static String text(Path document) {
    try {
      return Files.readString(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Arguments> configs() throws IOException {
    return PrintedCommands.documents().stream()
        .flatMap(
            path ->
                YAML.matcher(text(path))
                    .results()
                    .map(block -> Arguments.of(path.getFileName().toString(), block.group(1))));
  }

  @ParameterizedTest(name = "{0} {index}")
  @MethodSource("configs")
  void aConfigIsRead(String document, String yaml) {
    Map<String, String> config = new LinkedHashMap<>(BASE);
    config.putAll(parts(yaml));
    assertThatCode(() -> StreamConfig.parse(document, String.join("", config.values())))
        .doesNotThrowAnyException();
  }

  /** The parts of a config by their keys. */
  private static Map<String, String> parts(String yaml) {
    Map<String, String> parts = new LinkedHashMap<>();
    TOP_KEY
        .splitAsStream(yaml)
        .filter(part -> !part.isBlank())
        .forEach(part -> parts.put(part.split(":", 2)[0], part));
    return parts;
  }
}
