package io.gauze.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.gauze.source.JsonFault;
import java.io.IOException;

/**
 * The object that Kafka Connect's JSON converter writes around a row: {@code {"schema": ...,
 * "payload": {...}}}.
 */
final class JsonEnvelope {
  static final String SCHEMA = "schema";
  static final String PAYLOAD = "payload";

  private static final String BLANKS = " \t\r\n";

  private JsonEnvelope() {}

  /**
   * Returns whether a field is a member of an envelope or inside of one, as the config names it.
   */
  static boolean isPartOf(String field) {
    int point = field.indexOf('.');
    String first = point < 0 ? field : field.substring(0, point);
    return first.equals(SCHEMA) || first.equals(PAYLOAD);
  }

  /**
   * Returns whether a record is an envelope: an object of nothing but a schema, which may be null,
   * and a payload, both objects. Cost: nothing, unless the first member is one of the two.
   */
  static boolean isAround(byte[] value) {
    if (!begins(value)) {
      return false;
    }
    try (JsonParser parser = JsonText.FACTORY.createParser(value)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      boolean schema = false;
      boolean payload = false;
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        JsonToken token = parser.nextToken();
        boolean object = token == JsonToken.START_OBJECT;
        if (name.equals(PAYLOAD) && object) {
          payload = true;
        } else if (name.equals(SCHEMA) && (object || token == JsonToken.VALUE_NULL)) {
          schema = true;
        } else {
          return false;
        }
        parser.skipChildren();
      }
      return schema && payload;
    } catch (IOException e) {
      return false; // the reader of the row says what is wrong
    }
  }

  /** Returns whether the first member looks like one of an envelope. */
  private static boolean begins(byte[] value) {
    int at = JsonFault.afterMark(value);
    for (char expected : new char[] {'{', '"'}) {
      while (at < value.length && BLANKS.indexOf(value[at]) >= 0) {
        at++;
      }
      if (at >= value.length || value[at++] != expected) {
        return false;
      }
    }
    return at < value.length && (value[at] == 's' || value[at] == 'p');
  }
}
