package io.gauze.pipeline;

import io.gauze.source.RowRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.MapTypeInfo;

/**
 * How far each partition of the rows topic has been read. It never goes back: a log that begins
 * again would bring rows a second time, and Kafka's consumer would not say so.
 */
final class ReadOffsets {
  private static final TypeInformation<Map<Integer, Long>> OFFSETS =
      new MapTypeInfo<>(BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);

  /** Union state: after a change of the parallelism anybody may repeat what was true. */
  private static final ListStateDescriptor<Map<Integer, Long>> READ =
      new ListStateDescriptor<>("read-v1", OFFSETS);

  private final SketchJobSettings settings;
  private final ListState<Map<Integer, Long>> state;
  private final Map<Integer, Long> read = new TreeMap<>();

  private ReadOffsets(SketchJobSettings settings, ListState<Map<Integer, Long>> state) {
    this.settings = settings;
    this.state = state;
  }

  /** Nothing, or what the state holds. */
  static ReadOffsets of(SketchJobSettings settings, OperatorStateStore store) throws Exception {
    ReadOffsets offsets = new ReadOffsets(settings, store.getUnionListState(READ));
    for (Map<Integer, Long> each : offsets.state.get()) {
      each.forEach((partition, next) -> offsets.read.merge(partition, next, Math::max));
    }
    return offsets;
  }

  /** The offset after the last record of a partition that was read; 0 if there was none. */
  long next(int partition) {
    Long next = read.get(partition);
    return next == null ? 0 : next;
  }

  /**
   * Refuses to read a record again.
   *
   * @param next of its partition
   * @throws PrivacyConflictException if its offset is lower
   */
  void check(RowRecord record, long next) {
    if (record.offset() < next) {
      throw PrivacyConflictException.readAgain(settings, record, next);
    }
  }

  /** Keeps how far a partition has been read. */
  void put(int partition, long next) {
    read.put(partition, next);
  }

  /** How far all partitions have been read. */
  Offsets now() {
    return Offsets.of(read);
  }

  void snapshot() throws Exception {
    state.update(List.of(new TreeMap<>(read)));
  }
}
