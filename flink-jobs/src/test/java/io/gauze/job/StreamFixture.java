package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.stream.Cell;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** A small stream with topics of its own on the shared broker, and what its releases must hold. */
public final class StreamFixture {
  static final int PARTITIONS = 4;

  /** So that an element of a source has few rows, and checkpoints come between small ones. */
  private static final Map<String, String> FEW_AT_A_TIME = Map.of("max.poll.records", "20");

  /** Two blocks of buckets, so that releases are joined from several cells. */
  private static final int BUCKETS = 8192;

  /** Of three strata. */
  static final SketchRequest SECOND =
      new SketchRequest("second", "residual-strata", 1, Map.of("strata", "3"));

  /** Seven of the rows themselves, and two of exact moments at the seal. */
  private static final List<SketchRequest> MODELS =
      List.of(
          new SketchRequest("model", "huber", 1, Map.of()),
          new SketchRequest("middle", "quantile", 1, Map.of()),
          new SketchRequest("label", "logistic", 1, Map.of("response", "a")),
          new SketchRequest("rounds", "private-irls", 1, Map.of()),
          new SketchRequest("few", "peeling", 1, Map.of("nonzero", "1")),
          new SketchRequest("ball", "objective-perturbation", 1, Map.of()),
          new SketchRequest("chosen", "select-fit", 1, Map.of("selected", "1", "rounds", "1")),
          new SketchRequest("white", "two-stage-moments", 1, Map.of("response", "y")),
          new SketchRequest("squares", "descent", 1, Map.of()));

  private final Topics topics;
  private final SketchJobSettings settings;

  public StreamFixture(EpochSchedule schedule, Randomness randomness) throws IOException {
    this(schedule, randomness, BudgetScope.ROWS, RowInput.JSON);
  }

  public StreamFixture(
      EpochSchedule schedule, Randomness randomness, BudgetScope unit, RowInput input)
      throws IOException {
    this(schedule, randomness, plan("fixture", schema(), unit).request(), input);
  }

  /** A stream with {@link #SECOND} and models beside the other sketches. */
  public static StreamFixture readTwice(
      EpochSchedule schedule, Randomness randomness, RowInput input) throws IOException {
    return readTwice(schedule, randomness, input, SECOND);
  }

  /** A stream with nothing but a model that is kept up to date. */
  static StreamFixture tracked(EpochSchedule schedule, Randomness randomness, String mechanism)
      throws IOException {
    return of(schedule, randomness, List.of(new SketchRequest("model", mechanism, 1, Map.of())));
  }

  /** A stream of these sketches and models alone. */
  static StreamFixture of(
      EpochSchedule schedule, Randomness randomness, List<SketchRequest> sketches)
      throws IOException {
    StreamRequest request = plan("fixture").request().withSketches(sketches);
    return new StreamFixture(schedule, randomness, request, RowInput.JSON);
  }

  static StreamFixture readTwice(
      EpochSchedule schedule, Randomness randomness, RowInput input, SketchRequest second)
      throws IOException {
    return new StreamFixture(
        schedule, randomness, planReadTwice("fixture", second).request(), input);
  }

  /** Read twice, without sketches whose exact sums are in the state until the release. */
  public static StreamFixture noisyInState(EpochSchedule schedule, Randomness randomness)
      throws IOException {
    StreamPlan all = planReadTwice("fixture");
    List<SketchRequest> noisy =
        all.request().sketches().stream()
            .filter(sketch -> all.sketch(sketch.name()).mechanism().noiseInState())
            .toList();
    return new StreamFixture(
        schedule, randomness, all.request().withSketches(noisy), RowInput.JSON);
  }

  /** A stream of other columns of the same rows. */
  public StreamFixture(EpochSchedule schedule, Randomness randomness, RowSchema schema)
      throws IOException {
    this(schedule, randomness, plan("fixture", schema, BudgetScope.ROWS).request(), RowInput.JSON);
  }

  private StreamFixture(
      EpochSchedule schedule, Randomness randomness, StreamRequest request, RowInput input)
      throws IOException {
    String rows =
        TestTopics.create(
            "rows",
            PARTITIONS,
            Map.of("message.timestamp.type", timestamps(schedule), "max.message.bytes", "8000000"));
    topics = new Topics(rows, "none", "none", "requests", "answers", "none", "none");
    settings =
        SketchJobSettings.of(
                StreamPlan.of(
                    new StreamRequest(
                        "fixture-" + topics.rows(),
                        request.schema(),
                        request.budget(),
                        request.scope(),
                        request.expectedRows(),
                        request.assumptions(),
                        request.sketches())),
                schedule,
                new KafkaAccess(SharedCluster.broker().bootstrapServers(), FEW_AT_A_TIME),
                topics)
            .withRandomness(randomness)
            .withInput(input);
  }

  private static String timestamps(EpochSchedule schedule) {
    return schedule.time().kind() == RowTime.Kind.PRODUCER ? "CreateTime" : "LogAppendTime";
  }

  private StreamFixture(Topics topics, SketchJobSettings settings) {
    this.topics = topics;
    this.settings = settings;
  }

  /** The same rows by another schedule. */
  StreamFixture by(EpochSchedule schedule) {
    return new StreamFixture(
        topics,
        SketchJobSettings.of(settings.plan(), schedule, settings.kafka(), topics)
            .withRandomness(settings.randomness())
            .withInput(settings.input()));
  }

  public static RowSchema schema() {
    return RowSchema.of(
        List.of(
            new NumericColumn("a", "a", -1, 1),
            new NumericColumn("b", "b", 0, 10),
            new NumericColumn("y", "y", -5, 5)),
        1.0,
        2.0,
        MissingValues.REJECT);
  }

  static StreamPlan plan(String stream) {
    return plan(stream, schema(), BudgetScope.ROWS);
  }

  /** The plan with {@link #SECOND} and models beside the other sketches. */
  static StreamPlan planReadTwice(String stream) {
    return planReadTwice(stream, SECOND);
  }

  private static StreamPlan planReadTwice(String stream, SketchRequest second) {
    StreamRequest request = plan(stream).request();
    List<SketchRequest> sketches = new ArrayList<>(request.sketches());
    sketches.add(second);
    sketches.addAll(MODELS);
    return StreamPlan.of(request.withSketches(sketches));
  }

  private static StreamPlan plan(String stream, RowSchema schema, BudgetScope unit) {
    return StreamPlan.of(
        new StreamRequest(
            stream,
            schema,
            new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
            unit,
            10_000,
            List.of(),
            List.of(
                new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                new SketchRequest(
                    "buckets", "count-sketch", 1, Map.of("buckets", Integer.toString(BUCKETS))))));
  }

  public SketchJobSettings settings() {
    return settings;
  }

  Topics topics() {
    return topics;
  }

  /** New, empty topics for what a job over these rows writes. */
  public Output newOutput() {
    return new Output(
        new Topics(
            topics.rows(),
            TestTopics.create("releases", 1, Map.of("max.message.bytes", "8000000")),
            TestTopics.create("ledger", 1, Map.of("cleanup.policy", "compact")),
            "requests",
            "answers",
            TestTopics.create("dead-letters", 2),
            TestTopics.create("late", 2)));
  }

  /** The topics that another stream writes to, for this one to write to, too. */
  Output shared(Output other) {
    Topics theirs = other.topics();
    return new Output(
        new Topics(
            topics.rows(),
            theirs.releases(),
            theirs.ledger(),
            "requests",
            "answers",
            theirs.deadLetters(),
            theirs.late()));
  }

  SketchJobSettings job(Output output) {
    return SketchJobSettings.of(
            settings.plan(), settings.schedule(), settings.kafka(), output.topics())
        .withRandomness(settings.randomness())
        .withInput(settings.input());
  }

  public SketchPreflight.Prepared prepare(Output output, boolean bounded) throws IOException {
    SketchPreflight.Prepared prepared =
        SketchPreflight.prepare(job(output), bounded, 1000, Optional.empty());
    prepared.begin().write();
    return prepared;
  }

  /** The topics that a job writes to. */
  record Output(Topics topics) {
    /** Release id to its distinct bodies, as anyone reads the topic, committed or not. */
    Map<String, Set<List<Long>>> bodies() {
      return StreamFixture.bodies(TopicReader.all(topics.releases()));
    }

    /** Each release has one record and one body, without noise the expected one. */
    void assertOnce(Map<String, List<Long>> expected, boolean noise) {
      assertBodies(expected, noise);
      assertThat(committed()).containsExactlyInAnyOrderElementsOf(expected.keySet());
    }

    /** As {@link #assertOnce}, whatever is committed. */
    void assertBodies(Map<String, List<Long>> expected, boolean noise) {
      Map<String, Set<List<Long>>> bodies = bodies();
      if (noise) {
        assertThat(bodies.keySet()).isEqualTo(expected.keySet());
        assertThat(bodies.values()).allSatisfy(sums -> assertThat(sums).hasSize(1));
      } else {
        assertThat(bodies).isEqualTo(once(expected));
      }
    }

    /** The id of each record that a reader of committed ones sees. */
    List<String> committed() {
      return TopicReader.committedKeys(
          SharedCluster.broker().bootstrapServers(), topics.releases());
    }
  }

  /** Returns when the topic holds a committed release of each of {@code ids}. */
  static void awaitReleases(KafkaAccess kafka, String topic, Collection<String> ids) {
    Set<String> missing = new TreeSet<>(ids);
    try (KafkaConsumer<byte[], byte[]> consumer = kafka.consumer()) {
      List<TopicPartition> partitions = TopicReader.partitions(consumer, topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      ProcessCluster.await(
          () -> "the releases " + missing,
          () -> {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
              missing.remove(new String(record.key(), UTF_8));
            }
            return missing.isEmpty();
          });
    }
  }

  static Map<String, Set<List<Long>>> bodies(List<ConsumerRecord<byte[], byte[]>> releases) {
    Map<String, Set<List<Long>>> bodies = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : releases) {
      bodies
          .computeIfAbsent(new String(record.key(), UTF_8), id -> new LinkedHashSet<>())
          .add(longs(state(record.value())));
    }
    return bodies;
  }

  /** What {@link Output#bodies} is when each id has just this body. */
  static Map<String, Set<List<Long>>> once(Map<String, List<Long>> sums) {
    Map<String, Set<List<Long>>> bodies = new TreeMap<>();
    sums.forEach((id, sum) -> bodies.put(id, Set.of(sum)));
    return bodies;
  }

  /** Random rows, the same for the same seed, spread over the partitions. */
  public void sendRows(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<List<String>> byPartition = new ArrayList<>();
    for (int p = 0; p < PARTITIONS; p++) {
      byPartition.add(new ArrayList<>());
    }
    for (int i = 0; i < count; i++) {
      byPartition.get(random.nextInt(PARTITIONS)).add(row(random));
    }
    for (int p = 0; p < PARTITIONS; p++) {
      TestTopics.send(topics.rows(), p, byPartition.get(p).toArray(new String[0]));
    }
  }

  /** A record with a key, and what becomes of it; no value is a tombstone. */
  record Keyed(int partition, String key, Optional<String> value) {}

  /** Appends records one after the other, so that their order is that of the list. */
  void send(List<Keyed> records) throws Exception {
    Map<String, Object> inOrder = Map.of("max.in.flight.requests.per.connection", 1);
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(inOrder)) {
      Future<RecordMetadata> last = null;
      for (Keyed record : records) {
        byte[] value = record.value().map(text -> text.getBytes(UTF_8)).orElse(null);
        last =
            producer.send(
                new ProducerRecord<>(
                    topics.rows(), record.partition(), record.key().getBytes(UTF_8), value));
      }
      if (last != null) {
        producer.flush();
        last.get();
      }
    }
  }

  public static String row(SplittableRandom random) {
    return String.format(
        Locale.ROOT,
        "{\"a\":%.6f,\"b\":%.6f,\"y\":%.6f,\"ignored\":\"x\"}",
        random.nextDouble(-1, 1),
        random.nextDouble(0, 10),
        random.nextDouble(-5, 5));
  }

  static Configuration quick() {
    Configuration config = new Configuration();
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(200));
    config.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
        Duration.ofMillis(100));
    config.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        Duration.ofMillis(200));
    return config;
  }

  public static JobHandle submit(
      LocalCluster cluster, SketchJobSettings job, int parallelism, Configuration extra)
      throws IOException {
    return submit(cluster, List.of(job), parallelism, extra);
  }

  /** Several streams as one job. */
  public static JobHandle submit(
      LocalCluster cluster, List<SketchJobSettings> jobs, int parallelism, Configuration extra)
      throws IOException {
    Configuration config = quick();
    config.addAll(extra);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(SketchJob.configuration(config));
    env.setParallelism(parallelism);
    jobs.forEach(job -> SketchJob.build(env, job));
    return cluster.submit(env, "sketch " + jobs.get(0).plan().stream());
  }

  /** Runs a bounded job to its end. */
  void run(SketchJobSettings job, int parallelism) throws Exception {
    submit(SharedCluster.cluster(), job, parallelism, new Configuration()).result().get();
  }

  static long[] state(byte[] release) {
    return Release.fromBytes(release).numbers();
  }

  public static List<Long> longs(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  /**
   * The sums that the releases must hold without noise, from the rows topic itself: release id to
   * state.
   */
  public Map<String, List<Long>> expected(List<Long> epochs) {
    return expected(settings, committedRows(), epochs);
  }

  private List<ConsumerRecord<byte[], byte[]>> committedRows() {
    return TopicReader.all(settings.kafka().bootstrap(), topics.rows(), "read_committed");
  }

  public static Map<String, List<Long>> expected(
      SketchJobSettings settings, List<ConsumerRecord<byte[], byte[]>> log, List<Long> epochs) {
    Map<Slot, List<ConsumerRecord<byte[], byte[]>>> rows = new LinkedHashMap<>();
    epochs.forEach(
        epoch -> rows.put(new Slot(SketchJobSettings.NO_GROUP, epoch), new ArrayList<>()));
    for (ConsumerRecord<byte[], byte[]> record : log) {
      long epoch = settings.schedule().epochOf(record.timestamp());
      rows.getOrDefault(new Slot(SketchJobSettings.NO_GROUP, epoch), new ArrayList<>()).add(record);
    }
    return sums(settings, rows);
  }

  /** What is released at once. */
  record Slot(String group, long epoch) {}

  /** Which records of the log are in which release; those that are no rows count nowhere. */
  interface Chosen {
    Map<Slot, List<ConsumerRecord<byte[], byte[]>>> rows(List<ConsumerRecord<byte[], byte[]>> log);
  }

  /** The sums of the rows that are chosen. */
  public Map<String, List<Long>> expected(Chosen chosen) {
    return sums(settings, chosen.rows(committedRows()));
  }

  private static Map<String, List<Long>> sums(
      SketchJobSettings settings, Map<Slot, List<ConsumerRecord<byte[], byte[]>>> rows) {
    Map<String, List<Long>> expected = new TreeMap<>();
    rows.forEach(
        (slot, records) ->
            ExpectedSums.of(settings, records)
                .forEach(
                    (name, numbers) ->
                        expected.put(
                            settings
                                .releaseId(new Cell(slot.group(), name, 0), slot.epoch())
                                .toString(),
                            longs(numbers))));
    return expected;
  }
}
