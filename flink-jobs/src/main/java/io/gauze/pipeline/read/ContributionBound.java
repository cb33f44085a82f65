package io.gauze.pipeline.read;

import io.gauze.config.EpochSchedule;
import io.gauze.kafka.RowRecord;
import io.gauze.ledger.HeldReleases;
import io.gauze.publish.PublishedEpochs;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowTag;
import io.gauze.source.KeyText;
import io.gauze.source.format.KeyReader;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the first {@code rowsPerEpoch} rows of each user and epoch into the sketches, and drops the
 * rest. The state holds the number of rows of each user and epoch, under the fingerprint of the
 * user's id.
 */
final class ContributionBound implements KeyedRowHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ContributionBound.class);

  private static final MapStateDescriptor<Long, Long> COUNTS =
      new MapStateDescriptor<>(
          "user-rows-v1", BasicTypeInfo.LONG_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);

  private static final int LEAST_SWEEP = 100_000;

  private final KeyedFoldOperator operator;
  private final EpochSchedule schedule;
  private final RecordReader reader;
  private final MapState<Long, Long> counts;
  private final RowTag tag = new RowTag();
  private final int rowsPerEpoch;
  private final String userField;
  private final boolean keyIsUser;
  private final KeyReader keys;
  private final Counter dropped;
  private final Counter beforeFirst;

  private final SketchJobSettings settings;
  private final PublishedEpochs released;

  private long added = LEAST_SWEEP; // the number of restored counts is not known
  private long nextSweep = LEAST_SWEEP;

  ContributionBound(
      KeyedFoldOperator operator,
      SketchJobSettings settings,
      EpochSchedule schedule,
      RecordReader reader,
      PublishedEpochs released,
      MetricGroup metrics) {
    this.settings = settings;
    this.released = released;
    this.operator = operator;
    this.schedule = schedule;
    this.reader = reader;
    this.counts = operator.getRuntimeContext().getMapState(COUNTS);
    this.rowsPerEpoch = settings.rowsPerEpoch();
    this.userField = settings.userField().orElseThrow();
    this.keyIsUser = settings.input().isKeyOfRecord();
    this.keys = settings.input().format().keys();
    this.dropped = metrics.counter("droppedByUserBound");
    this.beforeFirst = metrics.counter("rowsBeforeFirstEpoch");
  }

  @Override
  public void apply(RoutedRecord routed) throws Exception {
    RowRecord record = routed.row();
    long epoch = reader.read(record);
    if (epoch < schedule.firstEpoch()) {
      beforeFirst.inc();
      return;
    }
    if (keyIsUser) {
      checkKey(record);
    }
    if (admit(epoch)) {
      operator.tag(record, tag);
      operator.fold(reader.group(), epoch, tag);
    } else {
      dropped.inc();
    }
  }

  /**
   * Checks that the record's key is the user: records are routed by key, so the bound is per key.
   */
  private void checkKey(RowRecord record) throws RowRejectedException {
    byte[] user = reader.textOf(userField).getBytes(StandardCharsets.UTF_8);
    byte[] key = record.key().orElseThrow();
    if (!settings.input().comparesBytes()) {
      key = keys.text(key).getBytes(StandardCharsets.UTF_8);
    }
    if (!Arrays.equals(KeyText.of(user), KeyText.of(key))) {
      throw new RowRejectedException(
          "field "
              + userField
              + ", the user, is not the record's key; send it as key, or set kafka.rows.key:"
              + " {field: "
              + userField
              + "}");
    }
  }

  private boolean admit(long epoch) throws Exception {
    Long held = counts.get(epoch);
    long count = held == null ? 0 : held;
    if (count >= rowsPerEpoch) {
      return false;
    }
    counts.put(epoch, count + 1);
    added += held == null ? 1 : 0;
    return true;
  }

  /**
   * Removes the counts of epochs whose releases are all in the ledger. Earlier would be wrong:
   * another partition may be behind and still bring rows of the user.
   */
  @Override
  public void tidy() throws Exception {
    if (added < nextSweep || schedule.isAll()) {
      return;
    }
    Map<Long, Boolean> isOver = new HashMap<>();
    HeldReleases ids;
    try {
      ids = released.ids(settings);
    } catch (IOException | KafkaException e) {
      LOG.warn("The ledger could not be read; users' counts are kept until it can.", e);
      return;
    }
    long[] left = {0};
    operator
        .<String>getKeyedStateBackend()
        .applyToAllKeys(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            COUNTS,
            (key, state) -> left[0] += tidy(state, isOver, ids));
    added = left[0];
    nextSweep = Math.max(LEAST_SWEEP, 2 * left[0]);
  }

  private long tidy(MapState<Long, Long> ofUser, Map<Long, Boolean> isOver, HeldReleases ids)
      throws Exception {
    List<Long> over = new ArrayList<>();
    long left = 0;
    for (Long epoch : ofUser.keys()) {
      if (isOver.computeIfAbsent(epoch, e -> settings.areIn(ids, e))) {
        over.add(epoch);
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
