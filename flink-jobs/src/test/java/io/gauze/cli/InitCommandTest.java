package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.cli.option.ExitStatus;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.row.NumericColumn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verb init: from the header of a file to a config. */
final class InitCommandTest {
  private static final String OPEN = "lower: \"?\", upper: \"?\"";

  @TempDir private Path folder;

  private DemoIT.Outcome init(String... lines) throws IOException {
    Path csv = Files.write(folder.resolve("My Meters 2026.csv.gz"), List.of(lines));
    return DemoIT.run("init", "--csv", csv.toString());
  }

  private Path written(String... lines) throws IOException {
    DemoIT.Outcome outcome = init(lines);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(ExitStatus.DONE);
    assertThat(outcome.err())
        .contains("./gauze check --config FILE --csv '", "./gauze sketch --config FILE --csv '");
    return Files.writeString(folder.resolve("made.yaml"), outcome.out());
  }

  @Test
  void aConfigThatIsFilledInIsRead() throws Exception {
    Path config = written("day;used kWh;yes: \"no\"", "monday;1.5;7", "sunday;NA;8e1");
    String filled =
        Files.readString(config)
            .replace(OPEN, "lower: 0, upper: 9, typical: 2, spread: 1.5")
            .replace("categories: \"?\"", "categories: [monday, \"?\"]")
            .replace("\"?\"\n", "1000\n");

    StreamConfig stream = StreamConfig.read(Files.writeString(config, filled));

    assertThat(stream.stream()).isEqualTo("my-meters-2026");
    assertThat(stream.schema().encodedNames())
        .containsExactly("(intercept)", "day=?", "used kWh", "yes: \"no\"");
    assertThat(stream.expectedRows()).hasValue(1000);
    NumericColumn used = (NumericColumn) stream.schema().columns().get(1);
    assertThat(used.typical()).isEqualTo(2);
    assertThat(stream.hint()).isEmpty();
  }

  @Test
  void whatIsOpenIsNamed() throws IOException {
    Path config = written("day,kwh", "monday,1.5");
    Assertions.assertThatThrownBy(() -> StreamConfig.read(config))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            config
                + ":17: columns[0].categories is still \"?\", as 3 others are: columns[1].lower,"
                + " columns[1].upper, expectedRows. Replace each by public knowledge, never by what"
                + " the rows show");
    Files.writeString(
        config,
        Files.readString(config)
            .replace(OPEN, "lower: 0, upper: 9, spread: \"?\"")
            .replace("categories: \"?\"", "categories: [monday]"));
    Assertions.assertThatThrownBy(() -> StreamConfig.read(config))
        .hasMessageContaining("columns[1].spread is still \"?\", as 1 other is: expectedRows.");
    Files.writeString(config, Files.readString(config).replace(", spread: \"?\"", ""));
    Assertions.assertThatThrownBy(() -> StreamConfig.read(config))
        .hasMessageEndingWith(
            "expectedRows is still \"?\". Replace it by public knowledge, never by what the rows"
                + " show");
  }

  /** Ranges are enough, and for sums of one stage the config tells what guesses may gain. */
  @Test
  void rangesAreEnough() throws Exception {
    Path config = written("kwh", "1.5");
    String filled =
        Files.readString(config).replace(OPEN, "lower: 0, upper: 9").replace("\"?\"\n", "1000\n");
    StreamConfig stream = StreamConfig.read(Files.writeString(config, filled));
    assertThat(stream.hint()).isEmpty();
    String once = filled.replace("two-stage-moments}", "noisy-moments}");
    StreamConfig other = StreamConfig.read(Files.writeString(config, once));
    assertThat(other.hint()).hasValueSatisfying(hint -> assertThat(hint).contains("2 to 20"));
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
        .contains("has a number or a date in its first line, which must be a header")
        .doesNotContain("monday", "1.523");
  }

  /** Values in other forms are values, too. */
  @Test
  void aFirstLineWithAValueIsNotPrinted() throws IOException {
    for (String value : List.of("3,5", "19.99 EUR", "12%", "$5", "2020-01-01", "true", "n/a")) {
      DemoIT.Outcome outcome = init("Zaphod;" + value, "Ford;1");
      assertThat(outcome.status()).as(value).isEqualTo(ExitStatus.USAGE);
      assertThat(outcome.out()).isEmpty();
      assertThat(outcome.err()).contains("--numeric-names").doesNotContain("Zaphod");
    }
    Path years = Files.write(folder.resolve("years.csv"), List.of("2025,2026", "1,2"));
    assertThat(DemoIT.run("init", "--csv", years.toString(), "--numeric-names").out())
        .contains("{name: \"2025\", ", "response: \"2026\"");
  }

  /** At most a hundredth of one over the rows; without a guess, that of ten thousand. */
  @ParameterizedTest
  @CsvSource({
    "1, 1.0e-6",
    "10000, 1.0e-6",
    "10001, 1.0e-9",
    "10000000, 1.0e-9",
    "10000001, 1.0e-12"
  })
  void deltaIsFarBelowOneOverTheRows(String rows, String delta) throws IOException {
    Path csv = Files.write(folder.resolve("rows.csv"), List.of("a,b", "1,2"));
    DemoIT.Outcome made = DemoIT.run("init", "--csv", csv.toString(), "--expected-rows", rows);
    assertThat(made.out()).contains("delta: " + delta + "\n", "expectedRows: " + rows + "\n");
    assertThat(DemoIT.run("init", "--csv", csv.toString()).out())
        .contains("delta: 1.0e-6\n", "expectedRows: \"?\"\n");
  }

  @Test
  void whatTheFirstRowsShowIsSaid() throws IOException {
    assertThat(init("a;b", "\"1,5\";2", "\"2,5\";3").err())
        .contains("warning: GZ-DECIMAL: ", "in columns a.");
    assertThat(init("a", "1", "2").err()).contains("warning: GZ-ONECOLUMN: ");
    assertThat(init("a,b", "1,2", "1,2,3").err())
        .contains("warning: GZ-FAULTYROWS: ", "The first is in line 3: ");
  }

  @Test
  void wrongUsageIsStatus2() throws IOException {
    assertThat(init().err()).contains("is empty: its first line must be a header");
    assertThat(DemoIT.run("init", "--csv", "none.csv", "--expected-rows", "0").err())
        .contains("--expected-rows must be at least 1. Provided value: 0");
    DemoIT.Outcome missing = DemoIT.run("init", "--csv", "none.csv");
    assertThat(missing.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(missing.err())
        .contains("--csv must be a file that can be read. Provided value: none.csv");
  }
}
