package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** From a file of rows to releases in files, and fits on these, without a broker. */
final class SketchFitTest extends SketchFitCase {
  /**
   * The noise is real, so the tolerance is ten of the standard errors that the fit states, of which
   * each is asserted to be small.
   */
  @Test
  void aFileIsSketchedAndFitted() throws IOException {
    DemoIT.Outcome sketched = sketch(csv.toString());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    assertThat(sketched.err())
        .contains("2,000 rows sketched", "epsilon 20.0", "no ledger remembers this");
    assertThat(sketched.out()).contains("rows/all/all/moments", moments.toString());
    assertThat(sketched.out()).doesNotContain("2,000").doesNotContain("2000");

    JsonNode fit = fit("--response", "y");
    double[] truth = {0.2, 0.5, -0.3, 0.1};
    List<String> names = List.of("(intercept)", "x1", "x2", "kind=b");
    for (int k = 0; k < truth.length; k++) {
      double error = fit.at("/standardErrors").get(names.get(k)).asDouble();
      assertThat(error).isBetween(1e-5, 0.02);
      assertThat(fit.at("/coefficients").get(names.get(k)).asDouble())
          .isCloseTo(truth[k], within(10 * error));
    }
    assertThat(fit.at("/loss").asText()).isEqualTo("ridge");
    assertThat(fit.at("/guarantee/epsilon").asDouble()).isEqualTo(20.0);
    assertThat(fit.at("/guarantee/private").asBoolean()).isTrue();
    assertThat(fit.at("/guarantee/releases/0").asText()).isEqualTo("rows/all/all/moments");
  }

  /** There is room for no row: each pass of the fit reads the file. */
  @Test
  void aModelReadsAFileThatDoesNotFitIntoMemory() throws IOException {
    String models =
        """
        models:
          - {name: robust, mechanism: huber, response: y}
          - {name: track, mechanism: huber-track, response: y}
        flink: {properties: {gauze.models.memory: 1 kb}}
        """;
    Files.writeString(config, RowsFile.config("rows", MOMENTS, models));
    DemoIT.Outcome sketched = sketch(csv.toString());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    assertThat(sketched.err())
        .contains(
            "reading the rows several times for model robust, since there is no room for them;"
                + " gauze.models.memory is 1,024 bytes")
        .contains("warning: GZ-ONEEPOCH: Model track (huber-track) improves from epoch to epoch");
    Release robust = ReleaseFile.read(folder.resolve("out").resolve("rows-all-all-robust.avro"));
    double slope = robust.numbers()[1] * robust.stepSize();
    assertThat(slope).isBetween(0.4, 0.6); // 0.5: the columns have ranges of one width
  }

  /** At epsilon 20 the noise of a count is a row or so, and hundreds of rows are in a cell. */
  @Test
  void rangesThatNobodyKnowsAreChosenFirst() throws IOException {
    String text = Files.readString(config);
    String unknown = text.replaceAll("lower: [-0-9.]+, upper: [-0-9.]+", "range: estimate");
    assertThat(unknown).contains("range: estimate");
    Files.writeString(config, unknown.replaceAll("(?m)^(rowBound|intercept): .*$", ""));
    DemoIT.Outcome sketched = sketch(csv.toString());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    assertThat(sketched.err()).contains("chosen ranges, which are public now", "{name: y, lower: ");
    assertThat(sketched.out()).contains("rows/all/all/ranges", "rows/all/all/moments");
    Release counts = ReleaseFile.read(folder.resolve("out").resolve("rows-all-all-ranges.avro"));
    assertThat(counts.payload().kind()).isEqualTo("range counts");
    Release sketch = ReleaseFile.read(moments);
    assertThat(sketch.encodingVersion()).isNotEqualTo(counts.encodingVersion());
    assertThat(sketch.guarantee().basis()).contains("a share of 0.1 of the budget");
    double slope = fit("--response", "y").at("/coefficients/x1").asDouble();
    assertThat(slope).isBetween(0.3, 0.7); // 0.5
    assertThat(
            DemoIT.run(
                    "fit", "--release", folder + "/out/rows-all-all-ranges.avro", "--response", "y")
                .err())
        .contains("nothing can be fitted");

    assertThat(sketch(csv.toString()).err()).contains("GZ-RELEASED");
    DemoIT.Outcome run = DemoIT.run("run", "--config", config.toString());
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .contains("epochs.length all has no later one", "for a file, use gauze sketch");
    assertThat(DemoIT.run("check", "--offline", "--config", config.toString()).out())
        .contains("counted first for x1, x2, y with a share of 0.1 of the budget");
  }

  @Test
  void oneReleaseAnswersManyQuestions() throws IOException {
    sketch(csv.toString());
    JsonNode other = fit("--response", "x1", "--features", "y,x2");
    assertThat(other.at("/coefficients").properties()).hasSize(3);
    JsonNode lasso = fit("--response", "y", "--loss", "lasso", "--lambda", "500");
    assertThat(lasso.at("/lambda").asDouble()).isEqualTo(500.0);
    assertThat(lasso.at("/coefficients/x1").asDouble()).isBetween(-0.01, 0.45);
    JsonNode encoded = fit("--response", "y", "--scale", "encoded");
    JsonNode user = fit("--response", "y");
    // x1 has half range 0.5, as y has: the same slope in both scales
    assertThat(encoded.at("/coefficients/x1").asDouble())
        .isCloseTo(user.at("/coefficients/x1").asDouble(), within(1e-12));
    assertThat(encoded.at("/scale").asText()).isEqualTo("encoded");
    assertThat(solve("--response", "y").out())
        .contains("What explains y", "Guarantee: Differentially private with epsilon 20.0");
  }

  @Test
  void everyFormOfAFileGivesTheSameFit() throws IOException {
    sketch(csv.toString());
    JsonNode wanted = fit("--response", "y");
    Release release = ReleaseFile.read(moments);
    for (String ending : List.of("json", "npz")) {
      moments = folder.resolve("copy." + ending);
      ReleaseFile.write(release, moments);
      assertThat(fit("--response", "y")).as(ending).isEqualTo(wanted);
    }
  }

  @Test
  void nothingIsReleasedTwice() throws IOException {
    sketch(csv.toString());
    byte[] first = Files.readAllBytes(moments);
    DemoIT.Outcome again = sketch(csv.toString());
    assertThat(again.status()).isEqualTo(3);
    assertThat(again.err()).contains("GZ-RELEASED: ", "It is " + moments + ".");
    assertThat(Files.readAllBytes(moments)).isEqualTo(first);
  }

  @Test
  void badRowsAreCountedAndTheirValuesNotShown() throws IOException {
    writeBadRows(57);
    DemoIT.Outcome outcome = sketch(csv.toString());
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.err())
        .contains("57 rows sketched", "warning: GZ-LEFTOUT: Rows left out: 3 of 60 (5.0 %).")
        .containsPattern(
            "\\]   2, the first in line 2: column kind: unknown text; .*\\R.*\\]   1, the first in"
                + " line 4: column x1: ")
        .doesNotContain("secret")
        .doesNotContain("hidden");

    Files.delete(moments);
    Files.write(csv, List.of("x1,x2,kind,y", "0.5,0.5,a,0.5", "secret,0.5,a,0.5"));
    assertThat(sketch(csv.toString()).err())
        .contains("1 row sketched", "Rows left out: 1 of 2 (50 %).");

    Files.delete(moments);
    Files.write(csv, List.of("x1,x2,kind,y", "0.5,0.5,secret,0.5", "0.5,0.5,hidden,0.5"));
    DemoIT.Outcome none = sketch(csv.toString());
    assertThat(none.status()).as("whether there is a release depends on no row").isZero();
    assertThat(none.err())
        .contains(
            "Rows left out: 2 of 2 (100 %).",
            "warning: GZ-NOROWS: There was no row to sketch: the releases hold noise alone.")
        .doesNotContain("secret")
        .doesNotContain("hidden");
    assertThat(moments).exists();
  }

  /** Writes good rows, and three that are left out. */
  private void writeBadRows(int good) throws IOException {
    List<String> lines = new ArrayList<>(RowsFile.csv(good, 7));
    lines.add(1, "0.5,0.5,hidden,0.5");
    lines.add(3, "secret,0.5,a,0.5");
    lines.add("0.5,0.5,hidden too,0.5");
    Files.write(csv, lines);
  }

  /**
   * An upper limit of 0.7 for what is spread evenly over [0, 1], and a bound that most rows exceed.
   */
  @Test
  void tellsWhatIsClampedAndFitsSayIt() throws IOException {
    String narrow =
        RowsFile.config("rows", MOMENTS, "")
            .replace("{name: x1, lower: 0, upper: 1}", "{name: x1, lower: 0, upper: 0.7}")
            .replace("intercept: 0.5", "intercept: 0.5\nrowBound: 1.0");
    Files.writeString(config, narrow);
    long above =
        Files.readAllLines(csv).stream()
            .skip(1)
            .filter(line -> Double.parseDouble(line.split(",", 2)[0]) > 0.7)
            .count();
    long percent = Math.round(above / 20.0); // of 2,000 rows

    DemoIT.Outcome sketched = sketch(csv.toString());

    assertThat(sketched.status()).as(sketched.err()).isZero();
    assertThat(sketched.err())
        .contains("column x1: " + percent + " % of the values are outside of its range")
        .containsPattern("[0-9]+ % of the rows are longer than rowBound")
        .doesNotContain("column x2");
    assertThat(sketched.out()).doesNotContain("range").doesNotContain("clamped");
    String warning = "GZ-CLAMPED: Many values of x1 lie near the upper end of its range, 0.7, or";
    JsonNode messages = fit("--response", "y").at("/messages");
    assertThat(messages.findValuesAsText("code")).contains("GZ-CLAMPED");
    assertThat(messages.findValuesAsText("message"))
        .anyMatch(text -> warning.endsWith(text.substring(0, 62)));
    assertThat(solve("--response", "y").out()).contains(warning);
    JsonNode others = fit("--response", "y", "--features", "x2").at("/messages");
    assertThat(others.findValuesAsText("code")).doesNotContain("GZ-CLAMPED");
  }

  /** The intercept alone is the mean of the response, and not useless for being a constant. */
  @Test
  void theInterceptAloneAsksForTheBestConstant() throws IOException {
    double mean =
        Files.readAllLines(csv).stream()
            .skip(1)
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(',') + 1)))
            .average()
            .orElseThrow();
    assertThat(sketch(csv.toString()).status()).isZero();
    JsonNode fit = fit("--response", "y", "--features", "(intercept)");
    assertThat(fit.path("coefficients")).hasSize(1);
    assertThat(fit.at("/coefficients/(intercept)").asDouble()).isCloseTo(mean, within(0.01));
    assertThat(fit.path("verdict").asText()).isEqualTo("good");
    assertThat(solve("--response", "y", "--features", "(intercept),x1").err())
        .contains("the intercept is one anyway");
  }

  /** Their releases shorten rows to a bound that they choose. */
  @Test
  void ofMomentsOfTwoStagesNobodyIsToldToRaiseTheRowBound() throws IOException {
    for (String sketches : List.of("two-stage-moments", "noisy-moments")) {
      boolean chosen = sketches.equals("two-stage-moments");
      String moment = "- {name: moments, mechanism: " + sketches + "}";
      Files.writeString(
          config,
          RowsFile.config("rows", moment, "")
              .replace("intercept: 0.5", "intercept: 0.5\nrowBound: 1.0"));

      DemoIT.Outcome checked =
          DemoIT.run("check", "--config", config.toString(), "--csv", csv.toString());
      DemoIT.Outcome sketched = sketch(csv.toString());

      assertThat(checked.status()).as(checked.err()).isZero();
      assertThat(sketched.status()).as(sketched.err()).isZero();
      assertThat(checked.out().contains("and is shortened")).as(sketches).isEqualTo(!chosen);
      assertThat(checked.out().contains("each release chooses a bound")).isEqualTo(chosen);
      assertThat(sketched.err().contains("rowBound")).as(sketches).isEqualTo(!chosen);
      Files.delete(moments);
    }
  }

  @Test
  void readsGzipStandardInputAndUnnamedColumns() throws IOException {
    Path gz = folder.resolve("rows.csv.gz");
    List<String> indexed =
        RowsFile.csv(50, 7).stream()
            .map(line -> (line.startsWith("x") ? "" : "1") + "," + line)
            .toList();
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gz))) {
      out.write(String.join("\n", indexed).getBytes(UTF_8));
    }
    DemoIT.Outcome zipped = sketch(gz.toString());
    assertThat(zipped.err()).contains("50 rows sketched");
    Files.delete(moments);
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(Files.readAllBytes(csv)));
    try {
      assertThat(sketch("-").err()).contains("2,000 rows sketched");
    } finally {
      System.setIn(before);
    }
  }

  /** As above, by least absolute deviations too; values outside of a range are told once. */
  @Test
  void aFileIsReadTwiceForStrataOfResiduals() throws IOException {
    writeResidualStrata();
    DemoIT.Outcome sketched = sketch(csv.toString());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    assertThat(sketched.err())
        .containsOnlyOnce("2,000 rows sketched")
        .containsOnlyOnce("reading the rows again, for residual-strata");
    assertThat(sketched.out()).contains("residual-strata", "strata of transformed rows");
    double[] truth = {0.2, 0.5, -0.3, 0.1};
    List<String> names = List.of("(intercept)", "x1", "x2", "kind=b");
    for (String loss : List.of("ridge", "lad")) {
      JsonNode fit = fit("--response", "y", "--loss", loss);
      for (int k = 0; k < truth.length; k++) {
        double error = fit.at("/standardErrors").get(names.get(k)).asDouble();
        assertThat(error).isBetween(1e-5, 0.03);
        assertThat(fit.at("/coefficients").get(names.get(k)).asDouble())
            .isCloseTo(truth[k], within(10 * error));
      }
    }
  }

  /** As above, from moments of rows that are shortened again. */
  @Test
  void aFileIsReadTwiceForSelectedColumns() throws IOException {
    writeSelection("");
    DemoIT.Outcome sketched = sketch(csv.toString());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    assertThat(sketched.err())
        .containsOnlyOnce("2,000 rows sketched")
        .containsOnlyOnce("reading the rows again, for select-fit");
    assertThat(sketched.out()).contains("select-fit", "selected moments");
    JsonNode fit = fit("--response", "y");
    double[] truth = {0.2, 0.5, -0.3, 0.1};
    List<String> names = List.of("(intercept)", "x1", "x2", "kind=b");
    for (int k = 0; k < truth.length; k++) {
      double error = fit.at("/standardErrors").get(names.get(k)).asDouble();
      assertThat(error).isBetween(1e-5, 0.03);
      assertThat(fit.at("/coefficients").get(names.get(k)).asDouble())
          .isCloseTo(truth[k], within(10 * error));
    }
  }

  /**
   * Without noise 0.4102, 2.5888 and 0.0386 (rows that are not clipped have 0.381, 2.49 and 0.031).
   * The noise is real; the tolerances are 15 of its deviations and more.
   */
  @Test
  void aLogisticModelOfAFileIsTheLogOddsOfALabel() throws IOException {
    Path data = Path.of(System.getProperty("gauze.data", "missing")).resolve("adult.data.gz");
    assumeTrue(
        Files.isReadable(data), "no reference data: GAUZE_DATA names no folder that has them");
    Files.writeString(
        csv,
        "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,"
            + "sex,capital-gain,capital-loss,hours-per-week,native-country,income\n");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(data));
        OutputStream out = Files.newOutputStream(csv, StandardOpenOption.APPEND)) {
      in.transferTo(out);
    }
    Files.writeString(
        config,
        """
        stream: adult
        columns:
          - {name: education-num, lower: 1, upper: 16, typical: 10, spread: 2.5}
          - {name: married, source: marital-status, equals: Married-civ-spouse}
          - {name: hours-per-week, lower: 0, upper: 99, typical: 40, spread: 12}
          - {name: rich, source: income, equals: ">50K"}
        privacy: {epsilon: 5, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: all}
        expectedRows: 30_000
        models:
          - {name: income, mechanism: logistic}
        """);
    DemoIT.Outcome sketched = sketch(csv.toString());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    moments = folder.resolve("out").resolve("adult-all-all-income.avro");
    JsonNode fit = fit("--response", "rich");
    assertThat(fit.at("/loss").asText()).isEqualTo("logistic");
    assertThat(fit.at("/coefficients/education-num").asDouble()).isCloseTo(0.4102, within(0.01));
    assertThat(fit.at("/coefficients/married").asDouble()).isCloseTo(2.5888, within(0.06));
    assertThat(fit.at("/coefficients/hours-per-week").asDouble()).isCloseTo(0.0386, within(0.003));
    assertThat(fit.at("/standardErrors/married").isNull()).isTrue();
    assertThat(fit.at("/verdict").asText()).isEqualTo("good");
    assertThat(fit("--response", "rich", "--loss", "logistic").at("/coefficients"))
        .isEqualTo(fit.at("/coefficients"));
    assertThat(solve("--response", "rich", "--loss", "lad").err())
        .contains("of the log odds of rich above 0.5; ask for the loss logistic");
  }

  @Test
  void aModelOfAFileAnswersItsQuestion() throws IOException {
    String text = RowsFile.config("rows", "- {name: moments, mechanism: noisy-moments}", "");
    Files.writeString(config, text + "\nmodels: [{name: y, mechanism: huber, response: y}]\n");
    DemoIT.Outcome sketched = sketch(csv.toString());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    assertThat(sketched.err()).containsOnlyOnce("reading the rows again, for huber");
    moments = folder.resolve("out").resolve("rows-all-all-y.avro");
    double[] truth = {0.2, 0.5, -0.3, 0.1};
    List<String> names = List.of("(intercept)", "x1", "x2", "kind=b");
    JsonNode fit = fit("--response", "y");
    assertThat(fit.at("/loss").asText()).isEqualTo("lad");
    for (int k = 0; k < truth.length; k++) {
      assertThat(fit.at("/coefficients").get(names.get(k)).asDouble())
          .isCloseTo(truth[k], within(0.05));
      assertThat(fit.at("/standardErrors").get(names.get(k)).isNull()).isTrue();
    }
    assertThat(fit.at("/rowsEstimate").isNull()).isTrue();
  }

  /**
   * Of 5 columns: the number of rounds, a bound, 30 counts, a transform and moments of 15 numbers,
   * 5 weights, and 15 sums of each of 2 strata.
   */
  @Test
  void theSizeOfASketchIsThatOfItsRelease() throws IOException {
    writeResidualStrata();
    String file = config.toString();
    DemoIT.Outcome check = DemoIT.run("check", "--config", file, "--format", "json");
    JsonNode sketch = JsonMapper.builder().build().readTree(check.out()).at("/sketches/0");
    assertThat(sketch.path("entries").asInt()).as(check.out()).isEqualTo(97);
    assertThat(sketch.path("bytes").asInt()).isEqualTo(776);
  }

  @Test
  void aStreamOfEpochsIsOneEpochInAFile() throws IOException {
    Files.writeString(config, Files.readString(config).replace("length: all", "length: PT1H"));
    DemoIT.Outcome outcome = sketch(csv.toString());
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.err()).contains("all of its rows are in one epoch");
    assertThat(moments).exists();
  }

  /** Other forms of the same release; one form rules out the others. */
  @Test
  void writesTheFormThatIsAskedFor() {
    List<String> words =
        List.of(
            "sketch",
            "--config",
            config.toString(),
            "--csv",
            csv.toString(),
            "--out",
            folder.resolve("out").toString(),
            "--as");
    List<String> odd = new ArrayList<>(words);
    odd.add("csv");
    DemoIT.Outcome wrong = DemoIT.run(odd.toArray(new String[0]));
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("--as must be avro, json or npz. Provided value: csv");
    List<String> npz = new ArrayList<>(words);
    npz.add("npz");
    assertThat(DemoIT.run(npz.toArray(new String[0])).status()).isZero();
    assertThat(sketch(csv.toString()).status()).isEqualTo(3);
    moments = folder.resolve("out").resolve("rows-all-all-moments.npz");
    assertThat(solve("--response", "y").status()).isZero();
  }

  /** Advice and fits call the same number by the same name. */
  @Test
  void theExcessHasOneName() throws IOException {
    DemoIT.Outcome advice =
        DemoIT.run("advise", "--config", config.toString(), "--rows", "2000", "--format", "json");
    JsonNode mechanism = JsonMapper.builder().build().readTree(advice.out()).at("/mechanisms/0");
    sketch(csv.toString());
    String name = "predictedExcess";
    assertThat(mechanism.path(name).isNumber()).as(advice.out()).isTrue();
    JsonNode fit = fit("--response", "y");
    assertThat(fit.path(name).isNumber()).isTrue();
    assertThat(List.of("good", "doubtful", "useless"))
        .contains(fit.path("verdict").asText(), mechanism.path("verdict").asText());
    assertThat(solve("--response", "y").out())
        .containsPattern("predicted excess .* % above .* fit: (good|doubtful|useless)");
  }

  /**
   * What docs/reference/release-format.md says of slopes and intercept; all but the category have a
   * middle.
   */
  @Test
  void readersCanCarryCoefficientsToTheUsersUnits() throws IOException {
    assertThat(Files.readString(Path.of("..", "docs", "reference", "release-format.md")))
        .contains("slope of k  =  h_y / h_k * b_k")
        .contains("intercept   =  m_y + h_y * (c * b_0 - sum over k of b_k * m_k / h_k)");
    sketch(csv.toString());
    JsonNode b = fit("--response", "y", "--scale", "encoded").get("coefficients");
    JsonNode user = fit("--response", "y").get("coefficients");
    double sum = 0.0;
    for (String name : List.of("x1", "x2", "kind=b")) {
      double half = name.equals("kind=b") ? 1.0 : 0.5;
      double slope = b.get(name).asDouble();
      assertThat(user.get(name).asDouble()).isCloseTo(0.5 / half * slope, within(1e-12));
      sum += slope * (name.equals("kind=b") ? 0.0 : 0.5) / half;
    }
    double constant = b.get("(intercept)").asDouble(); // times c, as it is shown
    assertThat(user.get("(intercept)").asDouble())
        .isCloseTo(0.5 + 0.5 * (constant - sum), within(1e-12));
  }

  /** Ridge with lambda 0, on a release too. */
  @Test
  void leastSquaresOfARelease() throws IOException {
    sketch(csv.toString());
    assertThat(fit("--response", "y", "--loss", "ols"))
        .isEqualTo(fit("--response", "y", "--loss", "ridge", "--lambda", "0"));
  }
}
