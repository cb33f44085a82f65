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
import org.junit.jupiter.api.io.TempDir;

/** A file of rows, its releases and their fits, without a broker. */
abstract class SketchFitCase {
  static final String MOMENTS = "- {name: moments, mechanism: noisy-moments}";

  @TempDir Path folder;
  Path config;
  Path csv;
  Path moments;

  @BeforeEach
  void writeRows() throws IOException {
    config = Files.writeString(folder.resolve("c.yaml"), RowsFile.config("rows", MOMENTS, ""));
    csv = Files.write(folder.resolve("rows.csv"), RowsFile.csv(2000, 7));
    moments = folder.resolve("out").resolve("rows-all-all-moments.avro");
  }

  DemoIT.Outcome sketch(String file) {
    return DemoIT.run(
        "sketch",
        "--config",
        config.toString(),
        "--csv",
        file,
        "--out",
        folder.resolve("out").toString());
  }

  DemoIT.Outcome solve(String... options) {
    List<String> words = new ArrayList<>(List.of("fit", "--release", moments.toString()));
    words.addAll(List.of(options));
    return DemoIT.run(words.toArray(new String[0]));
  }

  JsonNode fit(String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of(options));
    words.addAll(List.of("--format", "json"));
    DemoIT.Outcome outcome = solve(words.toArray(new String[0]));
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return JsonMapper.builder().build().readTree(outcome.out());
  }

  /**
   * All of three columns are selected.
   *
   * @param more further options, each after a comma
   */
  void writeSelection(String more) throws IOException {
    String sketches =
        "- {name: few, mechanism: select-fit, response: y, selected: 3, rounds: 1" + more + "}";
    Files.writeString(config, RowsFile.config("rows", sketches, ""));
    moments = folder.resolve("out").resolve("rows-all-all-few.avro");
  }

  void writeResidualStrata() throws IOException {
    String sketches = "- {name: strata, mechanism: residual-strata, response: y, strata: 2}";
    Files.writeString(config, RowsFile.config("rows", sketches, ""));
    moments = folder.resolve("out").resolve("rows-all-all-strata.avro");
  }
}
