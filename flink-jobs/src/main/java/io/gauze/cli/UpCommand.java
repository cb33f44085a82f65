package io.gauze.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.config.ConfigException;
import io.gauze.config.KafkaSettings;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.local.EmbeddedBroker;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.pipeline.SketchJob;
import io.gauze.pipeline.SketchRun;
import io.gauze.release.StreamPlan;
import io.gauze.source.TopicAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A broker, a cluster, the sketch job and the solver in one process. */
@Command(
    name = "up",
    description = {
      "Starts a Kafka broker and a Flink cluster in this process, with the sketch job and the solver on them, and prints the"
          + " broker's address and the topics. Runs until Ctrl-C; all topics are gone then.",
      "The broker listens at the config's kafka.bootstrap, which must be a port of this machine; at a free port if it names none."
    },
    footer = {"", "Example:", "  gauze up --config meters.yaml"})
final class UpCommand implements Callable<Integer> {
  private static final TopicAdmin.Creation USUAL = new TopicAdmin.Creation(4, (short) 1);

  @Mixin private ConfigOption config;

  @Mixin private FormatOption format;

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
    int port = port(stream.kafka().bootstrap());
    if (stream.kafka().bounded()) {
      throw new ConfigException(
          "up begins with an empty topic of rows, so rows that end where the topic ends are none: give"
              + " epochs.length a duration such as PT1H, and leave kafka.rows.bounded out");
    }
    StreamPlan plan = RunCommand.plan(stream);
    PrintWriter err = spec.commandLine().getErr();
    plan.warnings().forEach(warning -> err.println("warning: " + warning));
    warnAboutKafka(stream.kafka(), err);
    err.println("starting a Kafka broker and a Flink cluster in this process");
    err.flush();
    try (EmbeddedBroker broker = EmbeddedBroker.start(folder(), port)) {
      StreamConfig here = at(broker.bootstrapServers(), stream);
      run(here, plan, broker);
    }
    return ExitStatus.DONE;
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

  private static void warnAboutKafka(KafkaSettings kafka, PrintWriter err) {
    if (!kafka.properties().isEmpty()) {
      err.println(
          "warning: kafka.properties are left out: the broker in this process is plain and local");
    }
    if (kafka.create().filter(create -> create.replicas() > 1).isPresent()) {
      err.println("warning: topics get 1 replica: there is one broker");
    }
    err.println(
        "warning: the ledger goes with this process: rows that are sent again to another one spend"
            + " their budget again");
  }

  private static StreamConfig at(String bootstrap, StreamConfig stream) {
    return stream.withPlainBroker(bootstrap);
  }

  private static TopicAdmin.Creation creation(KafkaSettings kafka) {
    return kafka
        .create()
        .map(create -> new TopicAdmin.Creation(create.partitions(), (short) 1))
        .orElse(USUAL);
  }

  private void run(StreamConfig stream, StreamPlan plan, EmbeddedBroker broker) throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    Optional<TopicAdmin.Creation> creation = Optional.of(creation(stream.kafka()));
    SketchRun.Prepared prepared = RunCommand.prepare(stream, plan, creation);
    prepared.warnings().forEach(warning -> err.println("warning: " + warning));
    StreamExecutionEnvironment sketch = RunCommand.environment(stream, Optional.empty());
    SketchJob.build(sketch, prepared.settings());
    StreamExecutionEnvironment solver =
        SolverCommand.environment(stream, SolverCommand.prepare(stream, creation));
    int slots = sketch.getParallelism() + solver.getParallelism();
    try (LocalCluster cluster = LocalCluster.start(1, slots, new Configuration())) {
      JobHandle sketching = cluster.submit(sketch, RunCommand.jobName(stream.stream()));
      JobHandle solving = cluster.submit(solver, SolverCommand.jobName(stream.stream()));
      err.println(plan.guarantee(prepared.settings().randomness()).sentence());
      err.println("running until Ctrl-C");
      err.flush();
      print(stream);
      await(sketching, solving, broker);
    }
  }

  private void print(StreamConfig stream) throws ConfigException {
    String address = stream.kafka().requireBootstrap();
    KafkaSettings.Topics names = stream.kafka().topics();
    Map<String, String> topics = new LinkedHashMap<>();
    topics.put("rows", names.rows());
    topics.put("releases", names.releases());
    topics.put("ledger", names.ledger());
    topics.put("requests", names.requests());
    topics.put("answers", names.answers());
    topics.put("deadLetters", names.deadLetters());
    topics.put("late", names.late());
    PrintWriter out = spec.commandLine().getOut();
    out.print(format.json() ? json(stream, address, topics) : table(address, topics));
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
  private static void await(JobHandle sketch, JobHandle solver, EmbeddedBroker broker)
      throws Exception {
    CompletableFuture<String> failure = broker.failure();
    try {
      CompletableFuture.anyOf(sketch.result(), solver.result(), failure).get();
    } catch (ExecutionException e) {
      if (!CloseAtExit.ending()) {
        throw RunCommand.reason(e);
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
