package io.gauze.solve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import org.junit.jupiter.api.Assumptions;

/** A design matrix as its README describes it, and what other software made of it. */
final class ReferenceDesign {
  final JsonNode answers;

  /** Rows of 1, the scaled features, the scaled response. */
  final List<double[]> rows = new ArrayList<>();

  final List<String> names = new ArrayList<>(List.of("(intercept)"));

  /** Skips the test if the data are not there. */
  ReferenceDesign(String task) throws IOException {
    Path data = Path.of(System.getProperty("gauze.data", "missing"));
    Assumptions.assumeTrue(Files.isDirectory(data), "no reference data at " + data);
    answers = new ObjectMapper().readTree(data.resolve("oracles/" + task + ".json").toFile());
    String file = answers.get("file").textValue().replace("housing.csv", "housing.csv.gz");
    List<JsonNode> meta = new ArrayList<>();
    answers.get("predictor_meta").forEach(meta::add);
    meta.add(answers.get("response_meta"));
    meta.forEach(column -> names.add(column.get("name").textValue()));
    try (BufferedReader reader = open(data.resolve(file))) {
      List<String> header = split(reader.readLine());
      List<ToDoubleFunction<List<String>>> columns =
          meta.stream().map(column -> scaled(column, header)).toList();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        rows.add(row(columns, split(line)));
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
    int field = header.indexOf(meta.get("source").textValue());
    double lower = meta.get("lo").doubleValue();
    double upper = meta.get("hi").doubleValue();
    JsonNode ranks = meta.path("map");
    return cells -> {
      String cell = cells.get(field);
      double x = ranks.isObject() ? ranks.get(cell).doubleValue() : Double.parseDouble(cell);
      double clamped = Math.min(Math.max(x, lower), upper);
      return (2.0 * (clamped - lower)) / (upper - lower) - 1.0;
    };
  }

  private static List<String> split(String line) {
    return List.of(line.split("[;,]", -1)).stream()
        .map(cell -> cell.replace("\"", "").strip())
        .toList();
  }

  private static BufferedReader open(Path path) throws IOException {
    InputStream in = Files.newInputStream(path);
    InputStream plain = path.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
    return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
  }

  ExactMoments moments() {
    ExactMoments moments = ExactMoments.create(names.size(), 1.0);
    rows.forEach(moments::add);
    return moments;
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
  RegressionProblem problem() {
    int response = names.size() - 1;
    return new RegressionProblem(
        names,
        response,
        IntStream.range(0, response).boxed().toList(),
        false,
        OptionalDouble.empty());
  }

  /** Names of the smooth solutions: least squares and ridges. */
  List<String> leastSquares() {
    return answers.get("solutions").properties().stream()
        .map(Map.Entry::getKey)
        .filter(name -> name.equals("ols") || name.startsWith("ridge_"))
        .toList();
  }
}
