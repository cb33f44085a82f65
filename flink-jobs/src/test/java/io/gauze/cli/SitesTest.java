package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sites that cannot pool rows: y = 2 x1 - x2 + noise at both, with budgets of their own. */
final class SitesTest {
  private static final int ROWS = 5_000;
  private static final String COLUMNS =
      """
      columns:
        - {name: x1, lower: -1, upper: 1}
        - {name: x2, lower: -1, upper: 1}
        - {name: y, lower: -4, upper: 4}
      """;

  @TempDir private Path folder;
  private Path encoding;

  @BeforeEach
  void encode() throws IOException {
    encoding = folder.resolve("study.yaml");
    Path north = config("first", COLUMNS, 4.0, ROWS, "noisy-moments");
    DemoIT.Outcome check = check(north, "--write-encoding", encoding);
    assertThat(check.status()).as(check.err()).isZero();
    assertThat(check.err()).contains("wrote " + encoding, "encoding: study.yaml");
    assertThat(check(north, "--write-encoding", encoding).err())
        .contains("is this encoding already");
  }

  private Path config(String stream, String columns, double epsilon, int rows, String mechanism)
      throws IOException {
    return Files.writeString(
        folder.resolve(stream + ".yaml"),
        String.format(
            Locale.ROOT,
            """
            stream: %s
            %sprivacy: {epsilon: %s, delta: 1e-6, neighbours: replace-one}
            epochs: {length: all}
            expectedRows: %d
            sketches:
              - {name: s, mechanism: %s}
            """,
            stream,
            columns,
            epsilon,
            rows,
            mechanism));
  }

  private static DemoIT.Outcome check(Path config, String option, Path file) {
    return DemoIT.run("check", "--config", config.toString(), option, file.toString());
  }

  /** Sketches rows of a site with this slope of x1; returns the release. */
  private Path release(Path config, double slope, long seed) throws IOException {
    String stream = config.getFileName().toString().replace(".yaml", "");
    StringBuilder rows = new StringBuilder("x1,x2,y\n");
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < ROWS; i++) {
      double x1 = random.nextDouble(-1, 1);
      double x2 = random.nextDouble(-1, 1);
      double y = slope * x1 - x2 + 0.3 * random.nextGaussian();
      rows.append(String.format(Locale.ROOT, "%.6f,%.6f,%.6f%n", x1, x2, y));
    }
    Path csv = Files.writeString(folder.resolve(stream + ".csv"), rows);
    DemoIT.Outcome made =
        DemoIT.run(
            "sketch",
            "--config",
            config.toString(),
            "--csv",
            csv.toString(),
            "--out",
            folder.toString());
    assertThat(made.status()).as(made.err()).isZero();
    return folder.resolve(stream + "-all-all-s.avro");
  }

  private static DemoIT.Outcome fit(Path one, Path other, String format) {
    return DemoIT.run("fit", "--release", one + "," + other, "--response", "y", "--format", format);
  }

  @ParameterizedTest
  @ValueSource(strings = {"noisy-moments", "two-stage-moments"})
  void releasesOfOneEncodingAddUp(String mechanism) throws IOException {
    Path north = release(config("north", "encoding: study.yaml\n", 4.0, ROWS, mechanism), 2.0, 1);
    Path south = release(config("south", "encoding: study.yaml\n", 8.0, 900, mechanism), 2.0, 2);
    DemoIT.Outcome both = fit(north, south, "json");
    assertThat(both.status()).as(both.err()).isZero();
    JsonNode json = new JsonMapper().readTree(both.out());
    assertThat(json.path("rowsEstimate").asDouble()).isBetween(1.9 * ROWS, 2.1 * ROWS);
    assertThat(json.at("/coefficients/x1").asDouble()).isBetween(1.8, 2.2);
    assertThat(json.at("/streams/1/stream").asText()).isEqualTo("south");
    assertThat(json.at("/heterogeneity/x1/pValue").asDouble())
        .isBetween(1e-9, 1.0); // the noise is of the day; FitSourceTest has its law
    assertThat(json.at("/guarantee/streams/1/epsilon").asDouble()).isEqualTo(8.0);
    DemoIT.Outcome table = fit(north, south, "table");
    assertThat(table.err()).contains("merged 2 releases: streams north, south");
    assertThat(table.out())
        .contains(
            "By stream",
            "(Cochran's Q, p below 0.01)",
            "Stream south: Differentially private with epsilon 8.0")
        .contains("the costs add up to epsilon 12.0 and delta 2.0E-6");
    assertThat(fit(north, south, "csv").out())
        .startsWith("stream,term,estimate,")
        .contains("\n,x1," + json.at("/coefficients/x1").asDouble() + ",")
        .contains("\nsouth,x1," + json.at("/streams/1/coefficients/x1").asDouble() + ",")
        .contains("Differentially private with epsilon 8.0");
    assertThat(fit(north, north, "table").err()).contains("a row would count twice");
  }

  /** Slopes of 2 and 1. */
  @Test
  void sitesThatDifferAreSeen() throws IOException {
    String pinned = "encoding: study.yaml\n";
    Path north = release(config("north", pinned, 8.0, ROWS, "noisy-moments"), 2.0, 1);
    Path south = release(config("south", pinned, 8.0, ROWS, "noisy-moments"), 1.0, 2);
    assertThat(fit(north, south, "table").out())
        .containsPattern("The streams differ in ([^\n]*, )?x1(,[^\n]*)? \\(Cochran's Q");
  }

  /** Planned encodings follow the budget; the message says which number differs. */
  @Test
  void otherEncodingsAreNamed() throws IOException {
    Path same = config("north", "encoding: study.yaml\n", 4.0, ROWS, "noisy-moments");
    Path north = release(same, 2.0, 1);
    assertThat(check(same, "--same-as", north).status()).isZero();
    DemoIT.Outcome none = check(same, "--same-as", encoding);
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("--same-as must be a file that ends with .avro");
    String wider = COLUMNS.replace("-4", "-5");
    Path own = config("south", wider, 4.0, ROWS, "noisy-moments");
    DemoIT.Outcome check = check(own, "--same-as", north);
    assertThat(check.status()).isEqualTo(2);
    assertThat(check.err())
        .contains("is not that of release north/all/all/s")
        .contains("column y, lower: the config has -5.0, the release -4.0");
    DemoIT.Outcome both = fit(north, release(own, 2.0, 2), "table");
    assertThat(both.status()).isEqualTo(1);
    assertThat(both.err())
        .contains("column y, lower: north/all/all/s has -4.0, south/all/all/s -5.0")
        .contains("gauze check --write-encoding");
    Path other =
        release(config("west", "encoding: study.yaml\n", 4.0, ROWS, "count-sketch"), 2.0, 3);
    assertThat(fit(north, other, "table").err()).contains("must have one mechanism");
    String text = Files.readString(encoding).replace("upper: 4.0", "upper: 6.0");
    Files.writeString(encoding, text);
    DemoIT.Outcome edited = DemoIT.run("check", "--offline", "--config", same.toString());
    assertThat(edited.status()).isEqualTo(2);
    assertThat(edited.err()).contains("encodingVersion", "it was edited");
  }
}
