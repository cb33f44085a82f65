package io.gauze.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.KafkaSettings;
import io.gauze.config.StreamConfig;
import io.gauze.kafka.TopicAdmin;
import io.gauze.kafka.Topics;
import io.gauze.local.CloseAtExit;
import io.gauze.local.EmbeddedBroker;
import io.gauze.local.JobMetrics;
import io.gauze.local.LocalCluster;
import io.gauze.report.TextTable;
import io.gauze.solver.SolverSettings;
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
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A broker, a cluster, the sketch job and the solvers in one process. */
@Command(
    name = "up",
    description = {
      "Starts a Kafka broker and a Flink cluster in this process, with the sketch job and the solver on them, and prints the"
          + " broker's address and the topics. Runs until Ctrl-C; all topics are gone then.",
      "The broker listens at the config's kafka.bootstrap, which must be a port of this machine; at a free port if it names none.",
      "The streams of several configs are one sketch job; each has a solver of its own.",
      "A line a minute on standard error says what came of the rows of each stream, as with gauze run."
    },
    footer = {
      "",
      "Examples:",
      "  gauze up --config meters.yaml",
      "  gauze up --config meters.yaml --config wine.yaml"
    })
public final class UpCommand implements Callable<Integer> {
  private static final TopicAdmin.Creation USUAL = new TopicAdmin.Creation(4, (short) 1);

  @Mixin private ConfigsOption configs;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    try {
      return run(configs.read());
    } finally {
      CloseAtExit.endNormallyBySignal(false);
    }
  }

  private Integer run(JobStreams job) throws Exception {
    int port = port(job);
    checkRequests(job);
    if (job.bounded()) {
      throw new ConfigException(
          "up begins with an empty topic of rows, so rows that end where the topic ends are none: give"
              + " epochs.length a duration such as PT1H, and leave kafka.rows.bounded out");
    }
    requireFree(port);
    PrintWriter err = spec.commandLine().getErr();
    SketchJobPlan planned = SketchJobPlan.of(job);
    planned.warn(err);
    warnAboutKafka(job, err);
    err.println("starting a Kafka broker and a Flink cluster in this process");
    err.flush();
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder(), port)) {
      run(planned.withPlainBroker(broker.bootstrapServers()), broker);
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

  /** Each stream's solver would answer every request of a topic that they share. */
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

  /** One of the addresses that the configs name: there is one broker. */
  static int port(JobStreams job) throws ConfigException {
    int port = 0;
    for (int i = 0; i < job.configs().size(); i++) {
      Optional<String> bootstrap = job.configs().get(i).kafka().bootstrap();
      int wanted = port(bootstrap);
      if (port != 0 && wanted != 0 && wanted != port) {
        throw new ConfigException(
            job.files().get(i)
                + ": kafka.bootstrap must be the same in all configs of up, which starts one broker."
                + " Provided value: "
                + bootstrap.orElseThrow());
      }
      port = Math.max(port, wanted);
    }
    return port;
  }

  private static Path folder() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** The port that the config's clients will look for. */
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

  private static TopicAdmin.Creation creation(KafkaSettings kafka) {
    return kafka
        .create()
        .map(create -> new TopicAdmin.Creation(create.partitions(), (short) 1))
        .orElse(USUAL);
  }

  private void run(SketchJobPlan planned, EmbeddedBroker broker) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    JobStreams job = planned.job();
    SketchJobPlan ready = planned.prepare(stream -> Optional.of(creation(stream.kafka())));
    ready.warn(err);
    ready.requireState(Set.of());
    ready.writeBegins();
    StreamExecutionEnvironment sketch = RunCommand.environment(job, Optional.empty());
    ready.build(sketch);
    Map<String, StreamExecutionEnvironment> solvers = new LinkedHashMap<>();
    for (StreamConfig stream : job.configs()) {
      SolverSettings settings =
          SolverCommand.prepare(stream, Optional.of(creation(stream.kafka())), err);
      solvers.put(
          SolverCommand.jobName(stream.stream()), SolverCommand.environment(stream, settings));
    }
    Configuration settings = LocalExecution.settings(job.flink(), err);
    int slots =
        sketch.getParallelism()
            + solvers.values().stream().mapToInt(each -> each.getParallelism()).sum();
    StatusLines status = new StatusLines(job, err, Clock.systemUTC());
    try (LocalCluster cluster = LocalCluster.start(1, slots, JobMetrics.settings(settings));
        AutoCloseable lines = status.start()) {
      List<CompletableFuture<?>> ends = new ArrayList<>();
      ends.add(cluster.submit(sketch, SketchJobName.of(job.names())).result());
      for (Map.Entry<String, StreamExecutionEnvironment> solver : solvers.entrySet()) {
        ends.add(cluster.submit(solver.getValue(), solver.getKey()).result());
      }
      CloseAtExit.endNormallyBySignal(true);
      ready.promise(err);
      err.println("running until Ctrl-C");
      err.flush();
      print(job);
      await(ends, broker.failure());
    }
  }

  /** In JSON a line for each stream. */
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
    PrintWriter out = spec.commandLine().getOut();
    if (format.json()) {
      out.print(json(stream, address, topics));
    } else {
      out.print(named ? "stream " + stream.stream() + System.lineSeparator() : "");
      out.print(table(address, topics));
    }
    out.flush();
  }

  private static String json(StreamConfig stream, String address, Map<String, String> topics) {
    ObjectNode top = JsonNodeFactory.instance.objectNode();
    top.put("stream", stream.stream());
    top.put("bootstrap", address);
    ObjectNode named = top.putObject("topics");
    topics.forEach(named::put);
    return top + System.lineSeparator();
  }

  private static String table(String address, Map<String, String> topics) {
    TextTable lines = new TextTable();
    lines.row("bootstrap", address);
    topics.forEach((purpose, topic) -> lines.row("topic of " + purpose, topic));
    return lines.toString();
  }

  /** Ends if a job or the broker does, which is a failure. */
  private static void await(List<CompletableFuture<?>> jobs, CompletableFuture<String> failure)
      throws Exception {
    List<CompletableFuture<?>> ends = new ArrayList<>(jobs);
    ends.add(failure);
    try {
      CompletableFuture.anyOf(ends.toArray(new CompletableFuture<?>[0])).get();
    } catch (ExecutionException e) {
      if (!CloseAtExit.ending()) {
        throw LocalExecution.reason(e);
      }
    }
    if (CloseAtExit.ending()) {
      return; // all ends because the process does
    }
    throw new IOException(
        failure.isDone()
            ? "the Kafka broker in this process ended: " + failure.join()
            : "a job ended that should run until Ctrl-C");
  }
}
