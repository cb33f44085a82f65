package io.gauze.solver;

import io.gauze.answer.AnswerBody;
import io.gauze.kafka.WireType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  private final String id;
  private final byte[] json;

  private Answer(String id, byte[] json) {
    this.id = Objects.requireNonNull(id, "id");
    this.json = json;
  }

  /** Returns the answer with this body to the request {@code id}. */
  public static Answer of(String id, AnswerBody body) {
    return new Answer(id, body.to(id));
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
