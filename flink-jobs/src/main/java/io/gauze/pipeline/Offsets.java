package io.gauze.pipeline;

import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Per partition of the rows topic, the offset after the last record that counts. Immutable. */
public final class Offsets implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Map<Integer, Long> next; // a TreeMap: sorted, serializable

  private Offsets(Map<Integer, Long> next) {
    this.next = next;
  }

  /** A copy of {@code next}: partition to offset. */
  public static Offsets of(Map<Integer, Long> next) {
    return new Offsets(new TreeMap<>(next));
  }

  /** The offset of every partition named; the rest count as 0. */
  public Map<Integer, Long> byPartition() {
    return java.util.Collections.unmodifiableMap(next);
  }

  void write(DataOutputView out) throws IOException {
    out.writeInt(next.size());
    for (Map.Entry<Integer, Long> entry : next.entrySet()) {
      out.writeInt(entry.getKey());
      out.writeLong(entry.getValue());
    }
  }

  static Offsets read(DataInputView in) throws IOException {
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
