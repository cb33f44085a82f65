package io.gauze.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.gauze.row.Column;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.io.IOException;

/**
 * Reads one JSON object (RFC 8259, UTF-8) into a {@link RowEncoder}. Fields that the schema does
 * not name are skipped; of a field that is there twice, the last counts. Not thread-safe. Cost: one
 * pass over the bytes.
 */
public final class JsonRowDecoder {
  /** Records longer than this are refused unread. */
  public static final int MAX_BYTES = 1 << 20;

  private static final int MAX_DEPTH = 64;

  private final JsonFactory json =
      JsonFactory.builder()
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
          .build();
  private final RowSchema schema;
  private final boolean[] numeric;

  /** For rows of {@code schema}. */
  public JsonRowDecoder(RowSchema schema) {
    this.schema = schema;
    this.numeric = new boolean[schema.fields().size()];
    for (Column column : schema.columns()) {
      numeric[schema.fieldIndex(column.source())] |= column.numeric();
    }
  }

  /**
   * Hands the fields of one record to {@code encoder}, after {@link RowEncoder#begin}.
   *
   * @throws RowRejectedException if the bytes are no JSON object, or a field has the wrong type;
   *     the message never holds a value
   */
  public void decode(byte[] bytes, RowEncoder encoder) throws RowRejectedException {
    checkBytes(bytes);
    encoder.begin();
    try (JsonParser parser = json.createParser(bytes)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new RowRejectedException("not a JSON object; send one object a record");
      }
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        field(parser, schema.fieldIndex(name), encoder);
      }
      if (parser.nextToken() != null) {
        throw new RowRejectedException("text after the JSON object; send one object a record");
      }
    } catch (JsonParseException e) {
      throw new RowRejectedException(
          "not JSON (RFC 8259, UTF-8), at byte "
              + Math.max(0, e.getLocation().getByteOffset())
              + "; NaN and infinities are not JSON");
    } catch (IOException e) {
      throw new RowRejectedException(
          "not JSON that can be read: nested deeper than "
              + MAX_DEPTH
              + ", a number or name too long, or not UTF-8");
    }
  }

  private static void checkBytes(byte[] bytes) throws RowRejectedException {
    if (bytes.length == 0) {
      throw new RowRejectedException("empty record; send one JSON object a record");
    }
    if (bytes.length > MAX_BYTES) {
      throw new RowRejectedException(
          "record longer than " + MAX_BYTES + " bytes, namely " + bytes.length + "; send less");
    }
    // UTF-16 and UTF-32 have a zero byte or a byte order mark at the start; the parser would read
    // them.
    if (bytes[0] == 0
        || (bytes.length > 1 && bytes[1] == 0)
        || bytes[0] == (byte) 0xFE
        || bytes[0] == (byte) 0xFF) {
      throw new RowRejectedException("not UTF-8; send JSON encoded as UTF-8");
    }
  }

  private void field(JsonParser parser, int field, RowEncoder encoder)
      throws IOException, RowRejectedException {
    JsonToken token = parser.nextToken();
    if (field < 0) {
      parser.skipChildren();
    } else if (token == JsonToken.VALUE_NULL) {
      encoder.missing(field);
    } else if (token == JsonToken.VALUE_STRING) {
      encoder.text(field, parser.getText());
    } else if (token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT) {
      number(parser, field, encoder);
    } else if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      encoder.text(field, parser.getText());
    } else {
      throw new RowRejectedException(
          "field " + schema.fields().get(field) + " is an object or array; send a number or text");
    }
  }

  private void number(JsonParser parser, int field, RowEncoder encoder)
      throws IOException, RowRejectedException {
    if (numeric[field]) {
      encoder.number(field, parser.getDoubleValue());
    } else {
      encoder.text(field, parser.getText());
    }
  }
}
