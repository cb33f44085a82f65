package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.mechanism.ReleaseId;
import io.gauze.source.file.SmartMeters;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Whether a job and a service stay as they are while rows come for hours: a line each minute, with
 * what they hold. {@code gauze run}, {@code gauze serve --ledger} and a broker are a process each.
 * The stream has epochs of a minute, three sketches, one of them of two readings, and a model.
 */
public final class Soak {
  private static final int PARTITIONS = 4;
  private static final int ROWS = 20_000; // different ones
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration RETENTION = Duration.ofMinutes(10);

  private final KafkaAccess kafka;
  private final Path folder;
  private final PrintStream out;
  private final Set<String> ids = new HashSet<>();
  private long repeated;
  private Duration late = Duration.ZERO;

  private Soak(String bootstrap, Path folder, PrintStream out) {
    this.kafka = new KafkaAccess(bootstrap, Map.of());
    this.folder = folder;
    this.out = out;
  }

  /**
   * Runs.
   *
   * @param args minutes (60) and rows a second (50,000)
   */
  public static void main(String[] args) throws Exception {
    int minutes = args.length > 0 ? Integer.parseInt(args[0]) : 60;
    int rate = args.length > 1 ? Integer.parseInt(args[1]) : 50_000;
    try (TemporaryFolder folder = TemporaryFolder.create("gauze-soak");
        ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of())) {
      PrintStream out = new PrintStream(System.out, true, UTF_8);
      new Soak(broker.line(), folder.path(), out).run(minutes, rate);
    }
  }

  private void run(int minutes, int rate) throws Exception {
    createRows();
    String config = Files.writeString(folder.resolve("soak.yaml"), config()).toString();
    RowSender rows = new RowSender(rate);
    try (ChildProcess job = ChildProcess.start(Held.class, List.of("run", "--config", config))) {
      Thread sender = new Thread(rows, "rows");
      sender.start();
      try (Consumer<byte[], byte[]> consumer = releases();
          ChildProcess service = ChildProcess.start(Held.class, serve(config))) {
        lines(minutes, rows, new Measured(consumer, job, service, service.line()));
      } finally {
        rows.close();
        sender.join();
      }
    }
    out.printf(Locale.ROOT, "%n%,d releases, %,d of them published twice.%n", ids.size(), repeated);
  }

  private record Measured(
      Consumer<byte[], byte[]> consumer, ChildProcess job, ChildProcess service, String address) {}

  private static List<String> serve(String config) {
    return List.of("serve", "--config", config, "--ledger", "--listen", "127.0.0.1:0");
  }

  private void lines(int minutes, RowSender rows, Measured measured) throws Exception {
    out.println(
        "| minute | rows | releases | the last one after, s | checkpoints, MiB | job: to be read | CPU,"
            + " s | heap, MiB | beside it, MiB | classes | threads | descriptors | service: to be read"
            + " | CPU, s | heap, MiB | beside it, MiB | classes | threads | descriptors | a fit, ms |");
    out.println("|---".repeat(20) + "|");
    long start = System.nanoTime();
    for (int minute = 1; minute <= minutes; minute++) {
      long end = start + Duration.ofMinutes(minute).toNanos();
      while (System.nanoTime() < end) {
        for (ConsumerRecord<byte[], byte[]> record :
            measured.consumer().poll(Duration.ofMillis(200))) {
          arrive(record);
        }
      }
      out.printf(
          Locale.ROOT,
          "| %d | %,d | %,d | %.1f | %.2f | %s | %s | %s |%n",
          minute,
          rows.sent,
          ids.size(),
          1e-3 * late.toMillis(),
          bytes(folder.resolve("checkpoints")) / (double) (1 << 20),
          measured.job().ask(""),
          measured.service().ask(""),
          ids.isEmpty() ? "-" : String.format(Locale.ROOT, "%.0f", fitMillis(measured.address())));
    }
  }

  private void arrive(ConsumerRecord<byte[], byte[]> record) {
    String id = new String(record.key(), UTF_8);
    repeated += ids.add(id) ? 0 : 1;
    Instant end = Instant.parse(ReleaseId.parse(id).epoch()).plus(Duration.ofMinutes(1));
    late = Duration.between(end, Instant.ofEpochMilli(record.timestamp()));
  }

  /** The time of a fit of the last epoch over HTTP. */
  private static double fitMillis(String service) throws IOException, InterruptedException {
    URI address = URI.create(service + "/v1/fit?response=kwh");
    long start = System.nanoTime();
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("the service answers " + answer.statusCode() + ": " + answer.body());
    }
    return 1e-6 * (System.nanoTime() - start);
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toFile).filter(file -> file.isFile()).mapToLong(f -> f.length()).sum();
    }
  }

  private void createRows() throws Exception {
    try (Admin admin = kafka.admin()) {
      NewTopic rows =
          new NewTopic("rows", PARTITIONS, (short) 1)
              .configs(
                  Map.of(
                      "message.timestamp.type", "LogAppendTime",
                      "retention.ms", Long.toString(RETENTION.toMillis()),
                      "segment.ms", Long.toString(Duration.ofMinutes(1).toMillis())));
      admin.createTopics(List.of(rows)).all().get();
    }
  }

  /** Returns a consumer of the releases, whose topic the job creates. */
  private Consumer<byte[], byte[]> releases() {
    Consumer<byte[], byte[]> consumer = kafka.consumer();
    long deadline = System.nanoTime() + START.toNanos();
    List<TopicPartition> partitions = Partitions.of(consumer, "releases");
    while (partitions.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(100_000_000);
      partitions = Partitions.of(consumer, "releases");
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  /** Sends rows by the clock until it is closed. */
  private final class RowSender implements Runnable {
    private final int rate;
    private volatile boolean closed;
    private volatile long sent;

    RowSender(int rate) {
      this.rate = rate;
    }

    @Override
    public void run() {
      List<byte[]> rows = new ArrayList<>();
      new SmartMeters(ROWS, 0.005, 1).forEachRemaining(rows::add);
      long start = System.nanoTime();
      try (KafkaProducer<byte[], byte[]> producer =
          kafka.producer(Map.of("linger.ms", "20", "compression.type", "lz4"))) {
        for (long i = 0; !closed; LockSupport.parkNanos(1_000_000)) {
          long due = (long) ((System.nanoTime() - start) * 1e-9 * rate);
          for (; i < due; i++) {
            var unused = producer.send(new ProducerRecord<>("rows", rows.get((int) (i % ROWS))));
          }
          sent = i;
        }
      }
    }

    void close() {
      closed = true;
    }
  }

  private String config() {
    return """
        stream: soak
        columns:
          - {name: outdoor_temperature, lower: -20, upper: 40}
          - {name: floor_area, lower: 20, upper: 300}
          - {name: occupants, lower: 0, upper: 8}
          - {name: hour_sin, lower: -1, upper: 1}
          - {name: hour_cos, lower: -1, upper: 1}
          - {name: weekend, source: day, equals: weekend}
          - {name: tariff, categories: [flat, night, solar]}
          - {name: kwh, lower: 0, upper: 8}
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PT1M, sealDelay: PT5S}
        expectedRows: 1000000
        sketches:
          - {name: moments, mechanism: noisy-moments}
          - {name: stages, mechanism: two-stage-moments}
          - {name: buckets, mechanism: count-sketch, buckets: 256}
        models:
          - {name: model, mechanism: descent, response: kwh}
        kafka:
          bootstrap: BOOTSTRAP
          rows: {topic: rows}
          create: {partitions: 4, replicas: 1}
        flink:
          properties:
            parallelism.default: 2
            execution.checkpointing.interval: 10 s
            execution.checkpointing.dir: CHECKPOINTS
        """
        .replace("BOOTSTRAP", kafka.bootstrap())
        .replace("CHECKPOINTS", folder.resolve("checkpoints").toUri().toString());
  }
}
