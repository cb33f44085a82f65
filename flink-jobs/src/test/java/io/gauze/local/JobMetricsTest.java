package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.ServiceLoader;
import org.apache.flink.configuration.Configuration;
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
}
