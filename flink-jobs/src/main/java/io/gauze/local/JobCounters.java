package io.gauze.local;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Sums Flink counters of jobs in this JVM, so that a command can show progress. A Flink metric
 * reporter.
 */
public final class JobCounters implements MetricReporter {
  private static final String REPORTER = "gauze-progress";
  private static final Map<Counter, String> COUNTERS = new ConcurrentHashMap<>();

  private JobCounters() {}

  /** The settings that a {@link LocalCluster} needs for its counters to be seen here. */
  public static Configuration settings() {
    Configuration settings = new Configuration();
    settings.setString("metrics.reporters", REPORTER);
    settings.setString("metrics.reporter." + REPORTER + ".factory.class", Factory.class.getName());
    return settings;
  }

  /** The sum, over all subtasks of running jobs, of the counters named {@code name}. */
  public static long sum(String name) {
    return COUNTERS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(name))
        .mapToLong(entry -> entry.getKey().getCount())
        .sum();
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {
    COUNTERS.clear();
  }

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (metric instanceof Counter counter) {
      COUNTERS.put(counter, name);
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    if (metric instanceof Counter counter) {
      COUNTERS.remove(counter);
    }
  }

  /** For Flink, which names it in its configuration. */
  public static final class Factory implements MetricReporterFactory {
    /** For Flink. */
    public Factory() {}

    @Override
    public MetricReporter createMetricReporter(java.util.Properties properties) {
      return new JobCounters();
    }
  }
}
