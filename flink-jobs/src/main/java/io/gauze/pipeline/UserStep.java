package io.gauze.pipeline;

import io.gauze.row.RowRejectedException;
import io.gauze.row.RowTag;
import io.gauze.source.RowRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;

/**
 * Lets the first k rows of a user and epoch into the sketches, and drops the rest. The state holds
 * for each user, by the fingerprint of the id, how many rows there were.
 */
final class UserStep implements KeyedStep {
  private static final MapStateDescriptor<Long, Long> COUNTS =
      new MapStateDescriptor<>(
          "user-rows-v1", BasicTypeInfo.LONG_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);

  /** In place of a partition: rows of the user came from several. */
  private static final int SEVERAL = -1;

  private static final int LEAST_SWEEP = 100_000;

  private final KeyedFoldOperator operator;
  private final EpochSchedule schedule;
  private final RecordReader reader;
  private final MapState<Long, Long> counts;
  private final RowTag tag = new RowTag();
  private final int rowsPerEpoch;
  private final String userField;
  private final boolean keyIsUser;
  private final Counter dropped;

  /** The latest append time of each partition among the rows that came here. */
  private final Map<Integer, Long> seen = new HashMap<>();

  private long added;
  private long nextSweep = LEAST_SWEEP;

  UserStep(
      KeyedFoldOperator operator,
      SketchJobSettings settings,
      EpochSchedule schedule,
      RecordReader reader,
      MetricGroup metrics) {
    this.operator = operator;
    this.schedule = schedule;
    this.reader = reader;
    this.counts = operator.getRuntimeContext().getMapState(COUNTS);
    this.rowsPerEpoch = settings.rowsPerEpoch();
    this.userField = settings.userField().orElseThrow();
    this.keyIsUser = settings.input().isKeyOfRecord();
    this.dropped = metrics.counter("droppedByUserBound");
  }

  @Override
  public void apply(RoutedRecord routed) throws Exception {
    RowRecord record = routed.row();
    long epoch = reader.read(record);
    if (keyIsUser) {
      checkKey(record);
    }
    seen.merge(record.partition(), record.timestamp(), Math::max);
    if (admit(epoch, record.partition())) {
      operator.tag(record, tag);
      operator.fold(reader.group(), epoch, tag, reader.row(), 1);
    } else {
      dropped.inc();
    }
  }

  /** The bound is one on the keys, so they must be the users. */
  private void checkKey(RowRecord record) throws RowRejectedException {
    String key = new String(record.key().orElseThrow(), StandardCharsets.UTF_8);
    if (!key.equals(reader.textOf(userField))) {
      throw new RowRejectedException(
          "field "
              + userField
              + ", the user, is not the record's key as text; send it as key, or set kafka.rows.key: {field: "
              + userField
              + "}");
    }
  }

  // A count is at most k; above it the partition.
  private boolean admit(long epoch, int partition) throws Exception {
    Long held = counts.get(epoch);
    int count = held == null ? 0 : held.intValue();
    if (count >= rowsPerEpoch) {
      return false;
    }
    int from = held == null || (int) (held >> Integer.SIZE) == partition ? partition : SEVERAL;
    counts.put(epoch, (long) from << Integer.SIZE | (count + 1));
    added += held == null ? 1 : 0;
    return true;
  }

  /**
   * Forgets the counts of epochs in which no further row of the user can count: a row of the same
   * partition came that was appended later than that, by more than brokers' clocks go back.
   */
  @Override
  public void tidy() throws Exception {
    if (added < nextSweep || schedule.isAll()) {
      return;
    }
    long[] left = {0};
    operator
        .<String>getKeyedStateBackend()
        .applyToAllKeys(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            COUNTS,
            (key, state) -> left[0] += tidy(state));
    added = left[0];
    nextSweep = Math.max(LEAST_SWEEP, 2 * left[0]);
  }

  private long tidy(MapState<Long, Long> ofUser) throws Exception {
    List<Long> over = new ArrayList<>();
    long left = 0;
    for (Map.Entry<Long, Long> entry : ofUser.entries()) {
      Long latest = seen.get((int) (entry.getValue() >> Integer.SIZE));
      if (latest != null && latest >= schedule.cutMillis(entry.getKey())) {
        over.add(entry.getKey());
      } else {
        left++;
      }
    }
    for (Long epoch : over) {
      ofUser.remove(epoch);
    }
    return left;
  }
}
