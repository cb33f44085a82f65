package io.gauze.pipeline;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.config.EpochSchedule;
import io.gauze.job.StreamFixture;
import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.kafka.WireType;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.CellMessage;
import io.gauze.stream.KeyGroups;
import io.gauze.stream.Offsets;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.RecordedMetrics;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

/** A stream of seconds for Flink's operator harness, without a broker, and its metrics. */
public final class OperatorFixture {
  /** Epochs of a second from 1970 on. */
  public static final EpochSchedule SECONDS = new EpochSchedule(1000, 0, true, 0);

  /** The key of messages about all cells: the harness has one key group. */
  public static final String EVERY_CELL = KeyGroups.keys(1).get(0);

  private final RecordedMetrics metrics = new RecordedMetrics();

  public static StreamPlan plan(double epsilon, int buckets) {
    return plan(epsilon, buckets, BudgetScope.ROWS);
  }

  public static StreamPlan plan(double epsilon, int buckets, BudgetScope unit) {
    return StreamPlan.of(request(epsilon, buckets, unit));
  }

  public static StreamRequest request(double epsilon, int buckets, BudgetScope unit) {
    return new StreamRequest(
        "seconds",
        StreamFixture.schema(),
        new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
        unit,
        1000,
        List.of(),
        List.of(
            new SketchRequest(
                "buckets", "count-sketch", 1, Map.of("buckets", Integer.toString(buckets))),
            new SketchRequest("moments", "noisy-moments", 1, Map.of())));
  }

  public static SketchJobSettings settings(StreamPlan plan, EpochSchedule schedule) {
    return settings(plan, schedule, "rows", "ledger");
  }

  private static SketchJobSettings settings(
      StreamPlan plan, EpochSchedule schedule, String rows, String ledger) {
    return SketchJobSettings.of(
        plan,
        schedule,
        new KafkaAccess("none:1", Map.of()),
        new Topics(rows, "releases", ledger, "requests", "answers", "dead-letters", "late"));
  }

  /** {@link #small} with other topics. */
  public static SketchJobSettings small(String rows, String ledger) {
    return settings(plan(1, 512), SECONDS, rows, ledger)
        .withRandomness(Randomness.noiseFreeForTests(1));
  }

  /** A small stream without noise. */
  public static SketchJobSettings small() {
    return settings(plan(1, 512), SECONDS).withRandomness(Randomness.noiseFreeForTests(1));
  }

  public static <T> TypeSerializer<T> serializer(WireType<T> type) {
    return type.createSerializer(new SerializerConfigImpl());
  }

  /** Returns the message that an epoch ends at these offsets. */
  public static CellMessage cut(long epoch, Map<Integer, Long> ends) {
    return CellMessage.cut(EVERY_CELL, epoch, epoch, Offsets.of(ends));
  }

  /** Returns the message that rows have been folded up to these offsets. */
  public static CellMessage progress(Map<Integer, Long> next) {
    return CellMessage.progress(EVERY_CELL, Offsets.of(next));
  }

  /** An environment whose operators' metrics {@link #count} reads. */
  public MockEnvironment environment() {
    return metrics.environment();
  }

  /** What a counter or gauge says: of the harness that was made last. */
  public long count(String metric) {
    return metrics.value(metric);
  }

  /** What the gauge of a column says. */
  public long count(String metric, String column) {
    return metrics.value(metric, column);
  }

  /** Gives an operator these records, one after the other. */
  @SafeVarargs
  public static <T> void send(OneInputStreamOperatorTestHarness<T, ?> harness, T... records)
      throws Exception {
    for (T record : records) {
      harness.processElement(new StreamRecord<>(record));
    }
  }

  /** Gives an operator these records of the log in one element. */
  public static void sendRows(
      OneInputStreamOperatorTestHarness<RowRecords, ?> harness, RowRecord... rows)
      throws Exception {
    harness.processElement(new StreamRecord<>(RowRecords.of(rows)));
  }

  /** Opens an operator, with the states of the subtasks of one before if there are any. */
  public static <T> void open(
      OneInputStreamOperatorTestHarness<?, T> harness,
      WireType<T> type,
      OperatorSubtaskState... state)
      throws Exception {
    harness.setup(serializer(type));
    if (state.length > 0) {
      harness.initializeState(AbstractStreamOperatorTestHarness.repackageState(state));
    }
    harness.open();
  }

  /** What came out since the last call. */
  public static <T> List<T> take(AbstractStreamOperatorTestHarness<T> harness) {
    List<T> values = new ArrayList<>(harness.extractOutputValues());
    harness.getOutput().clear();
    return values;
  }
}
