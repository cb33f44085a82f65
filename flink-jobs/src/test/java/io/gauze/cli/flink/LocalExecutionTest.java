package io.gauze.cli.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LocalExecutionTest {
  private static final String FAILOVER = "jobmanager.execution.failover-strategy";

  private final StringWriter err = new StringWriter();

  @Test
  void aClusterHereHasTheConfigsSettings() {
    assertThat(settings(Map.of("metrics.reporters", "prom", FAILOVER, "full")))
        .isEqualTo(Map.of("metrics.reporters", "prom", FAILOVER, "full"));
    assertThat(err.toString()).isEmpty();
  }

  /** Regions that restart alone could lose a release. */
  @Test
  void aJobHereRestartsAsAWhole() {
    assertThat(settings(Map.of(FAILOVER, "region"))).isEqualTo(Map.of(FAILOVER, "full"));
    assertThat(err.toString()).contains("warning: GZ-FAILOVER: flink.properties." + FAILOVER);
  }

  private Map<String, String> settings(Map<String, String> flink) {
    return LocalExecution.settings(flink, new PrintWriter(err, true)).toMap();
  }
}
