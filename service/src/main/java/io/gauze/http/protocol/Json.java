package io.gauze.http.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Arrays;

/** JSON as bytes. */
public final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  /** Returns a node, or a map or list of texts, numbers and nodes, on one line with its end. */
  public static byte[] bytes(Object value) {
    try {
      byte[] text = MAPPER.writeValueAsBytes(value);
      byte[] line = Arrays.copyOf(text, text.length + 1);
      line[text.length] = '\n';
      return line;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers are always JSON", e);
    }
  }
}
