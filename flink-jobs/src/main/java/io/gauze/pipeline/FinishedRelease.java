package io.gauze.pipeline;

import io.gauze.source.WireType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;

/** A release, ready to be sent: what the sink commits after the checkpoint that holds it. */
public final class FinishedRelease {
  /** The Flink type of these releases. */
  public static final WireType<FinishedRelease> TYPE =
      WireType.of(FinishedRelease.class, Codec.class);

  private final String id;
  private final String rows;
  private final byte[] body;

  /**
   * @param rows the topic whose rows are in it; empty if that was not written down
   */
  FinishedRelease(String id, String rows, byte[] body) {
    this.id = id;
    this.rows = rows;
    this.body = body;
  }

  /** The release id, which is the record key. */
  String id() {
    return id;
  }

  /** Whether it may be of rows of this topic: version 1 did not say. */
  boolean mayBeOf(String topic) {
    return rows.isEmpty() || rows.equals(topic);
  }

  /** The live bytes of the release. */
  byte[] body() {
    return body;
  }

  @Override
  public String toString() {
    return "release " + id;
  }

  /** Version 2: id, topic of the rows, length, body. Version 1 had no topic. */
  public static final class Codec implements WireType.Codec<FinishedRelease> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 2;
    private static final int WITHOUT_TOPIC = 1;

    /** For Flink. */
    public Codec() {}

    @Override
    public void write(FinishedRelease release, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeUTF(release.id);
      out.writeUTF(release.rows);
      out.writeInt(release.body.length);
      out.write(release.body);
    }

    @Override
    public FinishedRelease read(DataInputView in) throws IOException {
      int version = in.readByte();
      if (version != VERSION && version != WITHOUT_TOPIC) {
        throw new IOException(
            "finished release has version "
                + version
                + "; this program reads versions 1 and "
                + VERSION);
      }
      String id = in.readUTF();
      String rows = version == WITHOUT_TOPIC ? "" : in.readUTF();
      byte[] body = new byte[in.readInt()];
      in.readFully(body);
      return new FinishedRelease(id, rows, body);
    }
  }

  /** The same bytes as the sink's committables keep them. */
  static final class CommittableSerializer implements SimpleVersionedSerializer<FinishedRelease> {
    private final Codec codec = new Codec();

    @Override
    public int getVersion() {
      return Codec.VERSION;
    }

    @Override
    public byte[] serialize(FinishedRelease release) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(release.body.length + 256);
      codec.write(release, new DataOutputViewStreamWrapper(bytes));
      return bytes.toByteArray();
    }

    @Override
    public FinishedRelease deserialize(int version, byte[] bytes) throws IOException {
      return codec.read(new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes)));
    }
  }
}
