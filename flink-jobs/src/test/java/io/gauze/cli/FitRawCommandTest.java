package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.Main;
import io.gauze.testing.Effort;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The verb fit: against solutions that other software found, and its messages. */
final class FitRawCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String CONFIG =
      """
      stream: small
      columns:
        - {name: x, lower: 0, upper: 10}
        - {name: y, lower: -20, upper: 20}
      intercept: 0.5
      rowBound: 1.0
      privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
      epochs: {length: all}
      expectedRows: 1000
      sketches:
        - {name: moments, mechanism: noisy-moments}
      """;

  private record Result(int status, String out, String err) {
    JsonNode json() throws IOException {
      return JSON.readTree(out);
    }
  }

  @TempDir private Path folder;

  /** Every solution of the task, through file, config, options and JSON. */
  @ParameterizedTest
  @CsvSource({
    "wine_white, winequality-white.csv, 0.125, 26",
    "wine_red, winequality-red.csv, 1, 26",
    "diamonds, diamonds.csv.gz, 0.5, 2"
  })
  void equalsTheReference(String task, String file, double intercept, int solutions)
      throws IOException {
    Effort.skipIfLong(!task.equals("wine_red"));
    Path data = Path.of(System.getProperty("gauze.data", "missing"));
    Assumptions.assumeTrue(
        Files.isDirectory(data.resolve("oracles")),
        "no reference data: GAUZE_DATA names no folder that has them");
    JsonNode answers = JSON.readTree(data.resolve("oracles/" + task + ".json").toFile());
    Path config = config(answers, intercept);
    int done = 0;
    for (Map.Entry<String, JsonNode> solution : answers.get("solutions").properties()) {
      boolean wanted = solutions > 2 || !solution.getKey().contains("lambda");
      if (wanted) {
        String[] options = options(solution.getKey(), solution.getValue());
        Result result = fit(config, data.resolve(file).toString(), answers, options);
        assertThat(result.err())
            .startsWith("NOT PRIVATE: ")
            .hasLineCount(2 + columnsWithClampedValues(answers))
            .contains("100 % of the rows are longer than rowBound");
        check(answers, solution.getValue(), result.json());
        done++;
      }
    }
    assertThat(done).isEqualTo(solutions);
  }

  private static int columnsWithClampedValues(JsonNode answers) {
    int columns = 0;
    for (JsonNode meta : answers.findParents("clamped_low")) {
      columns +=
          meta.get("clamped_low").intValue() + meta.get("clamped_high").intValue() > 0 ? 1 : 0;
    }
    return columns;
  }

  private static Result fit(Path config, String csv, JsonNode answers, String... options) {
    List<String> words = new ArrayList<>(List.of("--scale", "encoded", "--format", "json"));
    words.addAll(List.of("--csv", csv, "--response"));
    words.add(answers.at("/response_meta/name").textValue());
    Collections.addAll(words, options);
    return run(config, words.toArray(String[]::new));
  }

  private static String[] options(String name, JsonNode solution) {
    List<String> words = new ArrayList<>();
    String loss = name.replaceAll("_.*", "");
    if (!loss.equals("ols")) { // the default
      words.addAll(List.of("--loss", loss.equals("enet") ? "elastic-net" : loss));
    }
    if (solution.has("lam")) {
      words.addAll(List.of("--lambda", solution.get("lam").asText()));
    }
    if (name.endsWith("_free_intercept")) {
      words.add("--free-intercept");
    }
    return words.toArray(String[]::new);
  }

  private static void check(JsonNode answers, JsonNode expected, JsonNode got) {
    int k = 0;
    assertThat(got.get("coefficients").size()).isEqualTo(expected.get("coef").size());
    for (JsonNode coefficient : got.get("coefficients")) {
      double value = expected.get("coef").get(k++).doubleValue();
      if (expected.path("unique").asBoolean(true)) {
        assertThat(coefficient.doubleValue()).isCloseTo(value, within(1e-8 * Math.abs(value)));
      }
    }
    assertThat(got.get("n").intValue()).isEqualTo(answers.get("n").intValue());
    for (String name : List.of("objective", "rmse", "mae")) {
      double value = expected.get(name).doubleValue();
      assertThat(got.get(name).doubleValue()).as(name).isCloseTo(value, within(1e-9 * value));
    }
    assertThat(got.at("/guarantee/private").booleanValue()).isFalse();
  }

  private Path config(JsonNode answers, double intercept) throws IOException {
    StringBuilder columns = new StringBuilder();
    List<JsonNode> all = new ArrayList<>();
    answers.get("predictor_meta").forEach(all::add);
    all.add(answers.get("response_meta"));
    for (JsonNode meta : all) {
      String ranks = meta.path("map").isObject() ? ", map: " + meta.get("map").toString() : "";
      columns.append(
          String.format(
              Locale.ROOT,
              "  - {name: \"%s\", source: \"%s\"%s, lower: %s, upper: %s}%n",
              meta.get("name").textValue(),
              meta.get("source").textValue(),
              ranks.replace(":", ": "),
              meta.get("lo"),
              meta.get("hi")));
    }
    String text =
        CONFIG
            .replaceAll("(?m)^  - \\{name: [xy],.*\\R", "")
            .replace("columns:\n", "columns:\n" + columns)
            .replace("intercept: 0.5", "intercept: " + intercept)
            // far shorter than rows are: none of this is clipped
            .replace("rowBound: 1.0", "rowBound: " + intercept);
    return Files.writeString(folder.resolve("config.yaml"), text);
  }

  @Test
  void userUnitsByHand() throws IOException {
    Result result = small("x,y\n0,1\n2,5\n4,9\n6,13\n8,19\n", "--format", "json", "--loss", "lad");
    assertThat(result.status()).isZero();
    JsonNode json = result.json();
    assertThat(json.properties().stream().map(Map.Entry::getKey))
        .contains(
            "response",
            "loss",
            "lambda",
            "alpha",
            "scale",
            "n",
            "coefficients",
            "standardErrors",
            "objective",
            "rmse",
            "mae",
            "guarantee",
            "warnings");
    assertThat(json.at("/coefficients/(intercept)").doubleValue()).isCloseTo(1, within(1e-12));
    assertThat(json.at("/coefficients/x").doubleValue()).isCloseTo(2, within(1e-12));
    assertThat(json.get("objective").doubleValue()).isCloseTo(2, within(1e-12));
    assertThat(json.get("mae").doubleValue()).isCloseTo(0.4, within(1e-12));
    assertThat(json.get("rmse").doubleValue()).isCloseTo(Math.sqrt(0.8), within(1e-12));
  }

  @Test
  void squaresInUserUnits() throws IOException {
    JsonNode json = small("x,y\n0,1\n2,5\n4,9\n6,13\n8,19\n", "--format", "json").json();
    double rmse = json.get("rmse").doubleValue();
    assertThat(json.get("objective").doubleValue()).isCloseTo(5 * rmse * rmse, within(1e-12));
    assertThat(json.at("/coefficients/x").doubleValue()).isCloseTo(2.2, within(1e-12));
  }

  @Test
  void tablesAndStandardInput() {
    InputStream before = System.in;
    try {
      String rows = "x,y\n0,1\n2,5\n4,9\n6,13\n8,19\n";
      System.setIn(new ByteArrayInputStream(rows.getBytes(StandardCharsets.UTF_8)));
      Result result = run(write("config.yaml", CONFIG), "--csv", "-", "--response", "y");
      assertThat(result.status()).isZero();
      assertThat(result.out())
          .startsWith("What explains y, by least squares, in the user's units")
          .containsPattern("x +2.2")
          .contains("RMSE", "MAE", "NOT private");
    } finally {
      System.setIn(before);
    }
  }

  /** Of y one value in five, of x none; the bound of 1 is that of one column alone at its end. */
  @Test
  void saysWhatDoesNotFitIntoTheRanges() throws IOException {
    Result result = small("x,y\n0,1\n2,5\n4,9\n6,-13\n8,190\n");
    assertThat(result.status()).isZero();
    assertThat(result.err())
        .contains("column y: 20 % of the values are outside of its range and were clamped to it")
        .contains("40 % of the rows are longer than rowBound, and a stream would shorten them")
        .doesNotContain("column x:")
        .doesNotContain("190");
    assertThat(small("x,y\n4,1\n5,5\n6,9\n").err()).doesNotContain("range", "rowBound");
  }

  /** They are counted, and the fit goes on; no value of theirs is shown. */
  @Test
  void rowsThatCannotBeUsed() throws IOException {
    Result result =
        small("x,y\n0,1\n2,5\nsecret,3\n4,9\nNA,1\n6,13\n,\n", "--format", "json", "--loss", "lad");
    assertThat(result.status()).isZero();
    assertThat(result.json().get("n").intValue()).isEqualTo(4);
    assertThat(result.err())
        .contains("Rows left out: 3 of 7 (43 %).", "  1, the first in line 4: column x: ")
        .doesNotContain("secret");
  }

  @Test
  void everyLossHasItsOptions() throws IOException {
    String rows = "x,y\n0,1\n2,5\n4,9\n6,13\n8,19\n10,20\n";
    for (String words :
        List.of(
            "--loss lasso --lambda 0.1",
            "--loss elastic-net --alpha 0.2 --lambda 0.1 --free-intercept",
            "--loss quantile --quantile 0.25 --lambda 0.1",
            "--loss huber --huber-threshold 0.05 --lambda 0.1 --alpha 0.5")) {
      Result result = small(rows, ("--format json " + words).split(" "));
      assertThat(result.status()).as(words).isZero();
      assertThat(words).contains("--loss " + result.json().get("loss").asText());
    }
  }

  /** Least squares are ridge without a penalty: programs see that, and people their own name. */
  @Test
  void leastSquaresByTheirOtherName() throws IOException {
    String rows = "x,y\n0,1\n2,5\n4,9\n6,13\n8,19\n10,20\n";
    Result ols = small(rows, "--format", "json", "--loss", "ols");
    assertThat(ols.status()).as(ols.err()).isZero();
    assertThat(ols.json().get("loss").textValue()).isEqualTo("ridge");
    assertThat(ols.json()).isEqualTo(small(rows, "--format", "json", "--lambda", "0").json());
    assertThat(small(rows, "--loss", "ols").out()).startsWith("What explains y, by least squares,");
    assertThat(small(rows, "--lambda", "1").out()).startsWith("What explains y, by ridge,");
  }

  @Test
  void namesOfColumnsMayHaveBlanksAroundThem() throws IOException {
    String rows = "x,y,z\n0,1,1\n2,5,0\n4,9,1\n6,13,0\n8,19,1\n10,20,1\n";
    String three =
        CONFIG.replaceFirst("(?m)^  - \\{name: x,", "  - {name: z, lower: 0, upper: 1}\n$0");
    List<String> words = List.of("--csv", write("rows.csv", rows).toString(), "--format", "json");
    List<JsonNode> fits = new ArrayList<>();
    for (String features : List.of("x,z", " x , z ", "\"x\", z")) {
      List<String> all = new ArrayList<>(words);
      all.addAll(List.of("--response", "y", "--features", features));
      Result fit = run(write("config.yaml", three), all.toArray(String[]::new));
      assertThat(fit.status()).as(fit.err()).isZero();
      fits.add(fit.json());
    }
    assertThat(fits.get(1)).isEqualTo(fits.get(0));
    assertThat(fits.get(2)).isEqualTo(fits.get(0));
  }

  /** A name with a comma is in double quotes, as in CSV. */
  @Test
  void namesOfColumnsMayHaveCommas() throws IOException {
    String rows = "\"x, cm\",y\n0,1\n2,5\n4,9\n6,13\n8,19\n10,20\n";
    String config = CONFIG.replaceFirst("\\{name: x,", "{name: \"x, cm\",");
    Result fit =
        run(
            write("config.yaml", config),
            "--csv",
            write("rows.csv", rows).toString(),
            "--response",
            "y",
            "--features",
            "\"x, cm\"",
            "--format",
            "json");
    assertThat(fit.status()).as(fit.err()).isZero();
    assertThat(fit.json().path("coefficients").has("x, cm")).isTrue();
  }

  /** The intercept, which nobody asked to choose, is not counted. */
  @Test
  void saysHowManyOfTheUsersColumnsLassoKept() throws IOException {
    String rows = "x,y\n0,1\n2,5\n4,9\n6,13\n8,19\n10,20\n";
    for (String loss : List.of("lasso", "lad", "huber --huber-threshold 0.05 --alpha 0")) {
      Result kept = small(rows, ("--format json --lambda 0.01 --loss " + loss).split(" "));
      assertThat(kept.json().get("messages").toString())
          .as(loss)
          .contains("GZ-KEPT", "The l1 penalty kept 1 of 1 coefficients beside the intercept");
      Result none = small(rows, ("--format json --lambda 1e6 --loss " + loss).split(" "));
      assertThat(none.json().get("warnings").toString()).as(loss).contains("kept 0 of 1");
    }
  }

  @Test
  void warningsOfACsvAreOnStandardError() {
    String rows = "x,y\n0,1\n2,5\n4,9\n6,13\n8,19\n10,20\n";
    Result csv = small(rows, "--format", "csv", "--loss", "lasso", "--lambda", "0.01");
    assertThat(csv.out()).startsWith("term,estimate,").hasLineCount(3).doesNotContain("penalty");
    assertThat(csv.err()).containsPattern("(?m)^warning: GZ-KEPT: The l1 penalty kept 1 of 1");
  }

  /** What stands there in place of names may be a row, which no message shows. */
  @Test
  void aFileWithoutAHeaderIsRefused() {
    Result result = small("3.25,7.5\n4,9\n");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains("rows.csv needs a header", "the names of the columns before it: x,y")
        .doesNotContain("3.25", "7.5");
    Result empty = small("");
    assertThat(empty.status()).isEqualTo(2);
    assertThat(empty.err()).contains("rows.csv is empty: its first line must be a header");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--response z | --response must be one of x, y. Provided value: z",
        "--response y --features xx | --features must be one of x; the nearest is x. Provided"
            + " value: xx",
        "--response y --features x, | --features must hold no empty name",
        "--response y --features= | --features must hold no empty name; leave it out to take all"
            + " columns. Provided value: nothing",
        "--response y --features ,x | --features must hold no empty name",
        "--response y --features y | features must be distinct",
        "--response (intercept) | response must be a column, not the intercept",
        "--response y --loss laso | the nearest is lasso",
        "--response y --loss ols --lambda 1 | --lambda must be 0 for --loss ols, which has no"
            + " penalty",
        "--response y --loss ols --alpha 0 | --alpha must be 1.0 for --loss ols",
        "--response y --loss quantile | --loss quantile needs --quantile",
        "--response y --loss quantile --quantile 1 | --quantile: tau must be in (0, 1)",
        "--response y --loss lad --quantile 0.5 | --quantile is for --loss quantile",
        "--response y --loss huber | --loss huber needs --huber-threshold",
        "--response y --loss lad --alpha 1 | --alpha is not for --loss lad, whose penalty is l1 on"
            + " rows",
        "--response y --lambda -1 | lambda must be >= 0",
        "--response y --scale inches | must be user or encoded. Provided value: inches",
      })
  void wrongOptionsAreStatus2(String words, String message) {
    Result result = small("x,y\n1,2\n", words.split(" "));
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(message);
  }

  @Test
  void wrongFilesHaveTheirStatuses() {
    Result missing = run(write("config.yaml", CONFIG), "--csv", "none.csv", "--response", "y");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("--csv must be a file that can be read", "none.csv");
    assertThat(small("x,z\n1,2\n").status()).isEqualTo(2);
    Result twice = small("x,y,x\n1,2,3\n");
    assertThat(twice.status()).isEqualTo(2);
    assertThat(twice.err()).contains("has the column \"x\" more than once");
    Result open = small("x,y\n1,\"2\n");
    assertThat(open.status()).isEqualTo(1);
    assertThat(open.err()).contains("a quote is not closed in its line", "no row that can be used");
    Result empty = small("x,y\n");
    assertThat(empty.status()).isEqualTo(1);
    assertThat(empty.err()).contains("has no row that can be used");
    assertThat(small("x,y\n1,2\n2,4\n3,5\nZ,1\n").err()).contains("Rows left out: 1 of 4 (25 %).");
    Result one = small("x,y\n1,2\n", "--loss", "lad");
    assertThat(one.status()).isEqualTo(1);
    assertThat(one.err()).contains("gauze: there is 1 row of positive weight for 2 coefficients");
  }

  /** Spreadsheets write a byte order mark in front of UTF-8. */
  @Test
  void aByteOrderMarkIsNoPartOfAName() {
    Result result = small("\ufeffx,y\n1,2\n2,4\n3,5\n");
    assertThat(result.status()).as(result.err()).isZero();
  }

  private Result small(String rows, String... options) {
    List<String> words = new ArrayList<>(List.of("--csv", write("rows.csv", rows).toString()));
    if (!List.of(options).contains("--response")) {
      words.addAll(List.of("--response", "y"));
    }
    Collections.addAll(words, options);
    return run(write("config.yaml", CONFIG), words.toArray(String[]::new));
  }

  private Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Result run(Path config, String... options) {
    List<String> words = new ArrayList<>(List.of("fit-raw", "--config", config.toString()));
    Collections.addAll(words, options);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = Main.withHandlers(command).execute(words.toArray(String[]::new));
    return new Result(status, out.toString(), err.toString());
  }
}
