package io.gauze.solver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.kafka.WireType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A record of the answers topic: a JSON object whose first field is the request's id. Immutable by
 * convention: nobody may write to {@link #json}.
 */
public final class Answer {
  /** The Flink type of answers. */
  public static final WireType<Answer> TYPE = WireType.of(Answer.class, Codec.class);

  /** The most bytes of an answer; topics and producers take slightly larger records by default. */
  public static final int MAX_BYTES = 1_000_000;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final String id;
  private final byte[] json;

  private Answer(String id, byte[] json) {
    this.id = Objects.requireNonNull(id, "id");
    this.json = json;
  }

  /** The request's id, which is the record's key. */
  public String id() {
    return id;
  }

  /** The bytes of the record's value; not a copy. */
  public byte[] json() {
    return json;
  }

  @Override
  public String toString() {
    return new String(json, StandardCharsets.UTF_8);
  }

  /** An answer without its id, which equal requests share. */
  static final class Body {
    private final byte[] fields;
    private final boolean isError;

    private Body(ObjectNode object, boolean isError) {
      byte[] bytes = bytes(object);
      fields = Arrays.copyOfRange(bytes, 1, bytes.length);
      this.isError = isError;
    }

    /** Returns the body with the fields of a non-empty object. */
    static Body of(ObjectNode object) {
      return new Body(object, false);
    }

    /** Returns the body of an error. */
    static Body of(RequestException error) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      object.putObject("error").put("code", error.code().text()).put("message", error.getMessage());
      return new Body(object, true);
    }

    /** Returns whether the body is an error. */
    boolean isError() {
      return isError;
    }

    int length() {
      return fields.length;
    }

    /** Returns the answer to the request {@code id}. */
    Answer to(String id) {
      byte[] head = ("{\"id\":" + text(id) + ",").getBytes(StandardCharsets.UTF_8);
      byte[] all = new byte[head.length + fields.length];
      System.arraycopy(head, 0, all, 0, head.length);
      System.arraycopy(fields, 0, all, head.length, fields.length);
      return new Answer(id, all);
    }
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

  /** The serialized form, version 1: id, length of the JSON, JSON. */
  public static final class Codec implements WireType.Codec<Answer> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(Answer answer, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeUTF(answer.id); // at most 200 characters or a topic's name and two numbers
      out.writeInt(answer.json.length);
      out.write(answer.json);
    }

    @Override
    public Answer read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "answer");
      String id = in.readUTF();
      byte[] json = new byte[in.readInt()];
      in.readFully(json);
      return new Answer(id, json);
    }
  }
}
