package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.pipeline.PrivacyConflictException;
import io.gauze.pipeline.SketchJob;
import io.gauze.pipeline.SketchRun;
import io.gauze.pipeline.StreamSettings;
import io.gauze.release.StreamPlan;
import io.gauze.source.TopicAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs the sketch job on the configured Kafka: in this process, or on the cluster that {@code flink
 * run} points to.
 */
@Command(
    name = "run",
    description = {
      "Runs the sketch job on the configured Kafka until Ctrl-C, or to the end of bounded rows.",
      "In this process; or on a cluster: flink run gauze-cluster.jar run --config FILE."
    },
    footer = {"", "Example:", "  gauze run --config wine.yaml"})
final class RunCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Option(
      names = "--restore",
      paramLabel = "SAVEPOINT",
      description = "Go on from this savepoint or checkpoint; on a cluster: flink run -s.")
  private Optional<String> restore = Optional.empty();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    CloseAtExit.endNormallyBySignal(true);
    try {
      return run(config.read());
    } finally {
      CloseAtExit.endNormallyBySignal(false);
    }
  }

  private Integer run(StreamConfig stream) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    StreamPlan plan = plan(stream);
    plan.warnings().forEach(warning -> err.println("warning: " + warning));
    err.println("connecting to Kafka at " + stream.kafka().requireBootstrap());
    err.flush();
    StreamExecutionEnvironment env = environment(stream, restore);
    SketchRun.Prepared prepared = prepare(stream, plan, StreamSettings.creation(stream));
    prepared.warnings().forEach(warning -> err.println("warning: " + warning));
    if (prepared.nothingLeft() && !isRestored(env)) {
      throw nothingLeft(prepared, stream);
    }
    if (!prepared.skipped().isEmpty()) {
      err.println(
          "skipped: " + prepared.skipped().size() + " releases that the ledger holds already");
    }
    err.println(plan.guarantee(prepared.settings().randomness()).sentence());
    err.flush();
    SketchJob.build(env, prepared.settings());
    if (InProcess.is(env)) {
      err.println(
          "running"
              + (stream.kafka().bounded() ? " to the end of the rows" : " until Ctrl-C")
              + "; releases go to topic "
              + stream.kafka().topics().releases());
      err.flush();
    }
    try {
      InProcess.run(env, jobName(stream.stream()), err, rest -> RunningHere.announce(stream, rest));
    } catch (ExecutionException e) {
      throw reason(e);
    }
    return ExitStatus.DONE;
  }

  /** Flink with the config's settings, checked. */
  static StreamExecutionEnvironment environment(StreamConfig stream, Optional<String> restore)
      throws ConfigException {
    try {
      Configuration settings = SketchJob.configuration(ClientSettings.of(stream, restore));
      return StreamExecutionEnvironment.getExecutionEnvironment(settings);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          e.getMessage() + " Set it for this job with flink run -D, or in flink.properties.", e);
    }
  }

  /** A restored state may hold releases that are in the ledger, but were never sent. */
  private static boolean isRestored(StreamExecutionEnvironment env) {
    return env.getConfiguration().getOptional(StateRecoveryOptions.SAVEPOINT_PATH).isPresent();
  }

  static StreamPlan plan(StreamConfig stream) throws PrivacyRefusalException {
    try {
      return StreamSettings.plan(stream);
    } catch (IllegalArgumentException e) {
      throw new PrivacyRefusalException(e.getMessage(), e);
    }
  }

  static SketchRun.Prepared prepare(
      StreamConfig stream, StreamPlan plan, Optional<TopicAdmin.Creation> creation)
      throws IOException, ConfigException, PrivacyRefusalException {
    try {
      return SketchRun.prepare(
          StreamSettings.job(stream, plan, Instant.now()),
          stream.kafka().bounded(),
          stream.epochs().backfill(),
          creation);
    } catch (TopicAdmin.TopicException | IllegalArgumentException e) {
      throw new ConfigException(e.getMessage(), e);
    } catch (PrivacyConflictException e) {
      throw new PrivacyRefusalException(e.getMessage(), e);
    }
  }

  private static Exception nothingLeft(SketchRun.Prepared prepared, StreamConfig stream) {
    if (prepared.skipped().isEmpty()) {
      return new IOException(
          "no epoch is over yet, so there is nothing to release; run again after the end of the first one");
    }
    String unsent =
        prepared.unsent().isEmpty()
            ? ""
            : " Of these, "
                + prepared.unsent().size()
                + " may never have been sent, since the job that made them ended too early: restore it from its checkpoint, or"
                + " regard their budget as spent.";
    return new PrivacyRefusalException(
        "nothing is left to release: the ledger (topic "
            + stream.kafka().topics().ledger()
            + ") holds all "
            + prepared.skipped().size()
            + " releases of these rows, the last one "
            + prepared.skipped().get(prepared.skipped().size() - 1)
            + ". A second sum of the same rows under other noise would reveal more than the guarantee allows. Read the"
            + " releases from topic "
            + stream.kafka().topics().releases()
            + "; or give new rows another stream name and topics."
            + unsent,
        null);
  }

  static String jobName(String stream) {
    return "gauze sketches of " + stream;
  }

  /** What a job failed with, as the program tells it. */
  static Exception reason(ExecutionException e) {
    return SketchRun.conflict(e)
        .map(conflict -> (Exception) new PrivacyRefusalException(conflict, e))
        .orElse(e);
  }
}
