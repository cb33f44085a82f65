package io.gauze.cli;

import io.gauze.cli.flink.BrokerCheck;
import io.gauze.cli.flink.ClientSettings;
import io.gauze.cli.flink.FlinkClientContext;
import io.gauze.cli.flink.LocalExecution;
import io.gauze.cli.flink.LocalJobRegistry;
import io.gauze.cli.flink.SavepointCheck;
import io.gauze.cli.flink.SecondJob;
import io.gauze.cli.flink.SketchJobName;
import io.gauze.cli.flink.StatusLines;
import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.ConfigsOption;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.GuaranteeOption;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.config.ConfigException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.local.CloseAtExit;
import io.gauze.message.Message;
import io.gauze.plan.StreamPlan;
import io.gauze.report.Messages;
import io.gauze.stream.JobMessage;
import io.gauze.stream.StreamSettings;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The verb {@code run}: runs the sketch job on the configured Kafka, in this process or on the
 * cluster of {@code flink run}.
 */
@Command(
    name = "run",
    description = {
      "Runs the sketch job on the configured Kafka until Ctrl-C, or to the end of bounded rows.",
      "In this process; or on a cluster: flink run gauze-cluster.jar run --config FILE.",
      "Several configs make one job of several streams, which start, fail and stop together.",
      "In this process, a line a minute on standard error counts the rows of each stream since the"
          + " start, and says what was released last and how many records are still to be read"
          + " (lag)."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze run --config examples/meters.yaml",
      "  ./gauze run --config examples/meters.yaml --config FILE"
    })
public final class RunCommand implements Callable<Integer> {
  @Mixin private ConfigsOption configs;

  @Option(
      names = "--restore",
      paramLabel = "SAVEPOINT",
      description = "Go on from this savepoint or checkpoint; on a cluster: flink run -s.")
  private Optional<String> restore = Optional.empty();

  @Mixin private GuaranteeOption guarantee;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    JobStreams job = configs.read();
    for (StreamConfig config : job.configs()) {
      config.requireEpochsForRanges();
    }
    AutoCloseable unfinished = () -> sayUnfinished(job);
    CloseAtExit.register(unfinished);
    try {
      return run(job);
    } finally {
      if (!CloseAtExit.ending()) { // otherwise it has ended because of the signal
        CloseAtExit.forget(unfinished);
      }
    }
  }

  private void sayUnfinished(JobStreams job) {
    if (job.bounded() && !FlinkClientContext.isGuest()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "gauze: not finished: ended by a signal before the end of the rows; gauze ledger shows"
              + " what is released");
      err.flush();
    }
  }

  private Integer run(JobStreams job) throws Exception {
    if (!job.isOne() && job.bounded() && FlinkClientContext.isGuest()) {
      throw new ConfigException(
          "several streams in one job must not end on a cluster, where Flink 2.3.0 could lose a"
              + " release (FLINK-40482). Submit a job for each; or run them all in one process with"
              + " gauze run");
    }
    PrintWriter err = spec.commandLine().getErr();
    SketchJobPlan planned = SketchJobPlan.of(job);
    planned.warn(err);
    StreamExecutionEnvironment env = environment(job, restore);
    ShortEpochs.warn(planned, env.getConfiguration(), err);
    UnknownKeys.warn(job, err);
    if (LocalExecution.is(env)) {
      SavepointCheck.require(env.getConfiguration());
    }
    SavepointCheck.requireSameStreams(env.getConfiguration(), job);
    err.println("connecting to Kafka at " + brokers(job));
    err.flush();
    reach(job);
    Optional<String> savepoint =
        env.getConfiguration().getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
    SketchJobPlan.Creations creations = stream -> stream.kafka().create();
    Optional<SketchJobPlan> known =
        new RangeEpochs(creations, counting(err), savepoint, err).chosen(planned);
    if (known.isEmpty()) {
      return ExitStatus.DONE;
    }
    SketchJobPlan ready = known.get().prepare(creations, err);
    ready.warn(err);
    Set<String> restored = restored(job, env, err);
    if (!FlinkClientContext.isInCluster()) { // where it may go on from its own checkpoint
      if (savepoint.isEmpty()) { // a restored state may hold releases that were never sent
        checkSomethingLeft(job, ready, err);
      }
      ready.requireState(restored);
      sayFirst(job, ready, restored, err);
    }
    saySkipped(job, ready, err);
    ready.promise(err, guarantee);
    ready.build(env);
    SavepointCheck.sayRestored(env.getConfiguration(), err);
    if (LocalExecution.is(env)) {
      warnOfState(job, env.getConfiguration(), err);
      err.println(running(job));
    }
    err.flush();
    LocalExecution.run(env, SketchJobName.of(job.names()), err, here(ready, job.bounded(), err));
    if (job.bounded() && LocalExecution.is(env) && !CloseAtExit.ending()) {
      requireFinished(job, ready, restored);
    }
    return ExitStatus.DONE;
  }

  private static Set<String> restored(
      JobStreams job, StreamExecutionEnvironment env, PrintWriter err) throws ConfigException {
    Optional<String> savepoint =
        env.getConfiguration().getOptional(StateRecoveryOptions.SAVEPOINT_PATH);
    return savepoint.isPresent()
        ? SavepointCheck.check(savepoint.get(), env.getConfiguration(), job, err)
        : Set.of();
  }

  private static LocalExecution.Here here(SketchJobPlan ready, boolean bounded, PrintWriter err) {
    JobStreams job = ready.job();
    return new LocalExecution.Here(
        LocalExecution.settings(job.flink(), err),
        !bounded,
        rest -> LocalJobRegistry.announce(job, rest, err),
        preflight(new SecondJob(job, err), ready),
        Optional.of(new StatusLines(job, err, Clock.systemUTC())));
  }

  private RangeEpochs.Runner counting(PrintWriter err) {
    return new RangeEpochs.Runner() {
      @Override
      public void begin(SketchJobPlan counts) throws IOException {
        new SecondJob(counts.job(), err).refuse();
        counts.writeBegins();
        CloseAtExit.endNormallyBySignal(true);
      }

      @Override
      public void run(SketchJobPlan counts) throws Exception {
        count(counts, err);
      }
    };
  }

  /** Runs the job of a calibration epoch to its end. */
  private void count(SketchJobPlan counts, PrintWriter err) throws Exception {
    CloseAtExit.endNormallyBySignal(false);
    JobStreams job = counts.job();
    StreamExecutionEnvironment env = environment(job, restore);
    Set<String> restored = restored(job, env, err);
    counts.requireState(restored);
    counts.build(env);
    SavepointCheck.sayRestored(env.getConfiguration(), err);
    LocalExecution.runToEnd(env, SketchJobName.of(job.names()), err, here(counts, true, err));
    if (!CloseAtExit.ending()) {
      requireFinished(job, counts, restored);
    }
  }

  private static LocalExecution.Preflight preflight(SecondJob second, SketchJobPlan ready) {
    return new LocalExecution.Preflight() {
      @Override
      public void refuseSecond() throws IOException {
        second.refuse();
      }

      @Override
      public void begin() throws IOException {
        ready.writeBegins();
      }
    };
  }

  /**
   * Checks that all releases are published. Also a job that was stopped with a savepoint ends
   * without an error, but is not finished.
   */
  private static void requireFinished(JobStreams job, SketchJobPlan ended, Set<String> restored)
      throws IOException {
    for (SketchJobPlan.Planned stream : ended.streams()) {
      Optional<Message> unfinished =
          SketchPreflight.unfinished(stream.ready(), restored.contains(stream.config().stream()));
      if (unfinished.isPresent()) {
        throw new IOException(job.prefix(stream.config()) + unfinished.get().line());
      }
    }
  }

  private static String brokers(JobStreams job) throws ConfigException {
    Set<String> brokers = new LinkedHashSet<>();
    for (StreamConfig config : job.configs()) {
      try {
        brokers.add(config.kafka().requireBootstrap());
      } catch (ConfigException e) {
        throw new ConfigException(job.prefix(config) + e.getMessage(), e);
      }
    }
    return String.join("; ", brokers);
  }

  private static void reach(JobStreams job) throws ConfigException, IOException {
    BrokerCheck brokers = new BrokerCheck(BrokerCheck.OF_JOBS);
    for (StreamConfig config : job.configs()) {
      brokers.reach(config);
    }
  }

  /**
   * Warns if a crash would lose the state of a cumulative series, which cannot go on without it.
   */
  static void warnOfState(JobStreams job, ReadableConfig flink, PrintWriter err) {
    boolean kept =
        flink.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY).isPresent()
            && flink.get(CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION)
                == ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION;
    for (StreamConfig config : job.configs()) {
      if (config.scope().releases().isCumulative() && !config.kafka().bounded() && !kept) {
        Message message = JobMessage.UNKEPT.of(config.stream());
        Messages.all("warning: " + job.prefix(config), List.of(message)).forEach(err::println);
      }
    }
  }

  private static String running(JobStreams job) {
    return "running"
        + (job.isOne() ? "" : " " + job.configs().size() + " streams")
        + (job.bounded() ? " to the end of the rows" : " until Ctrl-C")
        + "; releases go to topic "
        + job.configs().stream()
            .map(
                config ->
                    config.kafka().topics().releases()
                        + (job.isOne() ? "" : " (" + config.stream() + ")"))
            .collect(Collectors.joining(", "));
  }

  /** Returns Flink's environment with the configs' settings, after a check of them. */
  static StreamExecutionEnvironment environment(JobStreams job, Optional<String> restore)
      throws ConfigException {
    return environment(job, job.flink(), restore);
  }

  /** Returns Flink's environment with these settings instead of the configs'. */
  static StreamExecutionEnvironment environment(
      JobStreams job, Map<String, String> flink, Optional<String> restore) throws ConfigException {
    try {
      Configuration settings = SketchJob.configuration(ClientSettings.of(flink, restore));
      return StreamExecutionEnvironment.getExecutionEnvironment(settings);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          ConfigLocation.flink(
              job.configs().get(0),
              e.getMessage() + " Set it for this job with flink run -D, or in flink.properties."),
          e);
    }
  }

  public static StreamPlan plan(StreamConfig stream) throws PrivacyRefusalException {
    try {
      return StreamSettings.plan(stream);
    } catch (IllegalArgumentException e) {
      throw new PrivacyRefusalException(ConfigLocation.plan(stream, e.getMessage()), e);
    }
  }

  /**
   * Refuses a job in which no stream has anything left to release. A finished stream stays in the
   * job of others.
   */
  private static void checkSomethingLeft(JobStreams job, SketchJobPlan ready, PrintWriter err)
      throws Exception {
    boolean nothing = ready.streams().stream().allMatch(stream -> stream.ready().nothingLeft());
    for (SketchJobPlan.Planned stream : ready.streams()) {
      String prefix = job.prefix(stream.config());
      if (nothing) {
        throw nothingLeft(prefix, stream.ready(), stream.config());
      }
      if (stream.ready().nothingLeft()) {
        err.println(prefix + "nothing is left to release");
      }
    }
  }

  private static void sayFirst(
      JobStreams job, SketchJobPlan ready, Set<String> restored, PrintWriter err) {
    for (SketchJobPlan.Planned stream : ready.streams()) {
      EpochSchedule epochs = stream.ready().settings().schedule();
      if (!epochs.isAll() && !restored.contains(stream.config().stream())) {
        err.println(
            job.prefix(stream.config()) + "first epoch: " + epochs.label(epochs.firstEpoch()));
      }
    }
  }

  private static void saySkipped(JobStreams job, SketchJobPlan ready, PrintWriter err) {
    for (SketchJobPlan.Planned stream : ready.streams()) {
      int skipped = stream.ready().skipped().size();
      if (skipped > 0) {
        err.println(
            job.prefix(stream.config())
                + "skipped: "
                + skipped
                + " releases that the ledger holds already");
      }
    }
  }

  private static Exception nothingLeft(
      String prefix, SketchPreflight.Prepared prepared, StreamConfig stream) {
    List<String> skipped = prepared.skipped();
    if (skipped.isEmpty()) {
      return new IOException(prefix + JobMessage.NOEPOCH.of(stream.stream()).line());
    }
    String unsent =
        prepared.unsent().isEmpty()
            ? ""
            : " Of these, "
                + prepared.unsent().size()
                + " may never have been sent: restore their job from its checkpoint, or regard"
                + " their budget as spent.";
    Topics topics = stream.kafka().topics();
    Message message =
        JobMessage.NOTHINGLEFT
            .of(topics.ledger(), skipped.size(), topics.releases())
            .with("The last is " + skipped.get(skipped.size() - 1) + "." + unsent);
    return new PrivacyRefusalException(prefix + message.line(), null);
  }
}
