package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fits with tests and intervals, as CSV and JSON. */
final class FitTermsTest {
  private static final String MOMENTS = "- {name: moments, mechanism: noisy-moments}";

  @TempDir private Path folder;
  private Path config;
  private Path csv;

  @BeforeEach
  void sketch() throws IOException {
    config = Files.writeString(folder.resolve("c.yaml"), RowsFile.config("rows", MOMENTS, ""));
    csv = Files.write(folder.resolve("rows.csv"), RowsFile.csv(2000, 7));
    DemoIT.Outcome outcome =
        DemoIT.run(
            "sketch",
            "--config",
            config.toString(),
            "--csv",
            csv.toString(),
            "--out",
            folder.toString());
    assertThat(outcome.status()).as(outcome.err()).isZero();
  }

  private String fit(String... options) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "fit",
                "--release",
                folder.resolve("rows-all-all-moments.avro").toString(),
                "--response",
                "y"));
    words.addAll(List.of(options));
    DemoIT.Outcome outcome = DemoIT.run(words.toArray(new String[0]));
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return outcome.out();
  }

  @Test
  void csvIsATidyTable() throws IOException {
    List<String> lines = fit("--format", "csv", "--level", "0.9").lines().toList();
    assertThat(lines.get(0))
        .isEqualTo("term,estimate,std_error,statistic,p_value,conf_low,conf_high");
    JsonNode json =
        JsonMapper.builder().build().readTree(fit("--format", "json", "--level", "0.9"));
    assertThat(lines).hasSize(1 + json.path("coefficients").size());
    String[] last = lines.get(lines.size() - 1).split(",", -1);
    assertThat(Double.parseDouble(last[1]))
        .isEqualTo(json.path("coefficients").path(last[0]).asDouble());
    assertThat(Double.parseDouble(last[6]))
        .isEqualTo(json.path("confHigh").path(last[0]).asDouble());
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      double low = Double.parseDouble(fields[5]);
      double high = Double.parseDouble(fields[6]);
      assertThat(low).isLessThan(high);
      assertThat(low <= 0.0 && 0.0 <= high).isEqualTo(Double.parseDouble(fields[4]) >= 0.1);
    }
  }

  @Test
  void notesOfPredictionsAsCsvAreOnStandardError() {
    DemoIT.Outcome predicted =
        DemoIT.run(
            "predict",
            "--release",
            folder.resolve("rows-all-all-moments.avro").toString(),
            "--response",
            "y",
            "--features",
            "x1",
            "--loss",
            "lasso",
            "--lambda",
            "0.001",
            "--row",
            "{\"x1\": 0.5}",
            "--format",
            "csv");
    assertThat(predicted.status()).as(predicted.err()).isZero();
    assertThat(predicted.out()).startsWith("fit,std_error,").hasLineCount(2);
    assertThat(predicted.err())
        .containsPattern("(?m)^warning: GZ-KEPT: The l1 penalty kept 1 of 1");
  }

  @Test
  void intervalsAreInJsonOnlyIfALevelIsGiven() {
    assertThat(fit("--format", "json")).doesNotContain("confLow");
    assertThat(DemoIT.run("fit", "--release", "x", "--response", "y", "--level", "1").err())
        .contains("--level must be in (0, 1)");
    assertThat(DemoIT.run("fit", "--response", "y", "--format", "cvs").err())
        .contains("must be table, json or csv");
  }
}
