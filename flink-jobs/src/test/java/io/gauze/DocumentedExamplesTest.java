package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.gauze.config.StreamConfig;
import io.gauze.testing.ShellWords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The commands and configs that the documents print are right: verbs, options and keys exist. */
class DocumentedExamplesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern COMMAND =
      Pattern.compile("^(?: {4,}|\\s*\\$ )(?:\\./)?gauze (?<words>[^#\\n]*?)\\s*(?:#.*)?$");
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

  private static Stream<Path> documents() throws IOException {
    List<Path> found = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(found::add);
    }
    return found.stream();
  }

  private static String text(Path document) {
    try {
      return Files.readString(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Arguments> commands() throws IOException {
    return documents()
        .flatMap(
            path ->
                text(path)
                    .lines()
                    .map(COMMAND::matcher)
                    .filter(Matcher::matches)
                    .map(command -> command.group("words"))
                    .filter(words -> !words.contains("...") && !words.contains("|"))
                    .map(words -> Arguments.of(path.getFileName().toString(), words)));
  }

  @ParameterizedTest(name = "{0}: gauze {1}")
  @MethodSource("commands")
  void aCommandIsUnderstood(String document, String words) {
    CommandLine gauze = Main.commandLine();
    String arguments = words.split(" > ", 2)[0]; // what follows is for the shell
    assertThatCode(() -> gauze.parseArgs(ShellWords.of(arguments))).doesNotThrowAnyException();
  }

  @Test
  void thereAreCommands() throws IOException {
    assertThat(commands()).hasSizeGreaterThan(40);
  }

  private static Stream<Arguments> configs() throws IOException {
    return documents()
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
