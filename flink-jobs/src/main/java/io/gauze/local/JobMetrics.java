package io.gauze.local;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * A Flink metric reporter that lets a command show the progress of jobs in this JVM. It holds the
 * counters and gauges of group {@code gauze}, the lag of sources and the restarts of jobs. The
 * metrics of a task that has ended keep their last value; those of a restarted task begin anew.
 * When a job begins, those of earlier jobs of its name are forgotten.
 */
public final class JobMetrics implements MetricReporter {
  /** Flink's variable for the name of an operator. */
  public static final String OPERATOR = "<operator_name>";

  /** Flink's variable for the name of a job. */
  public static final String JOB = "<job_name>";

  private static final String JOB_ID = "<job_id>";

  /** Flink's metric of sources: the number of available records that have not been read. */
  public static final String PENDING_RECORDS = "pendingRecords";

  /** Flink's metric of jobs: the number of restarts. */
  public static final String RESTARTS = "numRestarts";

  /** The number of characters to which Flink truncates an operator's name in its metrics. */
  private static final int LONGEST_NAME = 80;

  private static final String REPORTER = "gauze-progress";
  private static final String GROUP = "gauze";

  /** The variables that differ between two attempts of one task. */
  private static final List<String> OF_ATTEMPT =
      List.of("<task_attempt_id>", "<task_attempt_num>", "<tm_id>");

  private static final Map<Place, Metric> METRICS = new ConcurrentHashMap<>();

  /**
   * The identity of a metric.
   *
   * @param scope the values of Flink's variables, without those that change at a restart
   */
  private record Place(String name, Map<String, String> scope) {
    // A job that counts ranges reads the rows that the job after it reads again: together they
    // would count them twice.
    /** Returns whether the other metric is of another job of the same name. */
    private boolean isAfter(Place other) {
      return Objects.equals(scope.get(JOB), other.scope.get(JOB))
          && !Objects.equals(scope.get(JOB_ID), other.scope.get(JOB_ID));
    }
  }

  /** The last value of a metric whose task has ended. */
  private record Last(long value) implements Metric {}

  private JobMetrics() {}

  /** Adds this reporter to the settings of a {@link LocalCluster}, besides its own reporters. */
  public static Configuration settings(Configuration own) {
    Configuration settings = new Configuration(own);
    settings.setString("metrics.reporter." + REPORTER + ".factory.class", Factory.class.getName());
    // Without this list, Flink starts all configured reporters.
    own.getOptional(MetricOptions.REPORTERS_LIST)
        .ifPresent(list -> settings.set(MetricOptions.REPORTERS_LIST, list + "," + REPORTER));
    return settings;
  }

  /** Returns the sum, over all subtasks, of the metrics named {@code name}. */
  public static long sum(String name) {
    return values(OPERATOR, "", name).sum();
  }

  /**
   * Returns the values of the metrics named {@code name}, one a subtask, in scopes whose {@code
   * variable} begins with {@code prefix}, up to the length at which Flink truncates names.
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
      return Optional.empty(); // its task is ending, or it has no value yet
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
      Place place = place(name, group);
      if (name.equals(RESTARTS)) { // the first metric of a job
        METRICS.keySet().removeIf(place::isAfter);
      }
      METRICS.put(place, metric);
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

  /** For Flink, which loads it by its name in the configuration. */
  public static final class Factory implements MetricReporterFactory {
    /** For Flink, which creates it by reflection. */
    public Factory() {}

    @Override
    public MetricReporter createMetricReporter(java.util.Properties properties) {
      return new JobMetrics();
    }
  }
}
