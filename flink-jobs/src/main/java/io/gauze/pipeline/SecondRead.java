package io.gauze.pipeline;

import io.gauze.kafka.WireType;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.RowRanges;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The task to read the rows of an epoch in a partition again, with the public models that decide
 * what becomes of them. Everything in it is public, but for the offsets. Immutable.
 */
public final class SecondRead {
  /** The Flink type of these tasks. */
  public static final WireType<SecondRead> TYPE = WireType.of(SecondRead.class, Codec.class);

  private final long firstEpoch;
  private final long epoch;
  private final int partition;
  private final RowRanges.Range range;
  private final Map<Cell, byte[]> models;

  /**
   * Creates a task.
   *
   * @param firstEpoch the first epoch of the stream
   * @param range the offsets to read
   * @param models the models, each under the cell of its part; not copied
   */
  SecondRead(
      long firstEpoch, long epoch, int partition, RowRanges.Range range, Map<Cell, byte[]> models) {
    this.firstEpoch = firstEpoch;
    this.epoch = epoch;
    this.partition = partition;
    this.range = range;
    this.models = models;
  }

  long firstEpoch() {
    return firstEpoch;
  }

  long epoch() {
    return epoch;
  }

  /** The partition of the rows topic. */
  public int partition() {
    return partition;
  }

  RowRanges.Range range() {
    return range;
  }

  /** The blocks of the models; read-only. */
  Map<Cell, byte[]> models() {
    return Collections.unmodifiableMap(models);
  }

  /** Returns the rest of this task. */
  SecondRead from(long offset) {
    return new SecondRead(
        firstEpoch, epoch, partition, new RowRanges.Range(offset, range.to()), models);
  }

  /**
   * Returns how many epochs have been read in a partition once an epoch has been read there. The
   * accumulators of the second stages count these numbers as they count offsets in first stages.
   */
  static long progress(long firstEpoch, long epoch) {
    return epoch - firstEpoch + 1;
  }

  /** Returns the bytes in which state holds the task. */
  byte[] toBytes() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    new Codec().write(this, out);
    return out.getCopyOfBuffer();
  }

  /** Parses the bytes that {@link #toBytes} returns. */
  static SecondRead fromBytes(byte[] bytes) throws IOException {
    return new Codec().read(new DataInputDeserializer(bytes));
  }

  @Override
  public String toString() {
    return "second reading of epoch " + epoch + ", partition " + partition;
  }

  /**
   * The serialized form, version 1: first epoch, epoch, partition, from, to; the number of models,
   * then cell and block of each.
   */
  public static final class Codec implements WireType.Codec<SecondRead> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(SecondRead read, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(read.firstEpoch);
      out.writeLong(read.epoch);
      out.writeInt(read.partition);
      out.writeLong(read.range.from());
      out.writeLong(read.range.to());
      out.writeInt(read.models.size());
      for (Map.Entry<Cell, byte[]> model : read.models.entrySet()) {
        model.getKey().write(out);
        Block.write(model.getValue(), out);
      }
    }

    @Override
    public SecondRead read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "second read");
      long firstEpoch = in.readLong();
      long epoch = in.readLong();
      int partition = in.readInt();
      long from = in.readLong();
      RowRanges.Range range = new RowRanges.Range(from, in.readLong());
      Map<Cell, byte[]> models = new LinkedHashMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        Cell cell = Cell.read(in);
        models.put(cell, Block.read(in));
      }
      return new SecondRead(firstEpoch, epoch, partition, range, models);
    }
  }
}
