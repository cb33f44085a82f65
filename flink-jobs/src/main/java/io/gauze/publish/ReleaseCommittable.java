package io.gauze.publish;

import io.gauze.kafka.WireType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;

/** A finished release, which the sink sends after the checkpoint that contains it is complete. */
public final class ReleaseCommittable {
  /** The Flink type of these releases. */
  public static final WireType<ReleaseCommittable> TYPE =
      WireType.of(ReleaseCommittable.class, Codec.class);

  private final String id;
  private final String rows;
  private final long sealedMillis;
  private final byte[] body;

  /**
   * Creates a committable of a finished release.
   *
   * @param rows the topic whose rows are in the release
   * @param sealedMillis the wall-clock time at which it was finished, in milliseconds
   */
  public ReleaseCommittable(String id, String rows, long sealedMillis, byte[] body) {
    this.id = id;
    this.rows = rows;
    this.sealedMillis = sealedMillis;
    this.body = body;
  }

  /** The release id, which is the record key. */
  String id() {
    return id;
  }

  /** Returns whether the release is of rows of this topic. */
  public boolean isOf(String topic) {
    return rows.equals(topic);
  }

  /** The wall-clock time at which it was finished, in milliseconds; for metrics. */
  long sealedMillis() {
    return sealedMillis;
  }

  /** The bytes of the release; not a copy. */
  public byte[] body() {
    return body;
  }

  @Override
  public String toString() {
    return "release " + id;
  }

  /** The serialized form, version 1: id, topic of the rows, time, length, body. */
  public static final class Codec implements WireType.Codec<ReleaseCommittable> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(ReleaseCommittable release, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeUTF(release.id);
      out.writeUTF(release.rows);
      out.writeLong(release.sealedMillis);
      out.writeInt(release.body.length);
      out.write(release.body);
    }

    @Override
    public ReleaseCommittable read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "finished release");
      String id = in.readUTF();
      String rows = in.readUTF();
      long sealedMillis = in.readLong();
      byte[] body = new byte[in.readInt()];
      in.readFully(body);
      return new ReleaseCommittable(id, rows, sealedMillis, body);
    }
  }

  /** The serializer of the sink's committables. */
  public static final class CommittableSerializer
      implements SimpleVersionedSerializer<ReleaseCommittable> {
    private final Codec codec = new Codec();

    @Override
    public int getVersion() {
      return Codec.VERSION;
    }

    @Override
    public byte[] serialize(ReleaseCommittable release) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(release.body.length + 256);
      codec.write(release, new DataOutputViewStreamWrapper(bytes));
      return bytes.toByteArray();
    }

    @Override
    public ReleaseCommittable deserialize(int version, byte[] bytes) throws IOException {
      return codec.read(new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes)));
    }
  }
}
