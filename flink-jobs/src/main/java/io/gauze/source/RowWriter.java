package io.gauze.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Writes rows as JSON objects, one at a time: {@code begin}, fields, {@code end}. Not thread-safe.
 */
public final class RowWriter {
  private final JsonFactory json = new JsonFactory();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private JsonGenerator generator;

  /** Starts a row. */
  public RowWriter begin() {
    bytes.reset();
    try {
      generator = json.createGenerator(bytes);
      generator.writeStartObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** A number; NaN and infinities become text, which the job refuses. */
  public RowWriter number(String field, double value) {
    try {
      generator.writeNumberField(field, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** A text. */
  public RowWriter text(String field, String value) {
    try {
      generator.writeStringField(field, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /** Ends the row. */
  public byte[] end() {
    try {
      generator.writeEndObject();
      generator.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
