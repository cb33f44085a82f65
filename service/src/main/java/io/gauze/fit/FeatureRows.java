package io.gauze.fit;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.Column;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Encodes rows whose response is to be predicted, as rows of the stream are encoded. They need the
 * fields of the features alone. Not thread-safe.
 */
public final class FeatureRows {
  private final RowSchema schema;
  private final List<Integer> columns = new ArrayList<>();
  private final Set<Integer> fields = new LinkedHashSet<>();
  private final RowEncoder encoder;

  /** An encoded row. */
  public static final class Encoded {
    private final double[] values;
    private final List<String> clamped;

    private Encoded(double[] values, List<String> clamped) {
      this.values = values;
      this.clamped = clamped;
    }

    /** The values in the encoded scale, one a column. */
    double[] values() {
      return values;
    }

    /** The columns whose value was beyond their range, and was moved to its end. */
    List<String> clamped() {
      return clamped;
    }
  }

  /** Creates an encoder of the features of a problem. */
  public FeatureRows(RowSchema schema, RegressionProblem problem) {
    this.schema = schema;
    this.encoder = new RowEncoder(schema);
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      int first = schema.offset(c);
      if (problem.features().stream().anyMatch(k -> k >= first && k < first + column.width())) {
        columns.add(c);
        fields.add(schema.fieldIndex(column.source()));
      }
    }
  }

  /** The columns that rows must have. */
  public List<Column> columns() {
    return columns.stream().map(schema.columns()::get).toList();
  }

  /**
   * Encodes a row.
   *
   * @param row an object with the fields of the features; others do not matter
   * @throws RowRejectedException if it is no object, a field is missing that must not be, or has a
   *     value that rows may not have
   */
  public Encoded encode(JsonNode row) throws RowRejectedException {
    if (!row.isObject()) {
      throw new RowRejectedException("a row must be a JSON object of fields and their values");
    }
    for (int field : fields) {
      if (value(row, schema.fields().get(field)).isContainerNode()) {
        throw new RowRejectedException(
            "field "
                + schema.fields().get(field)
                + " is an object or array; send a number or text");
      }
    }
    return encode(name -> plain(name, value(row, name)));
  }

  /**
   * Encodes a row.
   *
   * @param row returns the value of a field of the features: null if it is missing; a number; or an
   *     object whose text is the value
   * @throws RowRejectedException if a field is missing that must not be, or has a value that rows
   *     may not have
   */
  public Encoded encode(Function<String, Object> row) throws RowRejectedException {
    long[] before = columns.stream().mapToLong(encoder::clamped).toArray();
    encoder.begin();
    for (int field = 0; field < schema.fields().size(); field++) {
      if (fields.contains(field)) {
        put(field, row.apply(schema.fields().get(field)));
      } else {
        fill(field);
      }
    }
    double[] values = new double[schema.dimension()];
    encoder.scale(values);
    List<String> clamped = new ArrayList<>();
    for (int k = 0; k < before.length; k++) {
      if (encoder.clamped(columns.get(k)) > before[k]) {
        clamped.add(schema.columns().get(columns.get(k)).name());
      }
    }
    return new Encoded(values, clamped);
  }

  /** Returns the member of that name, or the value at that path, such as {@code address.city}. */
  private static JsonNode value(JsonNode row, String name) {
    JsonNode value = row.path(name);
    if (value.isMissingNode() && name.indexOf('.') >= 0) {
      value = row;
      for (String part : name.split("\\.", -1)) {
        value = value.path(part);
      }
    }
    return value;
  }

  private Object plain(String name, JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    boolean isNumber = value.isNumber() && schema.numericField(schema.fieldIndex(name));
    return isNumber ? (Object) value.doubleValue() : value.asText();
  }

  private void put(int field, Object value) throws RowRejectedException {
    if (value == null) {
      encoder.missing(field);
    } else if (value instanceof Number number && schema.numericField(field)) {
      encoder.number(field, number.doubleValue());
    } else {
      encoder.text(field, value.toString());
    }
  }

  /** Gives a field that no feature reads any value that is allowed. */
  private void fill(int field) throws RowRejectedException {
    String name = schema.fields().get(field);
    List<Column> readers =
        schema.columns().stream().filter(column -> column.source().equals(name)).toList();
    if (schema.numericField(field)) {
      encoder.number(field, readers.get(0).typical());
      return;
    }
    String text = "";
    for (Column reader : readers) {
      if (!reader.isIndicator()) {
        text = reader.texts().get(0);
      }
    }
    encoder.text(field, text);
  }
}
