package io.gauze.pipeline.read;

import io.gauze.stream.RowRanges;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Between which offsets the rows of each epoch lie, since the last flush. Not thread-safe. */
final class EpochRanges {
  private static final class Span {
    private long from = Long.MAX_VALUE;
    private long to = Long.MIN_VALUE;
  }

  private final Map<Long, Map<Integer, Span>> byEpoch = new TreeMap<>();
  private long currentEpoch;
  private int currentPartition;
  private Span current;

  /** Adds a row. */
  void add(long epoch, int partition, long offset) {
    if (current == null || epoch != currentEpoch || partition != currentPartition) {
      currentEpoch = epoch;
      currentPartition = partition;
      current =
          byEpoch
              .computeIfAbsent(epoch, any -> new HashMap<>())
              .computeIfAbsent(partition, any -> new Span());
    }
    current.from = Math.min(current.from, offset);
    current.to = Math.max(current.to, offset + 1);
  }

  /** Hands the ranges of each epoch to {@code out}, and removes them. */
  void flush(BiConsumer<Long, RowRanges> out) {
    byEpoch.forEach(
        (epoch, spans) -> {
          Map<Integer, RowRanges.Range> ranges = new HashMap<>();
          spans.forEach(
              (partition, span) -> ranges.put(partition, new RowRanges.Range(span.from, span.to)));
          out.accept(epoch, RowRanges.of(ranges));
        });
    byEpoch.clear();
    current = null;
  }
}
