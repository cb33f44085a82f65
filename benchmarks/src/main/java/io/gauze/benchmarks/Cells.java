package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.mechanism.ReleaseId;
import io.gauze.stream.StreamSettings;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * How a job of many groups and short epochs keeps up: one line for each epoch when its last release
 * is there. The job has as many sketches of three columns as asked for, and parallelism 8; rows are
 * spread over all groups and partitions. The broker is a process of its own; Flink is in this one,
 * whose heap is measured after a collection.
 */
public final class Cells {
  private static final int PARALLELISM = 8;
  private static final int ROWS_A_SECOND = 2000;
  private static final Duration METRICS = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** What a run has. */
  private record Size(int groups, int sketches, int partitions, int epochs, int seconds) {
    int releases() {
      return groups * sketches;
    }
  }

  /** What of an epoch is there, and when its last release was sent. */
  private static final class Arrived {
    private int releases;
    private long lastMillis;
  }

  private final Size size;
  private final StreamConfig config;
  private final LocalCluster cluster;
  private final JobHandle job;
  private final PrintStream out;
  private final Map<String, Arrived> epochs = new TreeMap<>();
  private int checkpoints;
  private long records;
  private long asked = System.nanoTime();
  private Duration processor = Duration.ZERO;

  private Cells(Size size, StreamConfig config, LocalCluster cluster, PrintStream out)
      throws Exception {
    this.size = size;
    this.config = config;
    this.cluster = cluster;
    this.out = out;
    this.job = submit();
  }

  /**
   * Runs.
   *
   * @param args groups (1,000), sketches (3), partitions (64), epochs to wait for (5), and seconds
   *     of an epoch (60)
   */
  public static void main(String[] args) throws Exception {
    int[] sizes = {1000, 3, 64, 5, 60};
    for (int i = 0; i < args.length; i++) {
      sizes[i] = Integer.parseInt(args[i]);
    }
    Size size = new Size(sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]);
    Configuration history = new Configuration();
    history.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, 100_000);
    try (ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of());
        LocalCluster cluster = LocalCluster.start(1, PARALLELISM, history)) {
      PrintStream out = new PrintStream(System.out, true, UTF_8);
      new Cells(size, config(broker.line(), size), cluster, out).run();
    }
  }

  private void run() throws Exception {
    out.println(
        "| groups | epoch | releases | seconds to the last | checkpoints | median, ms | longest, ms"
            + " | state, bytes | records to accumulators a checkpoint | CPU, seconds | heap, MiB |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    RowSender rows = new RowSender(config, size);
    Thread sender = new Thread(rows, "rows");
    sender.start();
    try (Consumer<byte[], byte[]> consumer = kafka(config).consumer()) {
      List<TopicPartition> partitions = Partitions.of(consumer, config.kafka().topics().releases());
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      int complete = 0;
      while (complete < size.epochs() && System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          complete += arrive(record) ? 1 : 0;
        }
        requireRunning();
      }
      if (complete < size.epochs()) {
        out.printf(
            Locale.ROOT,
            "%nAfter %d s: %s of %,d releases.%n",
            PATIENCE.toSeconds(),
            epochs.values().stream().map(each -> each.releases + "").toList(),
            size.releases());
      }
    } finally {
      rows.close();
      sender.join();
      job.cancel().get();
    }
  }

  /** Looks after the job, and has Flink collect its metrics, which it does after a question. */
  private void requireRunning() throws Exception {
    if (System.nanoTime() - asked > METRICS.toNanos()) {
      recordsToAccumulators();
      asked = System.nanoTime();
    }
    if (job.result().isDone()) {
      job.result().get();
      throw new IllegalStateException("the job ended");
    }
  }

  /** Takes a release; returns whether its epoch is complete with it. */
  private boolean arrive(ConsumerRecord<byte[], byte[]> record) throws Exception {
    String label = ReleaseId.parse(new String(record.key(), UTF_8)).epoch();
    Arrived epoch = epochs.computeIfAbsent(label, any -> new Arrived());
    epoch.releases++;
    epoch.lastMillis = Math.max(epoch.lastMillis, record.timestamp());
    if (epoch.releases < size.releases()) {
      return false;
    }
    long end = Instant.parse(label).plusSeconds(size.seconds()).toEpochMilli();
    report(label, 1e-3 * (epoch.lastMillis - end));
    return true;
  }

  private void report(String label, double seconds) throws Exception {
    List<JsonNode> done = new ArrayList<>();
    for (JsonNode each : get("/checkpoints").path("history")) { // the latest is listed first
      if (each.path("status").asText().equals("COMPLETED")) {
        done.add(each);
      }
    }
    int fresh = done.size() - checkpoints;
    long before = records;
    Duration processorBefore = processor;
    processor = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    checkpoints = done.size();
    records = recordsToAccumulators();
    List<Long> millis =
        done.subList(0, fresh).stream()
            .map(each -> each.path("end_to_end_duration").asLong())
            .sorted()
            .toList();
    long bytes =
        done.stream()
            .limit(fresh)
            .mapToLong(each -> each.path("state_size").asLong())
            .max()
            .orElse(0);
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    out.printf(
        Locale.ROOT,
        "| %,d | %s | %,d | %.1f | %d | %,d | %,d | %,d | %,d | %.1f | %,d |%n",
        size.groups(),
        label.substring(11, 19),
        size.releases(),
        seconds,
        fresh,
        fresh == 0 ? 0 : millis.get(fresh / 2),
        fresh == 0 ? 0 : millis.get(fresh - 1),
        bytes,
        (records - before) / Math.max(1, fresh),
        1e-3 * processor.minus(processorBefore).toMillis(),
        heap >> 20);
  }

  private long recordsToAccumulators() throws Exception {
    for (JsonNode vertex : get("").path("vertices")) {
      if (vertex.path("name").asText().contains("accumulate, seal")) {
        return vertex.path("metrics").path("read-records").asLong();
      }
    }
    throw new IllegalStateException("the job has no accumulators");
  }

  private JsonNode get(String what) throws IOException, InterruptedException {
    URI address = URI.create("http://" + cluster.restAddress() + "/jobs/" + job.id() + what);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    return new ObjectMapper().readTree(answer.body());
  }

  private JobHandle submit() throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(
            SketchJob.configuration(Configuration.fromMap(config.flink())));
    SketchPreflight.Prepared prepared =
        SketchPreflight.prepare(
            StreamSettings.job(config, StreamSettings.plan(config), Instant.now()),
            false,
            1_000_000,
            config.kafka().create());
    SketchJob.build(env, prepared.settings());
    return cluster.submit(env, "cells");
  }

  private static KafkaAccess kafka(StreamConfig config) {
    return new KafkaAccess(config.kafka().bootstrap().orElseThrow(), Map.of());
  }

  /** Sends rows by the clock until it is closed. */
  private static final class RowSender implements Runnable {
    private final StreamConfig config;
    private final Size size;
    private volatile boolean closed;

    RowSender(StreamConfig config, Size size) {
      this.config = config;
      this.size = size;
    }

    @Override
    public void run() {
      String topic = config.kafka().topics().rows();
      SplittableRandom random = new SplittableRandom(1);
      long start = System.nanoTime();
      try (KafkaProducer<byte[], byte[]> producer =
          kafka(config).producer(Map.of("linger.ms", "20"))) {
        for (long sent = 0; !closed; LockSupport.parkNanos(1_000_000)) {
          long due = (long) ((System.nanoTime() - start) * 1e-9 * ROWS_A_SECOND);
          for (; sent < due; sent++) {
            byte[] row =
                String.format(
                        Locale.ROOT,
                        "{\"x\": %.3f, \"y\": %.3f, \"z\": %.3f, \"g\": \"g%d\"}",
                        random.nextDouble(-1, 1),
                        random.nextDouble(-1, 1),
                        random.nextDouble(-1, 1),
                        random.nextInt(size.groups()))
                    .getBytes(UTF_8);
            int partition = (int) (sent % size.partitions());
            var unused = producer.send(new ProducerRecord<>(topic, partition, null, row));
          }
        }
      }
    }

    void close() {
      closed = true;
    }
  }

  private static StreamConfig config(String bootstrap, Size size) throws Exception {
    String groups =
        IntStream.range(0, size.groups()).mapToObj(i -> "g" + i).collect(Collectors.joining(", "));
    String sketches =
        IntStream.range(0, size.sketches())
            .mapToObj(i -> "  - {name: s" + i + ", mechanism: noisy-moments}\n")
            .collect(Collectors.joining());
    return StreamConfig.parse(
        "cells.yaml",
        """
        stream: cells
        columns:
          - {name: x, lower: -1, upper: 1}
          - {name: y, lower: -1, upper: 1}
          - {name: z, lower: -1, upper: 1}
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PTSECONDSS}
        groups: {field: g, values: [GROUPS]}
        sketches:
        SKETCHESkafka:
          bootstrap: BOOTSTRAP
          create: {partitions: PARTITIONS, replicas: 1}
        flink:
          properties: {parallelism.default: PARALLELISM}
        """
            .replace("SECONDS", Integer.toString(size.seconds()))
            .replace("GROUPS", groups)
            .replace("SKETCHES", sketches)
            .replace("BOOTSTRAP", bootstrap)
            .replace("PARTITIONS", Integer.toString(size.partitions()))
            .replace("PARALLELISM", Integer.toString(PARALLELISM)));
  }
}
