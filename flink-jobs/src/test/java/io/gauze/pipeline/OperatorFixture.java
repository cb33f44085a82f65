package io.gauze.pipeline;

import io.gauze.privacy.Budget;
import io.gauze.privacy.Randomness;
import io.gauze.release.PrivacyUnit;
import io.gauze.release.SketchRequest;
import io.gauze.release.StreamPlan;
import io.gauze.release.StreamRequest;
import io.gauze.row.Neighbours;
import io.gauze.source.KafkaAccess;
import io.gauze.source.WireType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

/** A stream of seconds for Flink's operator harness, without a broker, and its counters. */
final class OperatorFixture {
  /** Epochs of a second from 1970 on. */
  static final EpochSchedule SECONDS = new EpochSchedule(1000, 0, true, 0);

  private final Map<String, Metric> metrics = new TreeMap<>();

  static StreamPlan plan(double epsilon, int buckets) {
    return plan(epsilon, buckets, PrivacyUnit.ROW);
  }

  static StreamPlan plan(double epsilon, int buckets, PrivacyUnit unit) {
    return StreamPlan.of(request(epsilon, buckets, unit));
  }

  static StreamRequest request(double epsilon, int buckets, PrivacyUnit unit) {
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

  static SketchJobSettings settings(StreamPlan plan, EpochSchedule schedule) {
    return settings(plan, schedule, "rows", "ledger");
  }

  private static SketchJobSettings settings(
      StreamPlan plan, EpochSchedule schedule, String rows, String ledger) {
    return SketchJobSettings.of(
        plan,
        schedule,
        new KafkaAccess("none:1", Map.of()),
        new SketchJobSettings.Topics(rows, "releases", ledger, "dead-letters", "late"));
  }

  /** {@link #small} with other topics. */
  static SketchJobSettings small(String rows, String ledger) {
    return settings(plan(1, 512), SECONDS, rows, ledger)
        .withRandomness(Randomness.noiseFreeForTests(1));
  }

  /** A small stream without noise. */
  static SketchJobSettings small() {
    return settings(plan(1, 512), SECONDS).withRandomness(Randomness.noiseFreeForTests(1));
  }

  static <T> TypeSerializer<T> serializer(WireType<T> type) {
    return type.createSerializer(new SerializerConfigImpl());
  }

  /** An environment whose operators' counters {@link #count} reads. */
  MockEnvironment environment() {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer((metric, name, group) -> metrics.put(name, metric))
            .build();
    return new MockEnvironmentBuilder()
        .setMetricGroup(
            TaskManagerMetricGroup.createTaskManagerMetricGroup(
                    registry, "localhost", ResourceID.generate())
                .addJob(new JobID(), "job")
                .addTask(ExecutionAttemptID.randomId(), "task"))
        .build();
  }

  long count(String counter) {
    return ((Counter) metrics.get(counter)).getCount();
  }

  /** What came out since the last call. */
  static <T> List<T> take(AbstractStreamOperatorTestHarness<T> harness) {
    List<T> values = new ArrayList<>(harness.extractOutputValues());
    harness.getOutput().clear();
    return values;
  }
}
