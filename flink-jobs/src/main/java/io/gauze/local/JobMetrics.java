package io.gauze.local;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * Counters and gauges of jobs in this JVM, so that a command can show progress: those of group
 * {@code gauze}, the lag of sources and the restarts of jobs. Of a task that has ended they stay as
 * they were; of one that has started again they begin anew. A Flink metric reporter.
 */
public final class JobMetrics implements MetricReporter {
  /** Flink's name of the scope of operators. */
  public static final String OPERATOR = "<operator_name>";

  /** Flink's name of the scope of jobs. */
  public static final String JOB = "<job_name>";

  /** Flink's metric of sources: how many records are there that have not been read. */
  public static final String PENDING_RECORDS = "pendingRecords";

  /** Flink's metric of jobs. */
  public static final String RESTARTS = "numRestarts";

  /** What Flink keeps of an operator's name in its metrics. */
  private static final int LONGEST_NAME = 80;

  private static final String REPORTER = "gauze-progress";
  private static final String GROUP = "gauze";

  /** They differ between two starts of one task. */
  private static final List<String> OF_ATTEMPT =
      List.of("<task_attempt_id>", "<task_attempt_num>", "<tm_id>");

  private static final Map<Place, Metric> METRICS = new ConcurrentHashMap<>();

  /**
   * Where a metric is.
   *
   * @param scope the values of Flink's variables, without those that change at a restart
   */
  private record Place(String name, Map<String, String> scope) {}

  /** What a metric was when its task ended. */
  private record Last(long value) implements Metric {}

  private JobMetrics() {}

  /** The settings of a {@link LocalCluster} whose metrics are seen here, beside its own. */
  public static Configuration settings(Configuration own) {
    Configuration settings = new Configuration(own);
    settings.setString("metrics.reporter." + REPORTER + ".factory.class", Factory.class.getName());
    // Without a list Flink starts all reporters that are described.
    own.getOptional(MetricOptions.REPORTERS_LIST)
        .ifPresent(list -> settings.set(MetricOptions.REPORTERS_LIST, list + "," + REPORTER));
    return settings;
  }

  /** The sum, over all subtasks, of the metrics named {@code name}. */
  public static long sum(String name) {
    return values(OPERATOR, "", name).sum();
  }

  /**
   * The values of the metrics named {@code name}, one a subtask, in scopes whose {@code variable}
   * begins with {@code prefix}, as far as Flink keeps names.
   */
  public static LongStream values(String variable, String prefix, String name) {
    String kept = prefix.substring(0, Math.min(prefix.length(), LONGEST_NAME));
    return METRICS.entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name))
        .filter(entry -> entry.getKey().scope().getOrDefault(variable, "").startsWith(kept))
        .flatMap(entry -> value(entry.getValue()).stream())
        .mapToLong(value -> value);
  }

  private static Optional<Long> value(Metric metric) {
    if (metric instanceof Last last) {
      return Optional.of(last.value());
    }
    if (metric instanceof Counter counter) {
      return Optional.of(counter.getCount());
    }
    try {
      return metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number
          ? Optional.of(number.longValue())
          : Optional.empty();
    } catch (RuntimeException e) {
      return Optional.empty(); // its task is ending, or has no value yet
    }
  }

  private static Place place(String name, MetricGroup group) {
    Map<String, String> scope = new HashMap<>(group.getAllVariables());
    OF_ATTEMPT.forEach(scope::remove);
    return new Place(name, scope);
  }

  private static boolean isWanted(String name, MetricGroup group) {
    return name.equals(PENDING_RECORDS)
        || name.equals(RESTARTS)
        || List.of(group.getScopeComponents()).contains(GROUP);
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {
    METRICS.clear();
  }

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (isWanted(name, group)) {
      METRICS.put(place(name, group), metric);
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    if (isWanted(name, group)) {
      METRICS.computeIfPresent(
          place(name, group),
          (place, known) -> known == metric ? value(metric).map(Last::new).orElse(null) : known);
    }
  }

  /** For Flink, which names it in its configuration. */
  public static final class Factory implements MetricReporterFactory {
    /** For Flink. */
    public Factory() {}

    @Override
    public MetricReporter createMetricReporter(java.util.Properties properties) {
      return new JobMetrics();
    }
  }
}
