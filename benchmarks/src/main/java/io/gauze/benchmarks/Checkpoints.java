package io.gauze.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.stream.StreamSettings;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * How long checkpoints of the sketch job take, and how large its state is while rows come in: noisy
 * moments and 16,384 buckets of 52 columns, a checkpoint a second. The broker is a process of its
 * own; rows are sent by the clock.
 */
public final class Checkpoints {
  private static final int COLUMNS = 51; // 52 with the intercept
  private static final int VALUES = 10_000;

  /** The longest warm-up, which is never longer than what is measured. */
  private static final Duration WARM_UP = Duration.ofSeconds(20);

  private Checkpoints() {}

  /**
   * Runs.
   *
   * @param args seconds after as long a warm-up, at most 20 s (60), and rows a second (10,000)
   */
  public static void main(String[] args) throws Exception {
    Duration time = Duration.ofSeconds(args.length > 0 ? Integer.parseInt(args[0]) : 60);
    int rate = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Configuration history = new Configuration();
    history.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, 100_000);
    try (ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of());
        LocalCluster cluster = LocalCluster.start(1, 2, history)) {
      StreamConfig config = config(broker.line());
      JobHandle job = submit(cluster, config);
      long sent = send(config, rate, time.compareTo(WARM_UP) < 0 ? time : WARM_UP);
      long from = System.currentTimeMillis();
      sent += send(config, rate, time);
      report(cluster, job, from, sent, out);
      job.cancel().get();
    }
  }

  private static JobHandle submit(LocalCluster cluster, StreamConfig config) throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(
            SketchJob.configuration(Configuration.fromMap(config.flink())));
    SketchJob.build(
        env,
        SketchPreflight.prepare(
                StreamSettings.job(config, StreamSettings.plan(config), Instant.now()),
                false,
                1000,
                config.kafka().create())
            .settings());
    return cluster.submit(env, "checkpoints");
  }

  private static long send(StreamConfig config, int rate, Duration time) {
    KafkaAccess kafka = new KafkaAccess(config.kafka().bootstrap().orElseThrow(), Map.of());
    String topic = config.kafka().topics().rows();
    List<byte[]> values = values();
    long start = System.nanoTime();
    long sent = 0;
    try (KafkaProducer<byte[], byte[]> producer = kafka.producer(Map.of("linger.ms", "20"))) {
      for (long past = 0; past < time.toNanos(); past = System.nanoTime() - start) {
        long due = (long) (past * 1e-9 * rate);
        for (; sent < due; sent++) {
          byte[] value = values.get((int) (sent % VALUES));
          var unused = producer.send(new ProducerRecord<>(topic, (int) (sent % 4), null, value));
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
    return sent;
  }

  private static void report(
      LocalCluster cluster, JobHandle job, long from, long sent, PrintStream out) throws Exception {
    List<Long> millis = new ArrayList<>();
    List<Long> bytes = new ArrayList<>();
    for (JsonNode checkpoint : history(cluster, job)) {
      if (checkpoint.path("trigger_timestamp").asLong() >= from
          && checkpoint.path("status").asText().equals("COMPLETED")) {
        millis.add(checkpoint.path("end_to_end_duration").asLong());
        bytes.add(checkpoint.path("state_size").asLong());
      }
    }
    if (millis.isEmpty()) {
      throw new IllegalStateException("no checkpoint was complete; measure for longer");
    }
    out.println(
        "| rows | checkpoints | median, ms | 90 %, ms | longest, ms | state, first, bytes | last"
            + " |");
    out.println("|---|---|---|---|---|---|---|");
    List<Long> sorted = millis.stream().sorted().toList();
    out.printf(
        Locale.ROOT,
        "| %,d | %d | %d | %d | %d | %,d | %,d |%n",
        sent,
        sorted.size(),
        sorted.get(sorted.size() / 2),
        sorted.get(sorted.size() * 9 / 10),
        sorted.get(sorted.size() - 1),
        bytes.get(bytes.size() - 1), // the latest is listed first
        bytes.get(0));
  }

  private static JsonNode history(LocalCluster cluster, JobHandle job)
      throws IOException, InterruptedException {
    URI address =
        URI.create("http://" + cluster.restAddress() + "/jobs/" + job.id() + "/checkpoints");
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    return new ObjectMapper().readTree(answer.body()).path("history");
  }

  private static StreamConfig config(String bootstrap) throws Exception {
    StringBuilder text = new StringBuilder("stream: checkpoints\ncolumns:\n");
    for (int i = 0; i < COLUMNS; i++) {
      text.append("  - {name: c").append(i).append(", lower: -1, upper: 1}\n");
    }
    text.append(
        """
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: P1D}
        sketches:
          - {name: moments, mechanism: noisy-moments}
          - {name: buckets, mechanism: count-sketch, buckets: 16384}
        kafka:
          bootstrap: BOOTSTRAP
          create: {partitions: 4, replicas: 1}
        flink:
          properties: {parallelism.default: 2, execution.checkpointing.interval: 1 s}
        """
            .replace("BOOTSTRAP", bootstrap));
    Path file = Files.createTempFile("gauze-checkpoints-", ".yaml");
    Files.writeString(file, text);
    try {
      return StreamConfig.read(file);
    } finally {
      Files.delete(file);
    }
  }

  private static List<byte[]> values() {
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> values = new ArrayList<>();
    for (int k = 0; k < VALUES; k++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < COLUMNS; i++) {
        text.append(i == 0 ? "{" : ", ")
            .append(String.format(Locale.ROOT, "\"c%d\": %.6f", i, random.nextDouble(-1, 1)));
      }
      values.add(text.append('}').toString().getBytes(StandardCharsets.UTF_8));
    }
    return values;
  }
}
