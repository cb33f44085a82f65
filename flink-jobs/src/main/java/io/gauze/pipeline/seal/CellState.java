package io.gauze.pipeline.seal;

import io.gauze.stream.Block;
import io.gauze.stream.RowRanges;
import io.gauze.stream.StateSizeGauges;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;

/**
 * The state of one cell, which is the current key: the blocks of the epochs that are not sealed,
 * and the total of a running stream.
 *
 * <p>Names and types belong to the savepoint format: never change one, add a -v2.
 */
public final class CellState {
  public static final MapStateDescriptor<Long, byte[]> BLOCKS =
      new MapStateDescriptor<>(
          "blocks-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  public static final ValueStateDescriptor<byte[]> TOTAL =
      new ValueStateDescriptor<>("total-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private static final MapStateDescriptor<Long, byte[]> RANGES =
      new MapStateDescriptor<>(
          "row-ranges-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final MapState<Long, byte[]> blocks;
  private final Optional<MapState<Long, byte[]>> ranges;
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
    total = context.getState(TOTAL);
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
    if (!blocks.contains(epoch)) {
      gauges.opened(epoch);
    }
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
    for (Long epoch : blocks.keys()) {
      gauges.closed(epoch);
    }
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
      removeBlock(each);
    }
  }

  /** Returns the exact sums of all sealed epochs; empty if there has been no row. */
  Optional<byte[]> total() throws Exception {
    return Optional.ofNullable(total.value());
  }

  /** Removes what is left of an epoch, now sealed, from the state. */
  void seal(long epoch) throws Exception {
    removeBlock(epoch);
    if (ranges.isPresent()) {
      ranges.get().remove(epoch);
    }
  }

  private void removeBlock(long epoch) throws Exception {
    if (blocks.contains(epoch)) {
      gauges.remove(blocks, epoch);
      gauges.closed(epoch);
    }
  }
}
