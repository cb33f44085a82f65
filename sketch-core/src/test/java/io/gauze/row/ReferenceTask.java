package io.gauze.row;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.ReferenceData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/** A data set and the answers that other software computed from it; see the README beside them. */
public final class ReferenceTask {
  private static final String ADULT =
      "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,"
          + "sex,capital-gain,capital-loss,hours-per-week,native-country,income";

  /** What the other software found. */
  public final JsonNode answers;

  /** As described, the response last. */
  public final List<Column> columns = new ArrayList<>();

  private final Path data;

  /** Skips the test if the data are not there. */
  public ReferenceTask(String task) throws IOException {
    data = ReferenceData.folder();
    answers = new ObjectMapper().readTree(data.resolve("oracles/" + task + ".json").toFile());
    meta().forEach(meta -> columns.add(column(meta)));
  }

  /** The columns as described, the response last. */
  List<JsonNode> meta() {
    List<JsonNode> meta = new ArrayList<>();
    answers.get("predictor_meta").forEach(meta::add);
    meta.add(answers.get("response_meta"));
    return meta;
  }

  private static Column column(JsonNode meta) {
    String name = meta.get("name").textValue();
    String source = meta.get("source").textValue();
    double lower = meta.get("lo").doubleValue();
    double upper = meta.get("hi").doubleValue();
    switch (meta.get("kind").textValue()) {
      case "numeric" -> {
        return new NumericColumn(name, source, lower, upper);
      }
      case "indicator" -> {
        return new IndicatorColumn(name, source, meta.get("value").textValue());
      }
      default -> {
        Map<String, Double> ranks = new LinkedHashMap<>();
        meta.get("map")
            .properties()
            .forEach(e -> ranks.put(e.getKey(), e.getValue().doubleValue()));
        return new OrdinalColumn(name, source, ranks, lower, upper);
      }
    }
  }

  /** Encodes every complete row of the file in order; the row handed over is reused. */
  public void forEachRow(RowSchema schema, RowEncoder encoder, Consumer<EncodedRow> consumer)
      throws IOException, RowRejectedException {
    String file = answers.get("file").textValue();
    Path path = data.resolve(file.replace("california_housing.csv", "california_housing.csv.gz"));
    EncodedRow row = new EncodedRow(schema.dimension());
    try (BufferedReader reader = open(path)) {
      String header = file.startsWith("adult") ? ADULT : reader.readLine();
      int[] fields = Arrays.stream(split(header)).mapToInt(schema::fieldIndex).toArray();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = split(line);
        if (complete(fields, cells)) {
          encode(schema, encoder, fields, cells, row);
          consumer.accept(row);
        }
      }
    }
  }

  /** Whether the line is not blank and no column that is used is NA. */
  private static boolean complete(int[] fields, String... cells) {
    return cells.length == fields.length
        && IntStream.range(0, fields.length)
            .noneMatch(i -> fields[i] >= 0 && cells[i].equals("NA"));
  }

  private static void encode(
      RowSchema schema, RowEncoder encoder, int[] fields, String[] cells, EncodedRow row)
      throws RowRejectedException {
    encoder.begin();
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] >= 0 && schema.numericField(fields[i])) {
        encoder.number(fields[i], Double.parseDouble(cells[i]));
      } else if (fields[i] >= 0) {
        encoder.text(fields[i], cells[i]);
      }
    }
    encoder.encode(row);
  }

  private static String[] split(String line) {
    String[] cells = line.split("[;,]", -1);
    for (int i = 0; i < cells.length; i++) {
      cells[i] = cells[i].replace("\"", "").strip();
    }
    return cells;
  }

  private static BufferedReader open(Path path) {
    try {
      InputStream in = Files.newInputStream(path);
      InputStream plain = path.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
      return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
