package io.gauze.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Reads the members of a JSON object into a {@link RowImage}. Members that nothing reads are
 * skipped; of a member that is there twice, the last counts.
 */
final class JsonImage {
  /** What Debezium writes for a value that the database has not told it. */
  private static final String UNAVAILABLE = "__debezium_unavailable_value";

  private final RowFields fields;
  private final boolean debezium;
  private final long[] lastSeen; // by field, the image that had it
  private long image;
  private int columnsSeen;

  /**
   * @param debezium whether to count the columns that are there, and to refuse Debezium's
   *     placeholder
   */
  JsonImage(RowFields fields, boolean debezium) {
    this.fields = fields;
    this.debezium = debezium;
    this.lastSeen = new long[fields.names().size()];
  }

  /** Whether the last image had each field that a column reads, be it null; of Debezium only. */
  boolean complete() {
    return columnsSeen == fields.schema().fields().size();
  }

  /** Reads on from the opening brace to the closing one; the image is begun. */
  void read(JsonParser parser, RowImage into) throws IOException {
    into.begin();
    image++;
    columnsSeen = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      int field = fields.index(name);
      if (debezium && field >= 0) {
        see(field);
      }
      member(parser, field, into);
    }
  }

  private void see(int field) {
    if (lastSeen[field] != image) {
      lastSeen[field] = image;
      columnsSeen += fields.isColumn(field) ? 1 : 0;
    }
  }

  private void member(JsonParser parser, int field, RowImage into) throws IOException {
    JsonToken token = parser.nextToken();
    if (field < 0) {
      parser.skipChildren();
    } else if (token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT) {
      number(parser, field, into);
    } else if (token == JsonToken.VALUE_NULL) {
      into.missing(field);
    } else if (token.isScalarValue()) {
      text(parser.getText(), field, into);
    } else {
      into.reject(field, "is an object or array; send a number or text");
      parser.skipChildren();
    }
  }

  private void number(JsonParser parser, int field, RowImage into) throws IOException {
    if (fields.wantsNumber(field)) {
      into.number(field, parser.getDoubleValue());
    }
    if (fields.wantsLiteral(field)) {
      into.literal(field, parser.getText());
    }
  }

  private void text(String value, int field, RowImage into) {
    if (debezium && value.equals(UNAVAILABLE)) {
      into.reject(
          field, "was not told to Debezium; set the table's REPLICA IDENTITY to FULL (PostgreSQL)");
    } else {
      into.text(field, value);
    }
  }
}
