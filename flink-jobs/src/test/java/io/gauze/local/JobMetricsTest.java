package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.UUID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.junit.jupiter.api.Test;

final class JobMetricsTest {
  private static final Map<String, String> OURS =
      Map.of("metrics.reporter.gauze-progress.factory.class", JobMetrics.Factory.class.getName());

  /** Without a list Flink starts all reporters; with one, those on it. */
  @Test
  void theUsersReportersStay() {
    assertThat(settings(Map.of())).isEqualTo(OURS);
    assertThat(settings(Map.of("metrics.reporters", "jmx")))
        .containsAllEntriesOf(OURS)
        .containsEntry("metrics.reporters", "jmx,gauze-progress");
  }

  /** Flink takes the factories of services alone, and only warns of others. */
  @Test
  void flinkFindsTheFactory() {
    assertThat(ServiceLoader.load(MetricReporterFactory.class))
        .hasAtLeastOneElementOfType(JobMetrics.Factory.class);
  }

  private static Map<String, String> settings(Map<String, String> own) {
    return JobMetrics.settings(Configuration.fromMap(own)).toMap();
  }

  private static MetricGroup group(String job, String id) {
    return new UnregisteredMetricsGroup() {
      @Override
      public Map<String, String> getAllVariables() {
        return Map.of(JobMetrics.JOB, job, "<job_id>", id, JobMetrics.OPERATOR, job + ": fold");
      }

      @Override
      public String[] getScopeComponents() {
        return new String[] {"host", "gauze"};
      }
    };
  }

  private static Counter rows(long count) {
    SimpleCounter counter = new SimpleCounter();
    counter.inc(count);
    return counter;
  }

  private static long rowsOf(String job) {
    return JobMetrics.values(JobMetrics.JOB, job, "rows").sum();
  }

  /** The job of a calibration epoch and the job of the sketches have one name in one process. */
  @Test
  void anotherJobOfTheNameCountsAnew() {
    MetricReporter reporter = new JobMetrics.Factory().createMetricReporter(new Properties());
    String name = "metrics-test-" + UUID.randomUUID();
    Counter ended = rows(7);
    reporter.notifyOfAddedMetric(rows(0), JobMetrics.RESTARTS, group(name, "1"));
    reporter.notifyOfAddedMetric(ended, "rows", group(name, "1"));
    reporter.notifyOfAddedMetric(rows(100), "rows", group("other-" + name, "3"));
    reporter.notifyOfRemovedMetric(ended, "rows", group(name, "1"));
    assertThat(rowsOf(name)).as("of a job that has ended").isEqualTo(7);

    reporter.notifyOfAddedMetric(rows(0), JobMetrics.RESTARTS, group(name, "2"));
    assertThat(rowsOf(name)).isZero();
    reporter.notifyOfAddedMetric(rows(20), "rows", group(name, "2"));
    reporter.notifyOfAddedMetric(rows(0), JobMetrics.RESTARTS, group(name, "2"));
    assertThat(rowsOf(name)).as("a metric that comes again is no new job").isEqualTo(20);
    assertThat(rowsOf("other-" + name)).as("of another job").isEqualTo(100);
  }
}
