package io.gauze.solver;

import io.gauze.answer.RequestBytes;
import io.gauze.kafka.WireType;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;

/**
 * A record of the requests topic as the broker gave it, not decoded yet. Of keys and values longer
 * than {@link #MAX_BYTES}, only the length is kept. Immutable by convention: nobody may write to
 * its arrays.
 */
public final class RequestRecord implements RequestBytes {
  /** The Flink type of these records. */
  public static final WireType<RequestRecord> TYPE = WireType.of(RequestRecord.class, Codec.class);

  private static final byte[] NONE = {};

  private final int partition;
  private final long offset;
  private final int keyLength;
  private final int valueLength;
  private final byte[] key;
  private final byte[] value;

  private RequestRecord(
      int partition, long offset, int keyLength, int valueLength, byte[] key, byte[] value) {
    this.partition = partition;
    this.offset = offset;
    this.keyLength = keyLength;
    this.valueLength = valueLength;
    this.key = key;
    this.value = value;
  }

  /** Creates a record; the arrays are not copied. */
  public static RequestRecord of(
      int partition, long offset, Optional<byte[]> key, Optional<byte[]> value) {
    return new RequestRecord(partition, offset, length(key), length(value), kept(key), kept(value));
  }

  private static int length(Optional<byte[]> bytes) {
    return bytes.map(present -> present.length).orElse(-1);
  }

  private static byte[] kept(Optional<byte[]> bytes) {
    return bytes.filter(present -> present.length <= MAX_BYTES).orElse(NONE);
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public int keyLength() {
    return keyLength;
  }

  @Override
  public int valueLength() {
    return valueLength;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public String toString() {
    return "request at partition " + partition + ", offset " + offset;
  }

  /** Returns the bytes of the state: a time, then the record as {@link Codec} writes it. */
  byte[] toState(long deadline) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputViewStreamWrapper out = new DataOutputViewStreamWrapper(new DataOutputStream(bytes));
    out.writeLong(deadline);
    new Codec().write(this, out);
    out.flush();
    return bytes.toByteArray();
  }

  /** Returns the time in the bytes of {@link #toState}. */
  static long deadlineOf(byte[] state) throws IOException {
    return new DataInputDeserializer(state).readLong();
  }

  /** Returns the record in the bytes of {@link #toState}. */
  static RequestRecord ofState(byte[] state) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(state);
    in.readLong();
    return new Codec().read(in);
  }

  /**
   * The serialized form, version 1: partition, offset, length of key and value as sent, key and
   * value if they are kept.
   */
  public static final class Codec implements WireType.Codec<RequestRecord> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(RequestRecord request, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(request.partition);
      out.writeLong(request.offset);
      out.writeInt(request.keyLength);
      out.writeInt(request.valueLength);
      out.write(request.key);
      out.write(request.value);
    }

    @Override
    public RequestRecord read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "request record");
      int partition = in.readInt();
      long offset = in.readLong();
      int keyLength = in.readInt();
      int valueLength = in.readInt();
      return new RequestRecord(
          partition, offset, keyLength, valueLength, read(in, keyLength), read(in, valueLength));
    }

    private static byte[] read(DataInputView in, int length) throws IOException {
      byte[] bytes = length <= 0 || length > MAX_BYTES ? NONE : new byte[length];
      in.readFully(bytes);
      return bytes;
    }
  }
}
