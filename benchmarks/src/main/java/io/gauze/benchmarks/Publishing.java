package io.gauze.benchmarks;

import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.local.LocalCluster;
import io.gauze.stream.StreamSettings;
import io.gauze.topic.KafkaAccess;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * How many small releases a second the sketch job publishes: jobs over one row whose only epoch has
 * a release for each of many groups, all of which are sent after one checkpoint. From the first to
 * the last of them by the time at which they were sent; the broker is a process of its own.
 */
public final class Publishing {
  private static final int JOBS = 4;

  private Publishing() {}

  /**
   * Runs.
   *
   * @param args releases of each job (2,000)
   */
  public static void main(String[] args) throws Exception {
    int releases = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of());
        LocalCluster cluster = LocalCluster.start(1, 1, new Configuration())) {
      String address = broker.line();
      out.println("| job | releases | bytes each | seconds | releases a second |");
      out.println("|---|---|---|---|---|");
      for (int job = 1; job <= JOBS; job++) {
        StreamConfig config = config(address, job, releases);
        publish(cluster, config);
        report(config, job, releases, out);
      }
    }
  }

  private static void publish(LocalCluster cluster, StreamConfig config) throws Exception {
    prepare(config); // makes the topics
    try (KafkaProducer<byte[], byte[]> producer = kafka(config).producer(Map.of())) {
      byte[] row = "{\"x\": 0.5, \"g\": \"g0\"}".getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(config.kafka().topics().rows(), row)).get();
    }
    SketchPreflight.Prepared prepared = prepare(config); // to the end that the topic has now
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(
            SketchJob.configuration(Configuration.fromMap(config.flink())));
    SketchJob.build(env, prepared.settings());
    cluster.submit(env, "publishing").result().get();
  }

  private static SketchPreflight.Prepared prepare(StreamConfig config) throws Exception {
    return SketchPreflight.prepare(
        StreamSettings.job(config, StreamSettings.plan(config), Instant.now()),
        true,
        1000,
        config.kafka().create());
  }

  private static void report(StreamConfig config, int job, int releases, PrintStream out) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = kafka(config).consumer()) {
      consumer.assign(List.of(new TopicPartition(config.kafka().topics().releases(), 0)));
      while (all.size() < releases) {
        consumer.poll(Duration.ofMillis(100)).forEach(all::add);
      }
    }
    double seconds = 1e-3 * (all.get(releases - 1).timestamp() - all.get(0).timestamp());
    out.printf(
        Locale.ROOT,
        "| %d | %,d | %,d | %.2f | %,.0f |%n",
        job,
        releases,
        all.get(0).value().length,
        seconds,
        releases / seconds);
  }

  private static KafkaAccess kafka(StreamConfig config) {
    return new KafkaAccess(config.kafka().bootstrap().orElseThrow(), Map.of());
  }

  private static StreamConfig config(String bootstrap, int job, int groups) throws Exception {
    String values =
        IntStream.range(0, groups).mapToObj(i -> "g" + i).collect(Collectors.joining(", "));
    String text =
        """
        stream: publishing-JOB
        columns:
          - {name: x, lower: -1, upper: 1}
        privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: all}
        groups: {field: g, values: [VALUES]}
        sketches:
          - {name: moments, mechanism: noisy-moments}
        kafka:
          bootstrap: BOOTSTRAP
          rows: {topic: rows-JOB, bounded: true}
          releases: {topic: releases-JOB}
          ledger: {topic: ledger-JOB}
          create: {partitions: 1, replicas: 1}
        flink:
          properties: {parallelism.default: 1}
        """
            .replace("JOB", Integer.toString(job))
            .replace("VALUES", values)
            .replace("BOOTSTRAP", bootstrap);
    Path file = Files.createTempFile("gauze-publishing-", ".yaml");
    Files.writeString(file, text);
    try {
      return StreamConfig.read(file);
    } finally {
      Files.delete(file);
    }
  }
}
