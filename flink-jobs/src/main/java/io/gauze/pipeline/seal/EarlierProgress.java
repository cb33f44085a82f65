package io.gauze.pipeline.seal;

import io.gauze.pipeline.seal.SealProgress.Cut;
import io.gauze.stream.Offsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.java.typeutils.MapTypeInfo;

/**
 * The progress of savepoints of earlier versions, which each cell held by itself. It is moved to
 * the {@link SealProgress} of the subtask. All cells of such a savepoint hold the same; a subtask
 * without cells learns nothing from it.
 */
final class EarlierProgress {
  static final MapStateDescriptor<Integer, Long> READ =
      new MapStateDescriptor<>(
          "progress-v1", BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);
  static final MapStateDescriptor<Integer, Long> READ_AT_END =
      new MapStateDescriptor<>(
          "progress-at-end-v1", BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);
  static final MapStateDescriptor<Long, Map<Integer, Long>> CUTS =
      new MapStateDescriptor<>(
          "cuts-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          new MapTypeInfo<>(BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO));
  static final ValueStateDescriptor<Long> SEALED =
      new ValueStateDescriptor<>("sealed-through-v1", BasicTypeInfo.LONG_TYPE_INFO);
  static final ValueStateDescriptor<Long> OLDEST_CUT =
      new ValueStateDescriptor<>("oldest-cut-v1", BasicTypeInfo.LONG_TYPE_INFO);

  private final MapState<Integer, Long> read;
  private final MapState<Integer, Long> readAtEnd;
  private final MapState<Long, Map<Integer, Long>> cuts;
  private final ValueState<Long> sealed;
  private final ValueState<Long> oldestCut;

  EarlierProgress(RuntimeContext context) {
    read = context.getMapState(READ);
    readAtEnd = context.getMapState(READ_AT_END);
    cuts = context.getMapState(CUTS);
    sealed = context.getState(SEALED);
    oldestCut = context.getState(OLDEST_CUT);
  }

  /** Moves what the cell that is the current key held. */
  void moveTo(SealProgress progress) throws Exception {
    if (sealed.value() != null) {
      progress.restoreSealed(sealed.value());
    }
    progress.advance(copy(read));
    progress.advanceAtEnd(copy(readAtEnd));
    copy(cuts).forEach((epoch, ends) -> progress.cut(new Cut(epoch, epoch, Offsets.of(ends))));
    read.clear();
    readAtEnd.clear();
    cuts.clear();
    sealed.clear();
    oldestCut.clear();
  }

  private static <K, V> SortedMap<K, V> copy(MapState<K, V> held) throws Exception {
    SortedMap<K, V> copy = new TreeMap<>();
    for (Map.Entry<K, V> each : held.entries()) {
      copy.put(each.getKey(), each.getValue());
    }
    return copy;
  }
}
