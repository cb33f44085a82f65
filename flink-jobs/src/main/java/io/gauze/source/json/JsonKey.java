package io.gauze.source.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.gauze.row.RowRejectedException;
import io.gauze.source.KeyText;
import io.gauze.source.KeyValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads record keys that are JSON. Cost: one pass over the text. */
public final class JsonKey {
  private static final String SCHEMA = JsonEnvelope.SCHEMA;
  private static final String PAYLOAD = JsonEnvelope.PAYLOAD;

  private JsonKey() {}

  /**
   * Returns the value of a text that is JSON; empty if it is not. Of an object that holds a schema
   * beside its payload, as Kafka Connect's converter writes it, the payload counts alone.
   *
   * @throws RowRejectedException if the text is nested too deep, or holds a number that is too long
   */
  public static Optional<KeyValue> read(String text) throws RowRejectedException {
    try (JsonParser parser = JsonText.FACTORY.createParser(text)) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return Optional.empty();
      }
      KeyValue value =
          token == JsonToken.START_OBJECT ? withoutSchema(members(parser)) : value(parser);
      return parser.nextToken() == null ? Optional.of(value) : Optional.empty();
    } catch (StreamConstraintsException e) {
      throw new RowRejectedException(
          "the record's key is nested deeper than " + JsonText.MAX_DEPTH + "; send a flat key");
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (UnreadableKeyException e) {
      throw new RowRejectedException(e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen in memory
    }
  }

  private static KeyValue withoutSchema(Map<String, KeyValue> members) {
    if (!members.containsKey(PAYLOAD) || !members.containsKey(SCHEMA)) {
      return KeyValue.of(members);
    }
    KeyValue schema = members.get(SCHEMA);
    boolean others =
        members.entrySet().stream()
            .filter(member -> !Set.of(SCHEMA, PAYLOAD).contains(member.getKey()))
            .anyMatch(member -> member.getValue().isPresent());
    // The schema is null where the converter knows none.
    boolean isEnvelope = !others && (!schema.isPresent() || schema.member("type").isPresent());
    return isEnvelope ? members.get(PAYLOAD) : KeyValue.of(members);
  }

  private static KeyValue value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> KeyValue.of(members(parser));
      case START_ARRAY -> elements(parser);
      case VALUE_STRING -> KeyValue.ofText(parser.getText());
      case VALUE_NULL -> KeyValue.none();
      case VALUE_TRUE, VALUE_FALSE -> KeyValue.of(token == JsonToken.VALUE_TRUE);
      default -> number(parser.getText());
    };
  }

  private static KeyValue number(String written) throws UnreadableKeyException {
    if (written.length() > KeyText.LONGEST) {
      throw new UnreadableKeyException(
          "the record's key holds a number of more than "
              + KeyText.LONGEST
              + " characters; send a shorter one, or a text");
    }
    return KeyValue.ofNumber(written);
  }

  /** Thrown where JSON is no key, inside of the parser's calls. */
  private static final class UnreadableKeyException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreadableKeyException(String message) {
      super(message);
    }
  }

  private static Map<String, KeyValue> members(JsonParser parser) throws IOException {
    Map<String, KeyValue> members = new HashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members;
  }

  private static KeyValue elements(JsonParser parser) throws IOException {
    List<KeyValue> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return new KeyValue.Elements(List.copyOf(elements));
  }
}
