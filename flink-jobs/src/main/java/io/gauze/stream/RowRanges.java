package io.gauze.stream;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * For each partition of the rows topic that has rows of an epoch, the offsets between which they
 * lie. Rows of other epochs may lie there, too. Immutable.
 */
public final class RowRanges {
  /** Of an epoch without rows. */
  public static final RowRanges NONE = new RowRanges(new TreeMap<>());

  /**
   * The offsets in [from, to).
   *
   * @param from the offset of the first row
   * @param to the offset after the last row
   */
  public record Range(long from, long to) {
    Range and(Range other) {
      return new Range(Math.min(from, other.from), Math.max(to, other.to));
    }
  }

  private final SortedMap<Integer, Range> byPartition;

  private RowRanges(SortedMap<Integer, Range> byPartition) {
    this.byPartition = byPartition;
  }

  /** Returns ranges with a copy of {@code byPartition}. */
  public static RowRanges of(Map<Integer, Range> byPartition) {
    return new RowRanges(new TreeMap<>(byPartition));
  }

  /** The range of each partition with rows; read-only. */
  public Map<Integer, Range> byPartition() {
    return Collections.unmodifiableMap(byPartition);
  }

  public boolean isEmpty() {
    return byPartition.isEmpty();
  }

  /** Returns the smallest ranges that hold both. */
  public RowRanges and(RowRanges other) {
    SortedMap<Integer, Range> all = new TreeMap<>(byPartition);
    other.byPartition.forEach((partition, range) -> all.merge(partition, range, Range::and));
    return new RowRanges(all);
  }

  /** Writes the number of partitions, then partition, from and to of each. */
  public void write(DataOutputView out) throws IOException {
    out.writeInt(byPartition.size());
    for (Map.Entry<Integer, Range> each : byPartition.entrySet()) {
      out.writeInt(each.getKey());
      out.writeLong(each.getValue().from());
      out.writeLong(each.getValue().to());
    }
  }

  public static RowRanges read(DataInputView in) throws IOException {
    SortedMap<Integer, Range> ranges = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      int partition = in.readInt();
      long from = in.readLong();
      ranges.put(partition, new Range(from, in.readLong()));
    }
    return new RowRanges(ranges);
  }

  /** Returns the bytes in which state holds the ranges. */
  public byte[] toBytes() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    write(out);
    return out.getCopyOfBuffer();
  }

  /** Parses the bytes that {@link #toBytes} returns. */
  public static RowRanges fromBytes(byte[] bytes) throws IOException {
    return read(new DataInputDeserializer(bytes));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowRanges that && that.byPartition.equals(byPartition);
  }

  @Override
  public int hashCode() {
    return byPartition.hashCode();
  }

  @Override
  public String toString() {
    return byPartition.toString();
  }
}
