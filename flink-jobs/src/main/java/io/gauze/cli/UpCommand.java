package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.KafkaSettings;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.local.EmbeddedBroker;
import io.gauze.report.Report;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
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
import picocli.CommandLine.Spec;

/** The verb {@code up}: runs a broker, a cluster, the sketch job and the solvers in one process. */
@Command(
    name = "up",
    description = {
      "Starts a Kafka broker and a Flink cluster in this process, with the sketch job and the"
          + " solver on them, and prints the broker's address and the topics. Runs until Ctrl-C;"
          + " all topics are gone then.",
      "The broker listens at the config's kafka.bootstrap, which must be a port of this machine; at"
          + " a free port if it names none.",
      "The streams of several configs are one sketch job; each has a solver of its own.",
      "A line a minute on standard error says what came of the rows of each stream, as with gauze"
          + " run."
    },
    footer = {
      "",
      "Examples:",
      "  gauze up --config meters.yaml",
      "  gauze up --config meters.yaml --config wine.yaml"
    })
public final class UpCommand implements Callable<Integer> {
  @Mixin private ConfigsOption configs;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    try {
      JobStreams job = configs.read();
      for (StreamConfig config : job.configs()) {
        config.requireEpochsForRanges();
      }
      return run(job);
    } finally {
      CloseAtExit.endNormallyBySignal(false);
    }
  }

  private Integer run(JobStreams job) throws Exception {
    int port = port(job);
    checkRequests(job);
    if (job.bounded()) {
      throw new ConfigException(
          "up begins with an empty topic of rows, so rows that end where the topic ends are none:"
              + " give epochs.length a duration such as PT1H, and leave kafka.rows.bounded out");
    }
    requireFree(port);
    PrintWriter err = spec.commandLine().getErr();
    SketchJobPlan planned = SketchJobPlan.of(job);
    planned.warn(err);
    warnAboutKafka(job, err);
    err.println("starting a Kafka broker and a Flink cluster in this process");
    err.flush();
    try (LocalStack stack = LocalStack.start(job, job.flink(), port, err)) {
      SketchJobPlan there = planned.withPlainBroker(stack.bootstrap());
      boolean estimates = job.configs().stream().anyMatch(config -> config.estimates().isPresent());
      if (estimates) { // their rows must be sent before the other jobs begin
        stack.createTopics(there);
        print(there.job());
      }
      Optional<SketchJobPlan> known = stack.ranges().chosen(there);
      if (known.isPresent()) {
        run(known.get(), stack, !estimates);
      }
    }
    return ExitStatus.DONE;
  }

  private static void requireFree(int port) throws IOException {
    try {
      EmbeddedBroker.requireFree(port);
    } catch (BindException e) {
      throw new IOException(
          "kafka.bootstrap: "
              + e.getMessage()
              + "; if that is your broker: gauze run and gauze solver",
          e);
    }
  }

  /**
   * Refuses a topic of requests that streams share: each stream's solver would answer all its
   * requests.
   */
  private static void checkRequests(JobStreams job) throws ConfigException {
    Map<String, Path> files = new HashMap<>();
    for (int i = 0; i < job.configs().size(); i++) {
      String topic = job.configs().get(i).kafka().topics().requests();
      Path other = files.putIfAbsent(topic, job.files().get(i));
      if (other != null) {
        throw new ConfigException(
            job.files().get(i)
                + ": kafka.requests.topic must be another one than that of "
                + other
                + ", since each stream of up has a solver of its own. Provided value: "
                + topic);
      }
    }
  }

  /** Returns the port that the configs name, which must be the same in all: there is one broker. */
  static int port(JobStreams job) throws ConfigException {
    int port = 0;
    for (int i = 0; i < job.configs().size(); i++) {
      Optional<String> bootstrap = job.configs().get(i).kafka().bootstrap();
      int wanted = port(bootstrap);
      if (port != 0 && wanted != 0 && wanted != port) {
        throw new ConfigException(
            job.files().get(i)
                + ": kafka.bootstrap must be the same in all configs of up, which starts one"
                + " broker. Provided value: "
                + bootstrap.orElseThrow());
      }
      port = Math.max(port, wanted);
    }
    return port;
  }

  /** Returns the port to which the config's clients will connect. */
  static int port(Optional<String> bootstrap) throws ConfigException {
    if (bootstrap.isEmpty()) {
      return 0;
    }
    String address = bootstrap.get();
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon);
    if (address.contains(",") || !(host.equals("localhost") || host.equals("127.0.0.1"))) {
      throw new ConfigException(
          "kafka.bootstrap must be localhost:PORT for up, which starts its own broker here; for a"
              + " broker that is there already, use gauze run and gauze solver. Provided value: "
              + address);
    }
    return Integer.parseInt(address.substring(colon + 1));
  }

  private static void warnAboutKafka(JobStreams job, PrintWriter err) {
    for (StreamConfig stream : job.configs()) {
      KafkaSettings kafka = stream.kafka();
      String prefix = "warning: " + job.prefix(stream);
      if (!kafka.properties().isEmpty()) {
        err.println(
            prefix
                + "kafka.properties are left out: the broker in this process is plain and local");
      }
      if (kafka.create().filter(create -> create.replicas() > 1).isPresent()) {
        err.println(prefix + "topics get 1 replica: there is one broker");
      }
    }
    err.println(
        "warning: the ledger goes with this process: rows that are sent again to another one spend"
            + " their budget again");
  }

  private void run(SketchJobPlan planned, LocalStack stack, boolean print) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    StatusLines status = new StatusLines(planned.job(), err, Clock.systemUTC());
    LocalStack.Running running = stack.submit(planned);
    try (AutoCloseable lines = status.start()) {
      List<CompletableFuture<?>> ends = new ArrayList<>(List.of(running.sketches().result()));
      running.solvers().forEach(solver -> ends.add(solver.result()));
      CloseAtExit.endNormallyBySignal(true);
      running.plan().promise(err);
      err.println("running until Ctrl-C");
      err.flush();
      if (print) {
        print(planned.job());
      }
      await(ends, stack);
    }
  }

  /** Prints the topics; in JSON a line for each stream. */
  private void print(JobStreams job) throws ConfigException {
    for (StreamConfig stream : job.configs()) {
      print(stream, !job.isOne());
    }
  }

  private void print(StreamConfig stream, boolean named) throws ConfigException {
    String address = stream.kafka().requireBootstrap();
    Topics names = stream.kafka().topics();
    Map<String, String> topics = new LinkedHashMap<>();
    topics.put("rows", names.rows());
    topics.put("releases", names.releases());
    topics.put("ledger", names.ledger());
    topics.put("requests", names.requests());
    topics.put("answers", names.answers());
    topics.put("deadLetters", names.deadLetters());
    topics.put("late", names.late());
    Report report = new Report();
    if (named && !format.json()) {
      report.text("stream " + stream.stream());
    }
    report.field("stream", stream.stream()).add("bootstrap", "bootstrap", address);
    report.field("topics", topics);
    topics.forEach((purpose, topic) -> report.line("topic of " + purpose, topic));
    format.print(report);
  }

  /** Waits until a job or the broker ends, which is a failure unless the process is ending. */
  private static void await(List<CompletableFuture<?>> jobs, LocalStack stack) throws Exception {
    List<CompletableFuture<?>> ends = new ArrayList<>(jobs);
    ends.add(stack.failure());
    try {
      CompletableFuture.anyOf(ends.toArray(new CompletableFuture<?>[0])).get();
    } catch (ExecutionException e) {
      if (!CloseAtExit.ending()) {
        throw LocalExecution.reason(e);
      }
    }
    if (CloseAtExit.ending()) {
      return; // everything ends because the process does
    }
    stack.checkBroker();
    throw new IOException("a job ended that should run until Ctrl-C");
  }
}
