package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.cli.flink.LocalBroker;
import io.gauze.cli.option.CommandMessage;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.junit.jupiter.api.Test;

/** What is said of settings before a job or a service starts. */
final class WarningsTest {
  private static final String MOMENTS = "- {name: moments, mechanism: noisy-moments}";

  private static String said(String further, BiConsumer<JobStreams, PrintWriter> warn)
      throws ConfigException {
    String text = RowsFile.config("said", MOMENTS, further);
    StringWriter said = new StringWriter();
    PrintWriter err = new PrintWriter(said);
    warn.accept(JobStreams.of(StreamConfig.parse("said.yaml", text)), err);
    err.flush();
    return said.toString();
  }

  @Test
  void aServiceThatOthersReachNeedsATokenAndTls() {
    assertThat(ServeCommand.risk(false, false, true).orElseThrow())
        .isEqualTo(CommandMessage.OPENSERVICE.of());
    assertThat(ServeCommand.risk(false, true, false).orElseThrow())
        .isEqualTo(CommandMessage.CLEARTOKEN.of());
    assertThat(ServeCommand.risk(false, true, true)).isEmpty();
    assertThat(ServeCommand.risk(true, false, false)).isEmpty();
    assertThat(ServeCommand.refused(Path.of("c.pem"), "names no host").line())
        .startsWith("GZ-CERTIFICATE: ")
        .endsWith("It is c.pem, which names no host.");
  }

  @Test
  void upLeavesOutWhatItsBrokerHasNot() throws ConfigException {
    String kafka = "kafka: {properties: {linger.ms: 5}, create: {partitions: 2, replicas: 3}}";
    assertThat(said(kafka, LocalBroker::warn))
        .contains("warning: GZ-PLAINBROKER: ", "warning: GZ-ONEREPLICA: ");
    assertThat(said("", LocalBroker::warn)).doesNotContain("warning");
  }

  @Test
  void cumulativeReleasesNeedKeptCheckpoints() throws ConfigException {
    String text =
        RowsFile.config("said", MOMENTS, "cumulative: 3")
            .replace("replace-one}", "replace-one, totalBudget: {epsilon: 20, delta: 1.0e-6}}")
            .replace("length: all", "length: PT1H, from: 2026-01-01T00:00:00Z");
    JobStreams job = JobStreams.of(StreamConfig.parse("said.yaml", text));
    StringWriter said = new StringWriter();
    RunCommand.warnOfState(job, new Configuration(), new PrintWriter(said));
    assertThat(said.toString()).contains("warning: GZ-UNKEPT: ", "of stream said cannot go on.");
    Configuration kept = new Configuration();
    kept.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, "file:///c");
    kept.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    StringWriter nothing = new StringWriter();
    RunCommand.warnOfState(job, kept, new PrintWriter(nothing));
    assertThat(nothing.toString()).isEmpty();
  }
}
