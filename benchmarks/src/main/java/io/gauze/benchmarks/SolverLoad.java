package io.gauze.benchmarks;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.gauze.release.Release;
import io.gauze.solver.SolverClient;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * How many requests a second the on-demand solver answers, and how soon, end to end: a broker, the
 * solver and this load generator, each a process of its own on one machine.
 *
 * <p>Requests are sent by the clock, whether answers come or not, and a latency counts from when
 * the request was due: a solver that falls behind is seen.
 */
public final class SolverLoad {
  static final String REQUESTS = "requests";
  static final String ANSWERS = "answers";
  private static final String RELEASES = "releases";

  private static final String CONFIG =
      """
      stream: any
      columns:
        - {name: x, lower: 0, upper: 1}
        - {name: y, lower: 0, upper: 1}
      privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
      epochs: {length: PT1H}
      sketches:
        - {name: moments, mechanism: noisy-moments}
      kafka:
        bootstrap: BROKER
      flink:
        properties: {parallelism.default: 2, execution.checkpointing.interval: 10 s}
      """;

  private SolverLoad() {}

  /**
   * Runs the scenarios.
   *
   * @param args seconds to measure (30), seconds to warm up (60), and a word that the names of
   *     scenarios must have
   */
  public static void main(String[] args) throws Exception {
    int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 30;
    int warmUp = args.length > 1 ? Integer.parseInt(args[1]) : 60;
    String word = args.length > 2 ? args[2] : "";
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (TemporaryFolder folder = TemporaryFolder.create("gauze-load-");
        ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of())) {
      KafkaAccess kafka = new KafkaAccess(broker.line(), Map.of());
      prepare(kafka);
      Path config = folder.path().resolve("load.yaml");
      Files.writeString(config, CONFIG.replace("BROKER", kafka.bootstrap()));
      List<String> solve = List.of("solver", "--config", config.toString());
      try (ChildProcess solver = ChildProcess.start(io.gauze.Main.class, solve)) {
        awaitAnswer(kafka);
        out.println(LoadRun.HEADER);
        for (LoadQuestions questions : LoadQuestions.all()) {
          if (questions.name().contains(word)) {
            out.println(new LoadRun(kafka, questions, solver).run(warmUp, seconds));
          }
        }
      }
    }
  }

  private static void awaitAnswer(KafkaAccess kafka) throws IOException {
    try (SolverClient client = new SolverClient(kafka, REQUESTS, ANSWERS)) {
      client.send("ready", JsonNodeFactory.instance.objectNode());
      if (client.await(Set.of("ready"), Duration.ofMinutes(3)).isEmpty()) {
        throw new IOException("the solver does not answer");
      }
    }
  }

  private static void prepare(KafkaAccess kafka) throws IOException {
    Optional<TopicAdmin.Creation> creation = Optional.of(new TopicAdmin.Creation(4, (short) 1));
    try (TopicAdmin admin = new TopicAdmin(kafka, creation)) {
      admin.releases(RELEASES, 8 << 20).forEach(System.err::println);
      admin.plain(REQUESTS);
      admin.plain(ANSWERS);
    }
    try (KafkaProducer<byte[], byte[]> producer =
        kafka.producer(Map.of("max.request.size", Integer.toString(8 << 20)))) {
      for (Release release : LoadReleases.all()) {
        byte[] id = release.id().toString().getBytes(StandardCharsets.UTF_8);
        var unused = producer.send(new ProducerRecord<>(RELEASES, id, release.toBytes()));
      }
      producer.flush();
    }
  }
}
