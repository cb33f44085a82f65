package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.plan.StreamFingerprints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configs of one encoding file encode rows alike, whatever else they say. */
final class EncodingFileTest {
  private static final String COLUMNS =
      """
      columns:
        - {name: age, source: "a\\tge", lower: 0.1, upper: 120, typical: 40, spread: 15}
        - {name: "sex: é \\"x\\"", source: sex, equals: "Ma,le"}
        - {name: school, map: {low: 1, "mid: #": 2, high: 3.5}, typical: 2}
        - {name: town, categories: ["a b", "c}", "null"], other: rest}
        - {name: income, lower: -1e-3, upper: 1e6}
      response: income
      missing: midpoint
      """;

  @TempDir private Path folder;
  private Path encoding;

  @BeforeEach
  void writes() throws IOException, ConfigException {
    encoding = folder.resolve("study.yaml");
    assertThat(EncodingFile.write(config(COLUMNS, 1.0, 10_000, "noisy-moments"), encoding))
        .isTrue();
  }

  private StreamConfig config(String columns, double epsilon, int rows, String mechanism)
      throws IOException, ConfigException {
    Path file = folder.resolve("config.yaml");
    Files.writeString(
        file,
        "stream: one\n"
            + columns
            + "privacy: {epsilon: "
            + epsilon
            + ", delta: 1e-6, neighbours: replace-one}\nepochs: {length: all}\nexpectedRows: "
            + rows
            + "\nsketches:\n  - {name: s, mechanism: "
            + mechanism
            + "}\n");
    return StreamConfig.read(file);
  }

  @ParameterizedTest
  @CsvSource({"1.0,10000", "0.1,500", "8.0,3000000"})
  void budgetsAndRowsDoNotChangeIt(double epsilon, int rows) throws Exception {
    StreamConfig planned = config(COLUMNS, 1.0, 10_000, "noisy-moments");
    StreamConfig pinned = config("encoding: study.yaml\n", epsilon, rows, "noisy-moments");
    assertThat(pinned.schema()).isEqualTo(planned.schema());
    assertThat(pinned.spreads()).isEqualTo(planned.spreads());
    assertThat(pinned.hint()).isEmpty();
    String version = StreamFingerprints.encoding(planned.schema());
    assertThat(StreamFingerprints.encoding(pinned.schema())).isEqualTo(version);
    assertThat(Files.readString(encoding)).endsWith("encodingVersion: " + version + "\n");
    boolean isOther = epsilon != 1.0;
    assertThat(config(COLUMNS, epsilon, rows, "noisy-moments").schema().equals(planned.schema()))
        .isNotEqualTo(isOther);
  }

  @Test
  void isWrittenOnce() throws Exception {
    assertThat(EncodingFile.write(config(COLUMNS, 1.0, 10_000, "noisy-moments"), encoding))
        .isFalse();
    StreamConfig other = config(COLUMNS, 0.1, 500, "noisy-moments");
    assertThatThrownBy(() -> EncodingFile.write(other, encoding))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is there already and is not this encoding");
  }

  @ParameterizedTest
  @CsvSource({
    "upper: 120.0, upper: 121.0",
    "typical: 40.0, typical: 41.0",
    "missing: midpoint, missing: reject",
    "rest, others"
  })
  void editsAreSeen(String from, String to) throws Exception {
    String text = Files.readString(encoding);
    Files.writeString(encoding, text.replace(from, to));
    assertThat(Files.readString(encoding)).isNotEqualTo(text);
    assertThatThrownBy(() -> config("encoding: study.yaml\n", 1.0, 10_000, "noisy-moments"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("study.yaml:")
        .hasMessageContaining("encodingVersion");
  }

  /** Without its hash a file would be planned anew, for each config in its own way. */
  @ParameterizedTest
  @ValueSource(strings = {"encodingVersion", "factors", "rowBound", "intercept", "missing"})
  void nothingMayBeMissing(String key) throws Exception {
    String text = Files.readString(encoding);
    Files.writeString(encoding, text.replaceAll("(?m)^" + key + ": .*\\n", ""));
    assertThatThrownBy(() -> config("encoding: study.yaml\n", 1.0, 10_000, "noisy-moments"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the encoding file lacks the key " + key);
  }

  /** YAML's keys are short, and escapes are long. */
  @Test
  void namesThatCannotBeReadBackAreNotWritten() throws Exception {
    String text = "\uD83D\uDE00".repeat(110);
    StreamConfig config =
        config(
            "columns:\n  - {name: x, map: {a: 1, ? \"" + text + "\" : 2}}\n",
            1.0,
            10_000,
            "noisy-moments");
    assertThatThrownBy(() -> EncodingFile.write(config, folder.resolve("long.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("too long for an encoding file");
    assertThat(folder.resolve("long.yaml")).doesNotExist();
    assertThatThrownBy(() -> EncodingFile.write(config, folder.resolve("no/long.yaml")))
        .hasMessageContaining("its folder does not exist");
  }

  @ParameterizedTest
  @ValueSource(strings = {"intercept: 1", "rowBound: 2", "response: age", "missing: reject"})
  void leavesNothingToTheConfig(String key) {
    assertThatThrownBy(
            () -> config("encoding: study.yaml\n" + key + "\n", 1.0, 10_000, "noisy-moments"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is a key of the encoding file, too");
  }

  /** A sketch that cuts ranges into parts takes neither shortened rows nor factors. */
  @Test
  void sketchesThatNeedFullRangesRefuseScaledOnes() {
    assertThatThrownBy(() -> config("encoding: study.yaml\n", 1.0, 10_000, "stratified-moments"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("needs full ranges");
  }

  @Test
  void mustBeThere() {
    assertThatThrownBy(() -> config("encoding: other.yaml\n", 1.0, 10_000, "noisy-moments"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("config.yaml:2: encoding must be a file with an encoding");
  }

  /** A config that is sent as text must not make a service read its own files. */
  @Test
  void textsAreNoFiles() {
    String text = "stream: one\nencoding: " + encoding + "\n";
    assertThatThrownBy(() -> StreamConfig.parse("request", text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("names a file beside the config");
    assertThatThrownBy(() -> ConfiguredStream.parse("request", text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("names a file beside the config");
  }
}
