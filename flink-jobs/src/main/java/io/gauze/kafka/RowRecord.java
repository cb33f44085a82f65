package io.gauze.kafka;

import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;

/**
 * A record of the rows topic as the broker gave it, not decoded yet. Immutable by convention:
 * nobody may write to {@link #key} or {@link #value}.
 */
public final class RowRecord {
  /** The Flink type of these records. */
  public static final WireType<RowRecord> TYPE = WireType.of(RowRecord.class, Codec.class);

  private final int partition;
  private final long offset;
  private final long timestamp;
  private final boolean appendTime;
  private final byte[] key;
  private final byte[] value;

  /**
   * Creates a record.
   *
   * @param timestamp milliseconds since 1970 UTC
   * @param appendTime whether the broker set the timestamp when it appended the record
   * @param key the bytes of the key, not copied; empty for a record without key
   * @param value the bytes of the value, not copied; empty for a record without value
   */
  public RowRecord(
      int partition,
      long offset,
      long timestamp,
      boolean appendTime,
      Optional<byte[]> key,
      Optional<byte[]> value) {
    this(partition, offset, timestamp, appendTime, key.orElse(null), value.orElse(null));
  }

  private RowRecord(
      int partition, long offset, long timestamp, boolean appendTime, byte[] key, byte[] value) {
    this.partition = partition;
    this.offset = offset;
    this.timestamp = timestamp;
    this.appendTime = appendTime;
    this.key = key;
    this.value = value;
  }

  /** Returns a record of the log; its bytes are not copied. */
  public static RowRecord of(ConsumerRecord<byte[], byte[]> record) {
    return new RowRecord(
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType() == TimestampType.LOG_APPEND_TIME,
        record.key(),
        record.value());
  }

  /** The partition of the rows topic. */
  public int partition() {
    return partition;
  }

  /** The offset in the partition. */
  public long offset() {
    return offset;
  }

  /** Milliseconds since 1970 UTC. */
  public long timestamp() {
    return timestamp;
  }

  /** Returns whether {@link #timestamp} is the broker's append time. */
  public boolean appendTime() {
    return appendTime;
  }

  /** The bytes of the key, not a copy; empty for a record without key. */
  public Optional<byte[]> key() {
    return Optional.ofNullable(key);
  }

  /** The bytes of the value, not a copy; empty for a record without value. */
  public Optional<byte[]> value() {
    return Optional.ofNullable(value);
  }

  /** The length of the value in bytes; 0 without one. */
  int length() {
    return value == null ? 0 : value.length;
  }

  @Override
  public String toString() {
    return "record at partition " + partition + ", offset " + offset;
  }

  /**
   * The serialized form, version 1: partition, offset, timestamp, append time; length of the key or
   * -1, key; length of the value or -1, value.
   */
  public static final class Codec implements WireType.Codec<RowRecord> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(RowRecord row, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(row.partition);
      out.writeLong(row.offset);
      out.writeLong(row.timestamp);
      out.writeBoolean(row.appendTime);
      write(row.key, out);
      write(row.value, out);
    }

    private static void write(byte[] bytes, DataOutputView out) throws IOException {
      out.writeInt(bytes == null ? -1 : bytes.length);
      if (bytes != null) {
        out.write(bytes);
      }
    }

    @Override
    public RowRecord read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "row record");
      int partition = in.readInt();
      long offset = in.readLong();
      long timestamp = in.readLong();
      boolean appendTime = in.readBoolean();
      Optional<byte[]> key = read(in.readInt(), in);
      Optional<byte[]> value = read(in.readInt(), in);
      return new RowRecord(partition, offset, timestamp, appendTime, key, value);
    }

    private static Optional<byte[]> read(int length, DataInputView in) throws IOException {
      if (length < 0) {
        return Optional.empty();
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      return Optional.of(bytes);
    }
  }
}
