package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.config.EpochSchedule;
import io.gauze.config.StreamConfig;
import io.gauze.ledger.EpochCells;
import io.gauze.ledger.EpochRecord;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerRequest;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.publish.EpochBegin;
import io.gauze.publish.Ledger;
import io.gauze.publish.LedgerComparison;
import io.gauze.publish.PublishedReleases;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StreamSettings;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * What a start takes to read a ledger of many releases: with an entry for each, and with one for
 * each epoch. Each ledger is as Kafka leaves it, without what it may delete. It is read, and the
 * first epoch that lacks a release is found, by a JVM of its own with a heap of one gibibyte; the
 * broker is a process of its own, too.
 */
public final class LedgerStart {
  private static final String STREAM = "start";

  private LedgerStart() {}

  /**
   * Runs.
   *
   * @param args releases (1,000,000), groups (10,000), {@code epochs} for the ledger of epochs
   *     alone, and {@code releases} to also write the topic of releases and compare it
   */
  public static void main(String[] args) throws Exception {
    int releases = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int groups = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(
        "| ledger | releases | records | seconds to read | to begin | to compare | CPU | heap MiB | epochs |");
    out.println("|---|---|---|---|---|---|---|---|---|");
    boolean bodies = args.length > 3;
    for (boolean epochs : args.length > 2 ? new boolean[] {true} : new boolean[] {false, true}) {
      try (ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of())) {
        String address = broker.line();
        int records = write(address, releases, groups, epochs);
        if (bodies) {
          writeReleases(address, releases, groups);
        }
        try (ChildProcess start =
            ChildProcess.start(
                Start.class, List.of(address, Integer.toString(groups), bodies ? "all" : "none"))) {
          out.printf(
              Locale.ROOT,
              "| %s | %,d | %,d | %s |%n",
              epochs ? "an entry for each epoch" : "an entry for each release",
              releases,
              records,
              start.line());
        }
      }
    }
  }

  /** The start, as a program. */
  static final class Start {
    private Start() {}

    /** Reads the ledger of a broker, and prints what that took. */
    public static void main(String[] args) throws Exception {
      SketchJobSettings job = job(args[0], Integer.parseInt(args[1]));
      List<String> missing = args[2].equals("none") ? List.of(job.topics().releases()) : List.of();
      long begin = System.nanoTime();
      LedgerBook book = Ledger.read(job.kafka(), job.topics().ledger());
      double read = 1e-9 * (System.nanoTime() - begin);
      SketchJobSettings found = job.withPublished(PublishedReleases.inLedger(book, job));
      long first = EpochBegin.of(book, found).first();
      long next = first;
      while (found.isPublished(next)) {
        next++;
      }
      double ready = 1e-9 * (System.nanoTime() - begin) - read;
      long compare = System.nanoTime();
      List<Message> warnings = new ArrayList<>();
      LedgerComparison.check(job, missing, warnings);
      double compared = missing.isEmpty() ? 1e-9 * (System.nanoTime() - compare) : 0.0;
      if (missing.isEmpty() && !warnings.isEmpty()) {
        throw new IllegalStateException(warnings.get(0).line());
      }
      Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      long used = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
      System.out.printf(
          Locale.ROOT,
          "%.1f | %.1f | %.1f | %.1f | %,d | %,d%n",
          read,
          ready,
          compared,
          cpu.toMillis() / 1e3,
          used,
          book.isEmpty() || found.published().isEmpty() ? 0 : next - first);
    }
  }

  private static int write(String address, int releases, int groups, boolean epochs)
      throws Exception {
    SketchJobSettings job = job(address, groups);
    String topic = job.topics().ledger();
    try (Admin admin = Admin.create(job.kafka().properties())) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic, 1, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
          .all()
          .get();
    }
    EpochCells cells = EpochCells.of(job.input().groups(), List.of("moments"));
    int records = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        job.kafka().producer(Map.of(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd"))) {
      if (epochs) {
        records += send(producer, List.of(record(topic, cells.key(STREAM), cells.toJson(STREAM))));
      }
      for (int epoch = 0; epoch < releases / groups; epoch++) {
        List<LedgerEntry> entries = entries(job, cells, epoch);
        List<ProducerRecord<byte[], byte[]>> ofEpoch = new ArrayList<>();
        if (epochs) {
          EpochRecord complete = EpochRecord.of(cells, entries);
          ofEpoch.add(record(topic, complete.epoch().key(), complete.toJson()));
        } else {
          entries.forEach(
              entry -> ofEpoch.add(record(topic, entry.id().toString(), entry.toJson())));
        }
        records += send(producer, ofEpoch);
      }
    }
    return records;
  }

  /** Writes bodies in the order of their epochs, as a job does, and none is a real release. */
  private static void writeReleases(String address, int releases, int groups) throws Exception {
    SketchJobSettings job = job(address, groups);
    String topic = job.topics().releases();
    try (Admin admin = Admin.create(job.kafka().properties())) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
    EpochCells cells = EpochCells.of(job.input().groups(), List.of("moments"));
    try (KafkaProducer<byte[], byte[]> producer = job.kafka().producer(Map.of())) {
      for (int epoch = 0; epoch < releases / groups; epoch++) {
        List<ProducerRecord<byte[], byte[]>> ofEpoch = new ArrayList<>();
        for (LedgerEntry entry : entries(job, cells, epoch)) {
          byte[] key = entry.id().toString().getBytes(UTF_8);
          ofEpoch.add(new ProducerRecord<>(topic, key, body(entry.id())));
        }
        send(producer, ofEpoch);
      }
    }
  }

  /** As large as a small release. */
  private static byte[] body(ReleaseId id) {
    return Arrays.copyOf(id.toString().getBytes(UTF_8), 1_600);
  }

  private static int send(
      KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records)
      throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    records.forEach(record -> sent.add(producer.send(record)));
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
    return records.size();
  }

  private static List<LedgerEntry> entries(SketchJobSettings job, EpochCells cells, int epoch) {
    String series = job.series();
    EpochSchedule schedule = job.schedule();
    LedgerRequest charge = job.charge();
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      ReleaseId id = cells.id(STREAM, schedule.label(schedule.firstEpoch() + epoch), i);
      entries.add(
          new LedgerEntry(
              id,
              LedgerEntry.sha256(body(id)),
              LedgerEntry.State.PUBLISHED,
              series,
              charge.guarantee(),
              charge.terms()));
    }
    return entries;
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, String value) {
    return new ProducerRecord<>(topic, key.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  private static SketchJobSettings job(String bootstrap, int groups) throws Exception {
    String values =
        IntStream.range(0, groups).mapToObj(i -> "g" + i).collect(Collectors.joining(", "));
    StreamConfig config =
        StreamConfig.parse(
            "start.yaml",
            """
            stream: start
            columns:
              - {name: x, lower: -1, upper: 1}
            privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
            epochs: {length: PT1M, from: 2026-01-01T00:00:00Z}
            groups: {field: g, values: [VALUES]}
            sketches:
              - {name: moments, mechanism: noisy-moments}
            kafka:
              bootstrap: BOOTSTRAP
              rows: {topic: rows}
            """
                .replace("VALUES", values)
                .replace("BOOTSTRAP", bootstrap));
    return StreamSettings.job(config, StreamSettings.plan(config), Instant.now());
  }
}
