package io.gauze.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.gauze.row.RowRejectedException;
import io.gauze.source.RowFields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The members of a JSON object without their values, to tell what an object is that has none of a
 * row's columns. Cost: one more pass over such a record.
 */
final class JsonShape {
  private final Map<String, JsonToken> members = new HashMap<>();
  private final Map<String, JsonToken> payload = new HashMap<>();

  private JsonShape() {}

  /** Returns the shape of a record that was read as an object. */
  static JsonShape of(byte[] value) throws RowRejectedException {
    JsonShape shape = new JsonShape();
    new JsonText().read(value, shape::read);
    return shape;
  }

  private void read(JsonParser parser) throws IOException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      members.put(name, token);
      if (name.equals(JsonEnvelope.PAYLOAD) && token == JsonToken.START_OBJECT) {
        payload(parser);
      } else {
        parser.skipChildren();
      }
    }
  }

  private void payload(JsonParser parser) throws IOException {
    payload.clear();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      payload.put(name, parser.nextToken());
      parser.skipChildren();
    }
  }

  /**
   * Refuses what is no row, though it is an object, and a row whose fields go by other names.
   *
   * @param fields that the row should have
   * @throws RowRejectedException if it is a change event or an envelope without a row, or if a name
   *     has small letters for capital ones
   */
  void checkIsRow(RowFields fields) throws RowRejectedException {
    if (isEvent(members) || isEvent(payload)) {
      throw new RowRejectedException(
          "a change event of Debezium; use format debezium-json, or send rows that are unwrapped");
    }
    boolean empty = members.get(JsonEnvelope.PAYLOAD) == JsonToken.VALUE_NULL;
    if (empty && members.size() == 2 && members.containsKey(JsonEnvelope.SCHEMA)) {
      throw new RowRejectedException(
          "the payload beside the schema is null; send a record without value to delete a row");
    }
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(members.keySet());
    names.addAll(payload.keySet());
    for (String field : fields.schema().fields()) {
      String member = field.substring(0, (field + ".").indexOf('.'));
      boolean isThere = members.containsKey(member) || payload.containsKey(member);
      if (!isThere && names.contains(member)) {
        throw new RowRejectedException(
            "field "
                + field
                + " is there in other letters, capital or small; name it as it is written (source)");
      }
    }
  }

  private static boolean isEvent(Map<String, JsonToken> members) {
    return members.get("op") == JsonToken.VALUE_STRING
        && (isImage(members, "before") || isImage(members, "after"));
  }

  private static boolean isImage(Map<String, JsonToken> members, String name) {
    JsonToken token = members.get(name);
    return token == JsonToken.START_OBJECT || token == JsonToken.VALUE_NULL;
  }
}
