package io.gauze.cli;

import io.gauze.cli.flink.LocalBroker;
import io.gauze.cli.flink.LocalExecution;
import io.gauze.cli.flink.LocalJobRegistry;
import io.gauze.cli.flink.StatusLines;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.option.GuaranteeOption;
import io.gauze.cli.rows.LiveMeters;
import io.gauze.config.ConfigException;
import io.gauze.config.ConfiguredStream;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.report.AdvisedStream;
import io.gauze.report.Report;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The verb {@code up}: runs a broker, a cluster, the jobs and the service in one process. */
@Command(
    name = "up",
    description = {
      "Starts a Kafka broker and a Flink cluster in this process, with the sketch job, the solver"
          + " and the HTTP service on them, and prints their addresses. Runs until Ctrl-C; all"
          + " topics are gone then.",
      "Without a config, made-up readings of smart meters flow in, "
          + "and there is a release every 15 seconds.",
      "The broker listens at the config's kafka.bootstrap, which must be a port of this machine; at"
          + " a free port if it names none. The service listens at port 8642 of this machine, or at"
          + " the next free one.",
      "The streams of several configs are one sketch job; each has a solver of its own.",
      "A line a minute on standard error says what came of the rows of each stream, as with gauze"
          + " run."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze up",
      "  ./gauze up --config examples/meters.yaml",
      "  ./gauze up --config examples/meters.yaml --config FILE"
    })
public final class UpCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = {
        "The stream's description, a YAML file (default: made-up smart meters).",
        "Several, each after its own --config, are the streams of one job."
      })
  private List<Path> files = List.of();

  @Mixin private FormatOption format;

  @Mixin private GuaranteeOption guarantee;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    try {
      JobStreams job = live() ? LiveMeters.stream() : JobStreams.read(files);
      for (StreamConfig config : job.configs()) {
        config.requireEpochsForRanges();
      }
      return run(job);
    } finally {
      CloseAtExit.endNormallyBySignal(false);
    }
  }

  /** Returns whether the rows are made up. */
  private boolean live() {
    return files.isEmpty();
  }

  private Integer run(JobStreams job) throws Exception {
    int port = LocalBroker.port(job);
    LocalBroker.checkRequests(job);
    if (job.bounded()) {
      throw new ConfigException(
          "up begins with an empty topic of rows, so rows that end where the topic ends are none:"
              + " give epochs.length a duration such as PT1H, and leave kafka.rows.bounded out");
    }
    LocalBroker.requireFree(port);
    PrintWriter err = spec.commandLine().getErr();
    SketchJobPlan planned = SketchJobPlan.of(job);
    planned.warn(err);
    if (!live()) {
      LocalBroker.warn(job, err);
    }
    err.println("starting a Kafka broker and a Flink cluster in this process");
    err.flush();
    try (LocalStack stack = LocalStack.start(job, job.flink(), port, err);
        LocalService service = LocalService.create(this::advised)) {
      SketchJobPlan there = planned.withPlainBroker(stack.bootstrap());
      run(there, stack, service, job);
    }
    return ExitStatus.DONE;
  }

  private void run(
      SketchJobPlan there, LocalStack stack, LocalService service, JobStreams configured)
      throws Exception {
    JobStreams job = there.job();
    try (LocalJobRegistry note = LocalJobRegistry.announceUp(List.of(configured, job))) {
      boolean estimates = job.configs().stream().anyMatch(config -> config.estimates().isPresent());
      if (estimates) { // their rows must be sent before the other jobs begin
        stack.createTopics(there);
        service.start(job);
        print(job, service);
      }
      if (live()) {
        runLive(there, stack, service);
        return;
      }
      Optional<SketchJobPlan> known = stack.ranges().chosen(there);
      if (known.isPresent()) {
        run(known.get(), stack, service, new ArrayList<>());
      }
    }
  }

  /** Runs the jobs on made-up readings, which begin to flow before the jobs do. */
  private void runLive(SketchJobPlan planned, LocalStack stack, LocalService service)
      throws Exception {
    stack.createTopics(planned);
    try (LiveMeters meters = LiveMeters.start(planned.job().configs().get(0))) {
      List<CompletableFuture<?>> ends = new ArrayList<>(List.of(meters.end()));
      run(planned.beginningWith(meters.firstEpoch()), stack, service, ends);
    }
  }

  /**
   * Runs the jobs until a signal.
   *
   * @param ends what else must not end before
   */
  private void run(
      SketchJobPlan planned,
      LocalStack stack,
      LocalService service,
      List<CompletableFuture<?>> ends)
      throws Exception {
    JobStreams job = planned.job();
    PrintWriter err = spec.commandLine().getErr();
    StatusLines status = new StatusLines(job, err, Clock.systemUTC());
    LocalStack.Running running = stack.submit(planned);
    ends.add(running.sketches().result());
    running.solvers().forEach(solver -> ends.add(solver.result()));
    boolean first = service.start(job);
    try (AutoCloseable lines = status.start()) {
      CloseAtExit.endNormallyBySignal(true);
      running.plan().promise(err, guarantee);
      if (live()) {
        err.println(LiveMeters.WHAT);
      }
      err.println("running until Ctrl-C");
      err.flush();
      if (first) {
        print(job, service);
      }
      await(ends, stack);
    }
  }

  private AdvisedStream advised(int index) throws IOException, ConfigException {
    return live() ? LiveMeters.advised() : ConfiguredStream.read(files.get(index));
  }

  /** Prints the addresses: for people in a few lines, in JSON one line for each stream. */
  private void print(JobStreams job, LocalService service) throws ConfigException {
    for (StreamConfig stream : job.configs()) {
      Report report = live() ? live(stream, service) : topics(stream, service, !job.isOne());
      format.print(report);
    }
  }

  private static Report live(StreamConfig stream, LocalService service) throws ConfigException {
    String address = service.of(stream).toString();
    String curl = "curl '" + address + "/v1/fit?response=" + LiveMeters.RESPONSE + "&format=csv'";
    return fields(stream, service)
        .line("Kafka", stream.kafka().requireBootstrap())
        .line("console", address + "/" + LiveMeters.QUESTION)
        .line("try", curl);
  }

  private static Report topics(StreamConfig stream, LocalService service, boolean named)
      throws ConfigException {
    Report report = fields(stream, service);
    if (named) {
      report.text("stream " + stream.stream());
    }
    report.line("bootstrap", stream.kafka().requireBootstrap());
    report.line("console", service.of(stream) + "/");
    report.line("try", "curl '" + service.of(stream) + "/v1/releases'");
    names(stream).forEach((purpose, topic) -> report.line("topic of " + purpose, topic));
    return report;
  }

  private static Report fields(StreamConfig stream, LocalService service) throws ConfigException {
    return new Report()
        .field("stream", stream.stream())
        .field("bootstrap", stream.kafka().requireBootstrap())
        .field("service", service.of(stream).toString())
        .field("topics", names(stream));
  }

  private static Map<String, String> names(StreamConfig stream) {
    Topics names = stream.kafka().topics();
    Map<String, String> topics = new LinkedHashMap<>();
    topics.put("rows", names.rows());
    topics.put("releases", names.releases());
    topics.put("ledger", names.ledger());
    topics.put("requests", names.requests());
    topics.put("answers", names.answers());
    topics.put("deadLetters", names.deadLetters());
    topics.put("late", names.late());
    return topics;
  }

  /** Waits until a job or the broker ends, which is a failure unless the process is ending. */
  private static void await(List<CompletableFuture<?>> jobs, LocalStack stack) throws Exception {
    List<CompletableFuture<?>> ends = new ArrayList<>(jobs);
    ends.add(stack.failure());
    try {
      CompletableFuture.anyOf(ends.toArray(new CompletableFuture<?>[0])).get();
    } catch (ExecutionException e) {
      if (!CloseAtExit.ending()) {
        stack.checkBroker(); // the others end when it does
        throw reason(e);
      }
    }
    if (CloseAtExit.ending()) {
      return; // everything ends because the process does
    }
    stack.checkBroker();
    throw new IOException("a job ended that should run until Ctrl-C");
  }

  /** Returns why one of those has ended that should run on. */
  public static Exception reason(ExecutionException e) {
    return e.getCause() instanceof LiveMeters.Unsent unsent ? unsent : LocalExecution.reason(e);
  }
}
