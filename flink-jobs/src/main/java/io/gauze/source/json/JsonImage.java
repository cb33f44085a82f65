package io.gauze.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.gauze.source.DebeziumChange;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads the members of a JSON object into a {@link RowImage}. Members that nothing reads are
 * skipped; of duplicate members the last counts.
 */
final class JsonImage {
  private static final int PLACES = 256;

  private final RowFields fields;
  private final RowFields.Inside inside;
  private final boolean debezium;
  private final boolean keysOnly; // all columns are extras
  private final long[] lastSeen; // by field, the last image that had it
  private final String[] lastNames = new String[PLACES]; // by position in the object
  private final int[] lastFields = new int[PLACES];
  private long image;
  private int columnsSeen;
  private boolean valueSeen; // in a column that is no extra

  /**
   * Creates a reader.
   *
   * @param debezium whether to track which columns are present, and to refuse Debezium's
   *     placeholder
   */
  JsonImage(RowFields fields, boolean debezium) {
    this.fields = fields;
    this.inside = fields.inside();
    this.debezium = debezium;
    this.lastSeen = new long[fields.names().size()];
    this.keysOnly =
        fields.schema().fields().stream().allMatch(name -> fields.isExtra(fields.index(name)));
  }

  /**
   * Returns whether the last image had each field that a column reads, and a value in a column that
   * is not its key; only for Debezium. PostgreSQL may send only the key, and the other fields are
   * then absent or null.
   */
  boolean complete() {
    return columnsSeen == fields.schema().fields().size() && (valueSeen || keysOnly);
  }

  // A name with points is also that of a member of the row itself, as gauze send writes it.
  /** Reads from after the opening brace to the closing one, and begins the image. */
  void read(JsonParser parser, RowImage into) throws IOException {
    into.begin();
    image++;
    columnsSeen = 0;
    valueSeen = false;
    int place = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      int field = field(name, place++);
      if (field < 0 && inside.hasObjects()) {
        object(parser, inside.object(name), into);
      } else {
        member(parser, field, into);
      }
    }
  }

  /** Reads a member that holds an object, of which {@code inner} is read. */
  private void object(JsonParser parser, RowFields.Inside inner, RowImage into) throws IOException {
    JsonToken token = parser.nextToken();
    int[] all = inner.all();
    for (int field : all) { // of duplicate objects the last counts
      if (debezium) {
        see(field, JsonToken.VALUE_NULL);
      }
      into.missing(field);
    }
    if (all.length == 0 || token == JsonToken.VALUE_NULL) {
      parser.skipChildren();
    } else if (token == JsonToken.START_OBJECT) {
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        int field = inner.member(name);
        if (field < 0) {
          object(parser, inner.object(name), into);
        } else {
          member(parser, field, into);
        }
      }
    } else {
      for (int field : all) {
        into.reject(field, RowImage.NO_OBJECT);
      }
      parser.skipChildren();
    }
  }

  /**
   * Returns the index of a field. Most records have the same name at the same position as the
   * record before, so that index is tried first.
   */
  private int field(String name, int place) {
    if (place >= PLACES) {
      return fields.index(name);
    }
    if (!name.equals(lastNames[place])) {
      lastNames[place] = name;
      lastFields[place] = fields.index(name);
    }
    return lastFields[place];
  }

  private void see(int field, JsonToken token) {
    valueSeen |= token != JsonToken.VALUE_NULL && fields.isColumn(field) && !fields.isExtra(field);
    if (lastSeen[field] != image) {
      lastSeen[field] = image;
      columnsSeen += fields.isColumn(field) ? 1 : 0;
    }
  }

  private void member(JsonParser parser, int field, RowImage into) throws IOException {
    JsonToken token = parser.nextToken();
    if (debezium && field >= 0) {
      see(field, token);
    }
    if (field < 0) {
      parser.skipChildren();
    } else if (token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT) {
      number(parser, field, into);
    } else if (token == JsonToken.VALUE_NULL) {
      into.missing(field);
    } else if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      into.truth(field, token == JsonToken.VALUE_TRUE);
    } else if (token.isScalarValue()) {
      text(parser.getText(), field, into);
    } else if (token == JsonToken.START_ARRAY && fields.isTime(field)) {
      Optional<Instant> time = DateArray.read(parser);
      if (time.isPresent()) {
        into.time(field, time.get());
      } else {
        into.reject(field, "is a list that is no date; send a number or text");
      }
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
    if (debezium && value.equals(DebeziumChange.UNAVAILABLE)) {
      into.reject(field, DebeziumChange.NOT_TOLD);
    } else {
      into.text(field, value);
    }
  }
}
