package io.gauze.stream;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * For each partition of the rows topic, the offset after the last record that counts. Immutable.
 */
public final class Offsets implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Map<Integer, Long> next; // a TreeMap: sorted, serializable

  private Offsets(Map<Integer, Long> next) {
    this.next = next;
  }

  /** Returns offsets with a copy of {@code next}, which maps partitions to offsets. */
  public static Offsets of(Map<Integer, Long> next) {
    return new Offsets(new TreeMap<>(next));
  }

  /** The offset of every named partition; all others count as 0. */
  public Map<Integer, Long> byPartition() {
    return java.util.Collections.unmodifiableMap(next);
  }

  /**
   * Returns the largest number of parallel readers, {@code most} at most, of which each has a
   * record to read. A reader that has none ends at once, and Flink takes no checkpoint while some
   * readers have ended and others have not.
   */
  public int readers(int most) {
    List<Integer> withRecords =
        next.keySet().stream().filter(partition -> next.get(partition) > 0).toList();
    // Of n readers, Kafka's source assigns partition p to reader (p + shift) mod n.
    return IntStream.iterate(Math.min(most, withRecords.size()), n -> n > 1, n -> n - 1)
        .filter(n -> withRecords.stream().map(partition -> partition % n).distinct().count() == n)
        .findFirst()
        .orElse(1);
  }

  /** Writes the number of partitions, then partition and offset of each. */
  public void write(DataOutputView out) throws IOException {
    out.writeInt(next.size());
    for (Map.Entry<Integer, Long> entry : next.entrySet()) {
      out.writeInt(entry.getKey());
      out.writeLong(entry.getValue());
    }
  }

  public static Offsets read(DataInputView in) throws IOException {
    TreeMap<Integer, Long> next = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      int partition = in.readInt();
      next.put(partition, in.readLong());
    }
    return new Offsets(next);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Offsets that && that.next.equals(next);
  }

  @Override
  public int hashCode() {
    return next.hashCode();
  }

  @Override
  public String toString() {
    return next.toString();
  }
}
