package io.gauze.source.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * Writes rows as JSON objects, one at a time: {@code begin}, fields, {@code end}. Not thread-safe.
 */
public final class RowWriter {
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
  private static final int LONGEST_NUMBER = 400; // more than any double needs

  private final JsonFactory json = new JsonFactory();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private JsonGenerator generator;

  /** A write to the generator. */
  private interface Step {
    void run() throws IOException;
  }

  private RowWriter after(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Starts a row. */
  public RowWriter begin() {
    bytes.reset();
    return after(
        () -> {
          generator = json.createGenerator(bytes);
          generator.writeStartObject();
        });
  }

  /** Writes a number; NaN and infinities become text, which the job refuses. */
  public RowWriter number(String field, double value) {
    return after(() -> generator.writeNumberField(field, value));
  }

  /** Writes a text. */
  public RowWriter text(String field, String value) {
    return after(() -> generator.writeStringField(field, value));
  }

  /**
   * Writes a cell of a file, as a number if one is wanted and the cell is one. Otherwise writes a
   * text, which the job refuses with a reason if it wants a number.
   */
  public RowWriter cell(String field, String value, boolean wantsNumber) {
    if (!wantsNumber) {
      return text(field, value);
    }
    OptionalDouble number = CsvNumber.of(value);
    boolean finite = number.isPresent() && Double.isFinite(number.getAsDouble());
    return finite ? number(field, number.getAsDouble()) : text(field, value);
  }

  /** Writes a number as it is written, if JSON has such numbers; otherwise a text. */
  public RowWriter literal(String field, String value) {
    if (value.length() > LONGEST_NUMBER || !NUMBER.matcher(value).matches()) {
      return text(field, value);
    }
    return after(
        () -> {
          generator.writeFieldName(field);
          generator.writeNumber(value);
        });
  }

  /** Writes a null. */
  public RowWriter none(String field) {
    return after(() -> generator.writeNullField(field));
  }

  /** Starts an object in a field. */
  public RowWriter object(String field) {
    return after(() -> generator.writeObjectFieldStart(field));
  }

  /** Ends the object in a field. */
  public RowWriter endObject() {
    return after(() -> generator.writeEndObject());
  }

  /** Ends the row. */
  public byte[] end() {
    after(
        () -> {
          generator.writeEndObject();
          generator.close();
        });
    return bytes.toByteArray();
  }
}
