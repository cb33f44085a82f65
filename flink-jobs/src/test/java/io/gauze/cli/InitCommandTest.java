package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb init: from the header of a file to a config. */
final class InitCommandTest {
  @TempDir private Path folder;

  private DemoIT.Outcome init(String... lines) throws IOException {
    Path csv = Files.write(folder.resolve("My Meters 2026.csv.gz"), List.of(lines));
    return DemoIT.run("init", "--csv", csv.toString());
  }

  private Path written(String... lines) throws IOException {
    DemoIT.Outcome outcome = init(lines);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(ExitStatus.DONE);
    assertThat(outcome.err()).contains("./gauze check --offline --config FILE").hasLineCount(1);
    return Files.writeString(folder.resolve("made.yaml"), outcome.out());
  }

  @Test
  void aConfigThatIsFilledInIsRead() throws Exception {
    Path config = written("day;used kWh;yes: \"no\"", "monday;1.5;7", "sunday;NA;8e1");
    String filled =
        Files.readString(config)
            .replace("lower: \"?\", upper: \"?\"", "lower: 0, upper: 9")
            .replace("categories: \"?\"", "categories: [monday, \"?\"]")
            .replace("\"?\"\n", "1000\n");

    StreamConfig stream = StreamConfig.read(Files.writeString(config, filled));

    assertThat(stream.stream()).isEqualTo("my-meters-2026");
    assertThat(stream.schema().encodedNames())
        .containsExactly("(intercept)", "used kWh", "yes: \"no\"", "day=?");
    assertThat(stream.expectedRows()).hasValue(1000);
  }

  @Test
  void whatIsOpenIsNamed() throws IOException {
    Path config = written("day,kwh", "monday,1.5");
    Assertions.assertThatThrownBy(() -> StreamConfig.read(config))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            config
                + ":11: columns[0].lower is still \"?\", as 3 others are: columns[0].upper,"
                + " columns[1].categories, expectedRows. Replace each by public knowledge, never by"
                + " what the rows show");
    Files.writeString(
        config,
        Files.readString(config)
            .replace("lower: \"?\", upper: \"?\"", "lower: 0, upper: 9")
            .replace("categories: \"?\"", "categories: [monday]"));
    Assertions.assertThatThrownBy(() -> StreamConfig.read(config))
        .hasMessageEndingWith(
            "expectedRows is still \"?\". Replace it by public knowledge, never by what the rows"
                + " show");
  }

  @Test
  void noValueIsPrinted() throws IOException {
    String config = Files.readString(written("day,kwh", "monday,1.523", "4.625,sunday"));
    assertThat(config).doesNotContain("monday", "1.523", "4.625", "sunday");
  }

  @Test
  void aFirstLineThatIsARowIsNotPrinted() throws IOException {
    DemoIT.Outcome outcome = init("monday,1.523", "sunday,1.5");
    assertThat(outcome.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .contains("has a number in its first line: its first line must be a header")
        .doesNotContain("monday", "1.523");
  }

  @Test
  void wrongUsageIsStatus2() throws IOException {
    assertThat(init().err()).contains("is empty: its first line must be a header");
    DemoIT.Outcome missing = DemoIT.run("init", "--csv", "none.csv");
    assertThat(missing.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(missing.err())
        .contains("--csv must be a file that can be read. Provided value: none.csv");
  }
}
