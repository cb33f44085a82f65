package io.gauze.regression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.ReferenceData;
import io.gauze.regression.quantile.WeightedRows;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.regression.rows.ExactRows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/** A design matrix as its README describes it, and what other software made of it. */
public final class ReferenceDesign {
  private static final String ADULT =
      "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,"
          + "sex,capital-gain,capital-loss,hours-per-week,native-country,income";

  public final JsonNode answers;

  /** Rows of 1, the scaled features, the scaled response. */
  public final List<double[]> rows = new ArrayList<>();

  public final List<String> names = new ArrayList<>(List.of("(intercept)"));

  /** Skips the test if the data are not there. */
  public ReferenceDesign(String task) throws IOException {
    Path data = ReferenceData.folder();
    answers = new ObjectMapper().readTree(data.resolve("oracles/" + task + ".json").toFile());
    String file = answers.get("file").textValue().replace("housing.csv", "housing.csv.gz");
    List<JsonNode> meta = new ArrayList<>();
    answers.get("predictor_meta").forEach(meta::add);
    meta.add(answers.get("response_meta"));
    meta.forEach(column -> names.add(column.get("name").textValue()));
    try (BufferedReader reader = open(data.resolve(file))) {
      List<String> header = split(file.startsWith("adult") ? ADULT : reader.readLine());
      boolean scaled = answers.get("scaled").booleanValue();
      List<ToDoubleFunction<List<String>>> columns =
          meta.stream()
              .map(column -> scaled ? scaled(column, header) : plain(column, header))
              .toList();
      int[] fields =
          meta.stream().mapToInt(m -> header.indexOf(m.get("source").textValue())).toArray();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        List<String> cells = split(line);
        if (!line.isBlank() && IntStream.of(fields).noneMatch(f -> cells.get(f).equals("NA"))) {
          rows.add(row(columns, cells));
        }
      }
    }
  }

  private static double[] row(List<ToDoubleFunction<List<String>>> columns, List<String> cells) {
    double[] row = new double[columns.size() + 1];
    row[0] = 1.0;
    for (int c = 0; c < columns.size(); c++) {
      row[c + 1] = columns.get(c).applyAsDouble(cells);
    }
    return row;
  }

  private static ToDoubleFunction<List<String>> scaled(JsonNode meta, List<String> header) {
    double lower = meta.get("lo").doubleValue();
    double upper = meta.get("hi").doubleValue();
    ToDoubleFunction<List<String>> plain = plain(meta, header);
    return cells -> {
      double clamped = Math.min(Math.max(plain.applyAsDouble(cells), lower), upper);
      return (2.0 * (clamped - lower)) / (upper - lower) - 1.0;
    };
  }

  private static ToDoubleFunction<List<String>> plain(JsonNode meta, List<String> header) {
    int field = header.indexOf(meta.get("source").textValue());
    JsonNode ranks = meta.path("map");
    if (ranks.isObject()) {
      return cells -> ranks.get(cells.get(field)).doubleValue();
    }
    if (meta.path("kind").asText().equals("indicator")) {
      String value = meta.get("value").textValue();
      return cells -> cells.get(field).equals(value) ? 1.0 : 0.0;
    }
    return cells -> Double.parseDouble(cells.get(field));
  }

  private static List<String> split(String line) {
    List<String> cells = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= line.length(); i++) {
      if (i == line.length() || line.charAt(i) == ',' || line.charAt(i) == ';') {
        cells.add(line.substring(start, i).replace("\"", "").strip());
        start = i + 1;
      }
    }
    return cells;
  }

  private static BufferedReader open(Path path) throws IOException {
    InputStream in = Files.newInputStream(path);
    InputStream plain = path.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
    return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
  }

  /** Rows of weight 1; the last column is the response. */
  public WeightedRows weightedRows() {
    int columns = names.size() - 1;
    double[] x = new double[rows.size() * columns];
    double[] y = new double[rows.size()];
    for (int i = 0; i < y.length; i++) {
      System.arraycopy(rows.get(i), 0, x, i * columns, columns);
      y[i] = rows.get(i)[columns];
    }
    return WeightedRows.unweighted(columns, x, y);
  }

  public ExactMoments moments() {
    ExactMoments moments = ExactMoments.create(names.size(), 1.0);
    rows.forEach(moments::add);
    return moments;
  }

  /** With {@code intercept} in place of the 1 of the intercept's column. */
  ExactRows exactRows(double intercept) {
    ExactRows exact = ExactRows.create(names.size(), intercept);
    for (double[] row : rows) {
      double[] scaled = row.clone();
      scaled[0] = intercept;
      exact.add(scaled);
    }
    return exact;
  }

  /** A row's features and response in their own units, if nothing was clamped. */
  double[] inUnits(double... row) {
    double[] values = new double[row.length - 1];
    for (int c = 0; c < values.length; c++) {
      boolean last = c == values.length - 1;
      JsonNode meta = last ? answers.get("response_meta") : answers.get("predictor_meta").get(c);
      double lower = meta.get("lo").doubleValue();
      double upper = meta.get("hi").doubleValue();
      values[c] = lower + 0.5 * (row[c + 1] + 1.0) * (upper - lower);
    }
    return values;
  }

  /** The last column on all others. */
  public RegressionProblem problem() {
    int response = names.size() - 1;
    return new RegressionProblem(
        names, response, IntStream.range(0, response).boxed().toList(), Loss.SQUARED, Penalty.AUTO);
  }

  /** The problem that a solution of that name solves. */
  public RegressionProblem problem(String solution) {
    if (solution.equals("lad")) {
      return problem().withLoss(Loss.ABSOLUTE);
    }
    JsonNode made = answers.get("solutions").get(solution);
    double lambda = made.path("lam").asDouble(0.0);
    boolean free = solution.endsWith("_free_intercept");
    return problem()
        .withPenalty(
            new Penalty(OptionalDouble.of(lambda), made.path("alpha").asDouble(1.0), free));
  }

  /** Names of the smooth solutions: least squares and ridges. */
  public List<String> leastSquares() {
    return answers.get("solutions").properties().stream()
        .map(Map.Entry::getKey)
        .filter(name -> name.equals("ols") || name.startsWith("ridge_"))
        .toList();
  }
}
