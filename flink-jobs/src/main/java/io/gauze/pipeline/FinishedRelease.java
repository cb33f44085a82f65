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
  private final long sealedMillis;
  private final byte[] body;

  /**
   * @param rows the topic whose rows are in it; empty if that was not written down
   * @param sealedMillis the wall-clock time at which it was finished; 0 if that was not written
   *     down
   */
  FinishedRelease(String id, String rows, long sealedMillis, byte[] body) {
    this.id = id;
    this.rows = rows;
    this.sealedMillis = sealedMillis;
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

  /** When it was finished, for the operator; 0 if nobody knows. */
  long sealedMillis() {
    return sealedMillis;
  }

  /** The live bytes of the release. */
  byte[] body() {
    return body;
  }

  @Override
  public String toString() {
    return "release " + id;
  }

  /**
   * Version 3: id, topic of the rows, time, length, body. Version 2 had no time, version 1 no
   * topic.
   */
  public static final class Codec implements WireType.Codec<FinishedRelease> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 3;
    private static final int WITHOUT_TIME = 2;
    private static final int WITHOUT_TOPIC = 1;

    /** For Flink. */
    public Codec() {}

    @Override
    public void write(FinishedRelease release, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeUTF(release.id);
      out.writeUTF(release.rows);
      out.writeLong(release.sealedMillis);
      out.writeInt(release.body.length);
      out.write(release.body);
    }

    @Override
    public FinishedRelease read(DataInputView in) throws IOException {
      int version = in.readByte();
      if (version < WITHOUT_TOPIC || version > VERSION) {
        throw new IOException(
            "finished release has version "
                + version
                + "; this program reads versions 1 to "
                + VERSION);
      }
      String id = in.readUTF();
      String rows = version == WITHOUT_TOPIC ? "" : in.readUTF();
      long sealedMillis = version <= WITHOUT_TIME ? 0 : in.readLong();
      byte[] body = new byte[in.readInt()];
      in.readFully(body);
      return new FinishedRelease(id, rows, sealedMillis, body);
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
