package io.gauze.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.job.SketchPreflight;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.release.Release;
import io.gauze.stream.StreamSettings;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicReadiness;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The streams of {@link Tracks} through a broker and the job: rows of 80 epochs of an hour, as if
 * their producers had sent them in the past days, and the excess of the models that the job
 * publishes.
 */
public final class TrackedStreams {
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** Each mechanism with its threshold in the config. */
  private static final Map<String, String> MODELS =
      new TreeMap<>(Map.of("huber-track", ", threshold: 0.05", "irls-track", ""));

  private static final int PARTITIONS = 4;

  /** Producers' timestamps, and none of them further ahead than an epoch. */
  private static final Map<String, String> PRODUCERS_TIME =
      Map.of(
          TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
          "CreateTime",
          TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
          "3600000");

  private final TrackCells cells = new TrackCells();
  private final Path folder;
  private final LocalCluster cluster;
  private final String bootstrap;
  private final Instant from =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(TrackRows.EPOCHS, ChronoUnit.HOURS);

  private TrackedStreams(Path folder, LocalCluster cluster, String bootstrap) throws IOException {
    this.folder = folder;
    this.cluster = cluster;
    this.bootstrap = bootstrap;
  }

  /**
   * Runs.
   *
   * @param args epsilon (1), how many streams of each kind (3), and the kinds (ROTATE REGIME)
   */
  public static void main(String[] args) throws Exception {
    String epsilon = args.length > 0 ? args[0] : "1";
    int seeds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    List<String> kinds =
        args.length > 2 ? Arrays.asList(args).subList(2, args.length) : List.of("ROTATE", "REGIME");
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    out.println("\n| stream | mechanism | rows | " + TrackCells.TITLES + " | job, s |");
    out.println("|---|---|---|---|---|---|---|---|---|---|");
    try (TemporaryFolder folder = TemporaryFolder.create("gauze-tracks-");
        ChildProcess broker = ChildProcess.start(LoadBroker.class, List.of());
        LocalCluster cluster = LocalCluster.start(2)) {
      TrackedStreams streams = new TrackedStreams(folder.path(), cluster, broker.line());
      for (String kind : kinds) {
        streams.print(TrackRows.Stream.valueOf(kind), seeds, epsilon, out);
      }
    }
  }

  private void print(TrackRows.Stream stream, int seeds, String epsilon, PrintStream out)
      throws Exception {
    Map<String, double[][]> excesses = new TreeMap<>();
    Map<String, Double> seconds = new TreeMap<>();
    MODELS.keySet().forEach(model -> excesses.put(model, new double[seeds][]));
    int rows = 0;
    for (int seed = 0; seed < seeds; seed++) {
      TrackRows track = new TrackRows(stream, seed);
      for (String model : MODELS.keySet()) {
        String name =
            (stream + "-" + seed + "-" + model).toLowerCase(Locale.ROOT).replace('_', '-');
        Path file = config(name, model, epsilon);
        rows = send(track, StreamConfig.read(file));
        long start = System.nanoTime();
        Map<Integer, double[]> published = run(StreamConfig.read(file));
        seconds.merge(model, 1e-9 * (System.nanoTime() - start) / seeds, Double::sum);
        excesses.get(model)[seed] =
            TrackRows.CHECKPOINTS.stream()
                .mapToDouble(epoch -> track.excess(epoch, published.get(epoch)))
                .toArray();
      }
    }
    for (String model : MODELS.keySet()) {
      out.printf(
          Locale.ROOT,
          "| %s | `%s` | %,d | %s | %.0f |%n",
          stream.label,
          model,
          rows,
          cells.of(model, stream, epsilon, List.of(excesses.get(model))),
          seconds.get(model));
    }
  }

  private Path config(String name, String model, String epsilon) throws IOException {
    StringBuilder text = new StringBuilder("stream: " + name + "\ncolumns:\n");
    columns().forEach(column -> text.append("  - {name: " + column + ", lower: -1, upper: 1}\n"));
    text.append(
        """
        intercept: INTERCEPT
        rowBound: ROW_BOUND
        privacy: {epsilon: EPSILON, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: PT1H, from: "FROM", timestamps: producer}
        expectedRows: ROWS
        models:
          - {name: model, mechanism: MODEL}
        kafka:
          bootstrap: BOOTSTRAP
          rows: {topic: rows-NAME, format: json}
          releases: {topic: releases-NAME}
          ledger: {topic: ledger-NAME}
          create: {partitions: 4, replicas: 1}
        flink:
          properties: {parallelism.default: 2, execution.checkpointing.interval: 200 ms}
        """
            .replace("INTERCEPT", Double.toString(TrackRows.INTERCEPT))
            .replace("ROW_BOUND", Double.toString(TrackRows.ROW_BOUND))
            .replace("EPSILON", epsilon)
            .replace("FROM", from.toString())
            .replace("ROWS", Integer.toString(TrackRows.ROWS))
            .replace("MODEL", model + MODELS.get(model))
            .replace("BOOTSTRAP", bootstrap)
            .replace("NAME", name));
    return Files.writeString(folder.resolve(name + ".yaml"), text.toString());
  }

  private static List<String> columns() {
    return IntStream.rangeClosed(0, TrackRows.FEATURES)
        .mapToObj(k -> k < TrackRows.FEATURES ? "x" + k : "y")
        .toList();
  }

  /** Sends the rows of all epochs; returns their number. */
  private int send(TrackRows track, StreamConfig config) throws Exception {
    KafkaAccess kafka = new KafkaAccess(bootstrap, Map.of());
    String topic = config.kafka().topics().rows();
    NewTopic rows = new NewTopic(topic, PARTITIONS, (short) 1);
    try (Admin admin = Admin.create(kafka.properties())) {
      admin.createTopics(List.of(rows.configs(PRODUCERS_TIME))).all().get();
      TopicReadiness.awaitKnown(admin, topic);
      TopicReadiness.awaitLeaders(admin, topic);
    }
    int sent = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        kafka.producer(Map.of("linger.ms", "20", "max.in.flight.requests.per.connection", "1"))) {
      for (int epoch = 1; epoch <= TrackRows.EPOCHS; epoch++) {
        long begin = from.plus(epoch - 1L, ChronoUnit.HOURS).toEpochMilli();
        for (double[] row : track.rows(epoch)) {
          byte[] value = json(row).getBytes(UTF_8);
          var unused =
              producer.send(new ProducerRecord<>(topic, sent % PARTITIONS, begin, null, value));
          sent++;
        }
        producer.flush(); // as time goes on in all partitions
      }
    }
    return sent;
  }

  /** A row of c0, the features and the response. */
  private static String json(double... row) {
    StringBuilder text = new StringBuilder();
    List<String> columns = columns();
    for (int k = 0; k < columns.size(); k++) {
      text.append(k == 0 ? "{\"" : ", \"").append(columns.get(k)).append("\": ").append(row[k + 1]);
    }
    return text.append('}').toString();
  }

  /** Runs the job until the models of all epochs are published. */
  private Map<Integer, double[]> run(StreamConfig config) throws Exception {
    SketchPreflight.Prepared prepared =
        SketchPreflight.prepare(
            StreamSettings.job(config, StreamSettings.plan(config), Instant.now()),
            false,
            TrackRows.EPOCHS + 2L,
            config.kafka().create());
    prepared.begin().write();
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(
            SketchJob.configuration(Configuration.fromMap(config.flink())));
    SketchJob.build(env, prepared.settings());
    JobHandle job = cluster.submit(env, config.stream());
    try {
      return published(prepared.settings().kafka(), config.kafka().topics().releases(), job);
    } finally {
      job.cancel().get();
    }
  }

  /** The coefficients of each epoch, in the encoded scale. */
  private Map<Integer, double[]> published(KafkaAccess kafka, String topic, JobHandle job)
      throws IOException {
    Map<Integer, double[]> models = new TreeMap<>();
    Instant end = Instant.now().plus(PATIENCE);
    try (KafkaConsumer<byte[], byte[]> consumer = kafka.consumer()) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (models.size() < TrackRows.EPOCHS) {
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
          Release release = Release.fromBytes(each.value());
          Instant begin = Instant.parse(release.id().epoch());
          int epoch = 1 + (int) ChronoUnit.HOURS.between(from, begin);
          double[] theta = new double[TrackRows.FEATURES + 1];
          for (int k = 0; k < theta.length; k++) {
            theta[k] = release.value(k);
          }
          models.put(epoch, theta);
        }
        if (job.result().isDone() || Instant.now().isAfter(end)) {
          throw new IOException("the job published " + models.keySet() + " only, in " + PATIENCE);
        }
      }
    }
    return models;
  }
}
