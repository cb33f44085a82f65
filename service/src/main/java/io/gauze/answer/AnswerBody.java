package io.gauze.answer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An answer without the id of its request, which equal requests share. */
public final class AnswerBody {
  /** The most bytes of an answer; topics and producers take slightly larger records by default. */
  public static final int MAX_BYTES = 1_000_000;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final byte[] fields;
  private final boolean isError;

  private AnswerBody(ObjectNode object, boolean isError) {
    byte[] bytes = bytes(object);
    fields = Arrays.copyOfRange(bytes, 1, bytes.length);
    this.isError = isError;
  }

  /** Returns the body with the fields of a non-empty object. */
  public static AnswerBody of(ObjectNode object) {
    return new AnswerBody(object, false);
  }

  /** Returns the body of an error. */
  public static AnswerBody of(RequestException error) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.putObject("error").put("code", error.code().text()).put("message", error.getMessage());
    return new AnswerBody(object, true);
  }

  /** Returns whether the body is an error. */
  public boolean isError() {
    return isError;
  }

  int length() {
    return fields.length;
  }

  /** Returns the JSON of the answer to the request {@code id}: a new array. */
  public byte[] to(String id) {
    byte[] head = ("{\"id\":" + text(id) + ",").getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(head, head.length + fields.length);
    System.arraycopy(fields, 0, all, head.length, fields.length);
    return all;
  }

  private static String text(String id) {
    return new String(bytes(id), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(Object value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers are always JSON", e);
    }
  }
}
