package io.gauze.pipeline.seal;

import io.gauze.stream.Block;
import io.gauze.stream.Offsets;
import io.gauze.stream.RowRanges;
import io.gauze.stream.StateSizeGauges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.java.typeutils.MapTypeInfo;

/**
 * The state of one cell, which is the current key: the blocks of the epochs that are not sealed,
 * the cuts that end these epochs, how far the rows have been read, and the total of a running
 * stream.
 *
 * <p>Names and types belong to the savepoint format: never change one, add a -v2.
 */
public final class CellState {
  public static final MapStateDescriptor<Long, byte[]> BLOCKS =
      new MapStateDescriptor<>(
          "blocks-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  public static final MapStateDescriptor<Integer, Long> PROGRESS =
      new MapStateDescriptor<>(
          "progress-v1", BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);

  public static final ValueStateDescriptor<byte[]> TOTAL =
      new ValueStateDescriptor<>("total-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private static final MapStateDescriptor<Integer, Long> PROGRESS_AT_END =
      new MapStateDescriptor<>(
          "progress-at-end-v1", BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);
  private static final MapStateDescriptor<Long, Map<Integer, Long>> CUTS =
      new MapStateDescriptor<>(
          "cuts-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          new MapTypeInfo<>(BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO));
  private static final ValueStateDescriptor<Long> SEALED =
      new ValueStateDescriptor<>("sealed-through-v1", BasicTypeInfo.LONG_TYPE_INFO);
  private static final ValueStateDescriptor<Long> OLDEST_CUT =
      new ValueStateDescriptor<>("oldest-cut-v1", BasicTypeInfo.LONG_TYPE_INFO);

  private static final MapStateDescriptor<Long, byte[]> RANGES =
      new MapStateDescriptor<>(
          "row-ranges-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final MapState<Long, byte[]> blocks;
  private final Optional<MapState<Long, byte[]>> ranges;
  private final MapState<Integer, Long> progress;
  private final MapState<Integer, Long> progressAtEnd;
  private final MapState<Long, Map<Integer, Long>> cuts;
  private final ValueState<Long> sealedThrough;
  private final ValueState<Long> oldestCut;
  private final ValueState<byte[]> total;
  private final CumulativeReleases.State series;
  private final StateSizeGauges gauges;

  /**
   * Registers the states of a cell.
   *
   * @param gauges show how many bytes and open epochs the state holds
   * @param keepsRanges whether rows are read twice; states of other streams are as ever
   */
  CellState(RuntimeContext context, StateSizeGauges gauges, boolean keepsRanges) {
    this.gauges = gauges;
    ranges = keepsRanges ? Optional.of(context.getMapState(RANGES)) : Optional.empty();
    blocks = context.getMapState(BLOCKS);
    progress = context.getMapState(PROGRESS);
    progressAtEnd = context.getMapState(PROGRESS_AT_END);
    total = context.getState(TOTAL);
    cuts = context.getMapState(CUTS);
    sealedThrough = context.getState(SEALED);
    oldestCut = context.getState(OLDEST_CUT);
    series = new CumulativeReleases.State(context, total, gauges);
  }

  /** Adds the size of a restored state to the gauges. */
  void countRestored() throws Exception {
    gauges.restored(blocks);
    gauges.restored(total);
    series.countRestored();
    for (Long epoch : blocks.keys()) {
      gauges.opened(epoch);
    }
    for (Long epoch : cuts.keys()) {
      if (!blocks.contains(epoch)) {
        gauges.opened(epoch);
      }
    }
  }

  /** The state of a cumulative series. */
  CumulativeReleases.State series() {
    return series;
  }

  /** Returns the block of an epoch that is not sealed; the array is not a copy. */
  Optional<byte[]> block(long epoch) throws Exception {
    return Optional.ofNullable(blocks.get(epoch));
  }

  void putBlock(long epoch, byte[] block) throws Exception {
    open(epoch);
    gauges.put(blocks, epoch, block);
  }

  /** Keeps where rows of an epoch lie. */
  void addRanges(long epoch, RowRanges more) throws Exception {
    ranges.orElseThrow().put(epoch, ranges(epoch).and(more).toBytes());
  }

  /** Returns where the rows of an epoch that is not sealed lie, if rows are read twice. */
  RowRanges ranges(long epoch) throws Exception {
    byte[] held = ranges.isPresent() ? ranges.get().get(epoch) : null;
    return held == null ? RowRanges.NONE : RowRanges.fromBytes(held);
  }

  void clearBlocks() throws Exception {
    gauges.clear(blocks);
  }

  /** Adds a change to the block of an epoch; for blocks that hold exact sums. */
  void addToBlock(long epoch, byte[] change) throws Exception {
    byte[] before = blocks.get(epoch);
    putBlock(epoch, before == null ? change : Block.sum(before, change));
  }

  /** Moves the blocks of all epochs up to and including this one to the total. */
  void addToTotal(long epoch) throws Exception {
    List<Long> through = new ArrayList<>();
    for (Long each : blocks.keys()) {
      if (each <= epoch) {
        through.add(each);
      }
    }
    for (Long each : through) {
      byte[] before = total.value();
      byte[] block = blocks.get(each);
      gauges.update(total, before == null ? block : Block.sum(before, block));
      gauges.remove(blocks, each);
      if (!cuts.contains(each)) {
        gauges.closed(each);
      }
    }
  }

  /** Returns the exact sums of all sealed epochs; empty if there has been no row. */
  Optional<byte[]> total() throws Exception {
    return Optional.ofNullable(total.value());
  }

  /** Keeps the larger offset of each partition: progress is monotone. */
  void advance(Offsets next) throws Exception {
    raise(progress, next.byPartition());
  }

  /** Keeps how far the rows will have been read at the end of all input: see {@link #end}. */
  void advanceAtEnd(Offsets next) throws Exception {
    raise(progressAtEnd, next.byPartition());
  }

  /** Takes the progress of {@link #advanceAtEnd} as reached, since all input has ended. */
  void end() throws Exception {
    Map<Integer, Long> reached = new HashMap<>();
    for (Map.Entry<Integer, Long> each : progressAtEnd.entries()) {
      reached.put(each.getKey(), each.getValue());
    }
    raise(progress, reached);
  }

  private static void raise(MapState<Integer, Long> reached, Map<Integer, Long> next)
      throws Exception {
    for (Map.Entry<Integer, Long> each : next.entrySet()) {
      Long before = reached.get(each.getKey());
      if (before == null || before < each.getValue()) {
        reached.put(each.getKey(), each.getValue());
      }
    }
  }

  /**
   * Keeps the offsets at which an epoch ends. Cuts come in the order of the epochs, without gaps.
   *
   * @param ends the offset after the last row of each partition
   */
  void cut(long epoch, Offsets ends) throws Exception {
    open(epoch);
    cuts.put(epoch, new HashMap<>(ends.byPartition()));
    if (oldestCut.value() == null) {
      oldestCut.update(epoch);
    }
  }

  /** Counts an epoch as open when it gets its first block or cut. */
  private void open(long epoch) throws Exception {
    if (!blocks.contains(epoch) && !cuts.contains(epoch)) {
      gauges.opened(epoch);
    }
  }

  /** Returns the next epoch to seal if all of its rows have been read. */
  OptionalLong nextComplete() throws Exception {
    Long oldest = oldestCut.value();
    if (oldest == null) {
      return OptionalLong.empty();
    }
    Map<Integer, Long> ends = cuts.get(oldest);
    if (ends == null) {
      oldestCut.clear();
      return OptionalLong.empty();
    }
    return isReached(ends) ? OptionalLong.of(oldest) : OptionalLong.empty();
  }

  private boolean isReached(Map<Integer, Long> ends) throws Exception {
    for (Map.Entry<Integer, Long> end : ends.entrySet()) {
      Long next = progress.get(end.getKey());
      if (end.getValue() > 0 && (next == null || next < end.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Removes an epoch, now sealed, from the state. It must be that of {@link #nextComplete}. */
  void seal(long epoch) throws Exception {
    gauges.remove(blocks, epoch);
    if (ranges.isPresent()) {
      ranges.get().remove(epoch);
    }
    cuts.remove(epoch);
    gauges.closed(epoch);
    sealedThrough.update(epoch);
    oldestCut.update(epoch + 1);
  }

  /** The last sealed epoch; empty if no epoch is sealed yet. */
  OptionalLong sealedThrough() throws Exception {
    Long sealed = sealedThrough.value();
    return sealed == null ? OptionalLong.empty() : OptionalLong.of(sealed);
  }

  /** Returns whether an epoch waits for rows. */
  boolean hasCuts() throws Exception {
    return !cuts.isEmpty();
  }

  /** Describes how far the first partition that is behind a cut was read. */
  String firstUnread() throws Exception {
    SortedMap<Integer, Long> ends = new TreeMap<>();
    for (Map<Integer, Long> each : cuts.values()) {
      each.forEach((partition, end) -> ends.merge(partition, end, Math::max));
    }
    for (Map.Entry<Integer, Long> end : ends.entrySet()) {
      Long next = progress.get(end.getKey());
      long reached = next == null ? 0 : next;
      if (reached < end.getValue()) {
        return String.format(
            Locale.ROOT,
            "partition %d was read up to offset %d of %d",
            end.getKey(),
            reached,
            end.getValue());
      }
    }
    return "no partition is behind";
  }
}
