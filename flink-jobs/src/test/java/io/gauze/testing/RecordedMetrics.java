package io.gauze.testing;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.metrics.groups.InternalOperatorMetricGroup;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;

/** The metrics that operators of Flink's harness register; of two of one name the later one. */
public final class RecordedMetrics {
  private final Map<String, Metric> metrics = new TreeMap<>();

  /** An environment for a harness. */
  public MockEnvironment environment() {
    return new MockEnvironmentBuilder().setMetricGroup(task()).build();
  }

  /** The group of an operator without a harness. */
  public InternalOperatorMetricGroup operator() {
    return task().getOrAddOperator("operator");
  }

  private TaskMetricGroup task() {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer(
                (metric, name, group) -> {
                  String column = group.getAllVariables().getOrDefault("<column>", "");
                  metrics.put(key(name, column), metric);
                })
            .build();
    return TaskManagerMetricGroup.createTaskManagerMetricGroup(
            registry, "localhost", ResourceID.generate())
        .addJob(new JobID(), "job")
        .addTask(ExecutionAttemptID.randomId(), "task");
  }

  private static String key(String name, String column) {
    return column.isEmpty() ? name : name + " of " + column;
  }

  /** What a counter or a gauge of a whole number says. */
  public long value(String name) {
    return value(name, "");
  }

  /** The same of a column's. */
  public long value(String name, String column) {
    Metric metric = metrics.get(key(name, column));
    return metric instanceof Counter counter
        ? counter.getCount()
        : ((Number) ((Gauge<?>) metric).getValue()).longValue();
  }
}
