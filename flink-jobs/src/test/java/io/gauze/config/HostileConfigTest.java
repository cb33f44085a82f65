package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configs that nobody writes by hand: too long, too deep, too many; one line says so. */
final class HostileConfigTest {
  private static void isRefused(String text, String message) {
    assertThatThrownBy(() -> StreamConfig.parse("c.yaml", text))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "[[", "{a: ", "- ", "? ", "a: {b: [", "!!seq ["})
  void refusesDeepNesting(String opening) {
    isRefused(opening.repeat(100_000), "c.yaml:1: is nested deeper than 64; nest less");
  }

  @Test
  void saysTheLineOfABlockThatIsTooDeep() {
    String blocks =
        IntStream.range(0, 500).mapToObj(i -> " ".repeat(i) + "a:\n").collect(Collectors.joining());
    isRefused(
        "stream:\n\n " + "[".repeat(100_000), "c.yaml:3: is nested deeper than 64; nest less");
    isRefused(blocks, "c.yaml:65: is nested deeper than 64; nest less");
  }

  static Stream<Arguments> tooMany() {
    return Stream.of(
        arguments(
            "missing: reject",
            "groups: {field: country, values: [" + list(40_000) + "]}",
            "c.yaml:9: groups.values must be a list of at most 20000 different texts. Provided value: one of 40000"),
        arguments(
            "  - {name: moments, mechanism: noisy-moments}",
            "  - {name: m, mechanism: noisy-moments}\n".repeat(101),
            "c.yaml:14: sketches must be at most 100 sketches. Provided value: 102"),
        arguments(
            "localhost:9092",
            "a:1,".repeat(100_000) + "b",
            "c.yaml:17: kafka.bootstrap must be host:port, ports in [1, 65535], several separated by commas. Provided value: "
                + "a:1,".repeat(25)
                + "..."),
        arguments(
            "missing: reject",
            "x".repeat(500) + ": 1",
            "c.yaml:9: the config has no key "
                + "x".repeat(100)
                + "..., and it may have stream, encoding, columns, intercept, rowBound, response, responseBound, missing, privacy, snapshots, cumulative, epochs, groups, expectedRows, sketches, models, kafka, flink"),
        arguments(
            "epsilon: 1.0",
            "epsilon: \"1\\n\\n2\\e[31m" + "0".repeat(300_000) + "\"",
            "c.yaml:10: privacy.epsilon must be a number in (0, 100.0]. Provided value: 1 2 [31m"
                + "0".repeat(92)
                + "..."));
  }

  private static String list(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @MethodSource("tooMany")
  void refusesWhatIsTooMuch(String piece, String replacement, String message) {
    isRefused(ConfigText.with(piece, replacement), message);
  }

  @Test
  void refusesFilesThatAreTooLong(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("long.yaml");
    Files.write(file, Collections.nCopies(80_000, "# " + "x".repeat(70)));
    String message = file + ": is longer than 1048576 bytes; write a shorter one";
    assertThatThrownBy(() -> StreamConfig.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @Test
  void readsLongComments() throws Exception {
    StreamConfig.parse("c.yaml", "# " + "x".repeat(1_000_000) + "\n" + ConfigText.GOOD);
  }

  @Test
  void saysWhereACharacterIsThatMayNotBe() {
    isRefused("stream: wine\n\nrow\u0007: 1", "c.yaml:3: has the character U+0007; remove it");
    isRefused("\0".repeat(1000), "c.yaml:1: has the character U+0000; remove it");
    isRefused(
        "%YAML 2.1\n---\nstream: wine",
        "c.yaml:1: is of another version of YAML than 1.2; remove the line %YAML");
  }
}
