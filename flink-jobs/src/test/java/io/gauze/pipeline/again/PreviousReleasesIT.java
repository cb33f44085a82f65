package io.gauze.pipeline.again;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import io.gauze.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What earlier jobs published is found, whatever else is in the topic and whatever its clock. */
@ExtendWith(SharedCluster.class)
final class PreviousReleasesIT {
  private static final EpochSchedule SCHEDULE =
      EpochSchedule.of(
          Duration.ofHours(1), Instant.parse("2026-01-01T00:00:00Z"), true, Duration.ofMinutes(10));
  private static final long LAST = SCHEDULE.firstEpoch();

  /** Opened once a consumer has read something, so after it asked where the topic ends. */
  private static volatile CountDownLatch reading;

  private final String topic = TestTopics.create("releases", 2);
  private final SketchJobSettings settings = settings();

  private SketchJobSettings settings() {
    StreamPlan plan =
        StreamPlan.of(
            OperatorFixture.request(1, 512, BudgetScope.ROWS)
                .withSketches(
                    List.of(
                        new SketchRequest("second", "residual-strata", 1, Map.of("strata", "3")),
                        new SketchRequest("track", "huber-track", 1, Map.of()))));
    KafkaAccess kafka =
        new KafkaAccess(
            SharedCluster.broker().bootstrapServers(),
            Map.of("interceptor.classes", FirstRead.class.getName()));
    Topics topics = new Topics("rows", topic, "ledger", "requests", "answers", "none", "none");
    SketchJobSettings all =
        SketchJobSettings.of(plan, SCHEDULE, kafka, topics)
            .withRandomness(Randomness.noiseFreeForTests(1));
    Set<String> published =
        LongStream.rangeClosed(LAST - 1, LAST)
            .boxed()
            .flatMap(epoch -> all.releaseIds(epoch, epoch).stream())
            .collect(Collectors.toSet());
    return all.withPublished(published);
  }

  /** Says when a consumer has its first records. */
  public static final class FirstRead implements ConsumerInterceptor<byte[], byte[]> {
    /** For Kafka. */
    public FirstRead() {}

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
      reading.countDown();
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configs) {}
  }

  private static Cell cell(String sketch) {
    return new Cell(SketchJobSettings.NO_GROUP, sketch, 0);
  }

  /** A release whose numbers begin with its epoch, which is written to a partition. */
  private ProducerRecord<byte[], byte[]> release(
      String sketch, long epoch, int partition, long time) {
    ReleaseId id = settings.releaseId(cell(sketch), epoch);
    Mechanism mechanism = settings.plan().sketch(sketch).mechanism();
    long[] numbers = new long[((TrackingMechanism) mechanism).payloadLength()];
    numbers[0] = epoch;
    Release release = Release.of(settings.plan(), id, settings.randomness(), numbers);
    return new ProducerRecord<>(
        topic, partition, time, id.toString().getBytes(UTF_8), release.toBytes());
  }

  /** The partitions of the topic in the order in which readers go through them. */
  private List<Integer> partitions() {
    try (Consumer<byte[], byte[]> consumer = settings.kafka().consumer()) {
      return Partitions.of(consumer, topic).stream().map(TopicPartition::partition).toList();
    }
  }

  /** Reads while a transaction of another stream is open before the last releases. */
  private void readBesideAnOpenTransaction(Reading read) throws Exception {
    reading = new CountDownLatch(1);
    long now = System.currentTimeMillis();
    int whole = partitions().get(0);
    int open = partitions().get(1);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (KafkaProducer<byte[], byte[]> own = TestTopics.producer(Map.of());
        KafkaProducer<byte[], byte[]> other =
            TestTopics.producer(Map.of("transactional.id", "open-on-" + topic))) {
      for (String sketch : List.of("second", "track")) {
        own.send(release(sketch, LAST - 1, whole, now)).get();
      }
      other.initTransactions();
      other.beginTransaction();
      other.send(new ProducerRecord<>(topic, open, null, "open".getBytes(UTF_8))).get();
      for (String sketch : List.of("second", "track")) {
        own.send(release(sketch, LAST, open, now)).get();
      }
      Future<Boolean> aborted =
          executor.submit(
              () -> {
                boolean begun = reading.await(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                other.abortTransaction();
                return begun;
              });
      read.run();
      assertThat(aborted.get()).isTrue();
    } finally {
      executor.shutdownNow();
    }
  }

  @FunctionalInterface
  private interface Reading {
    void run() throws Exception;
  }

  @Test
  void anotherStreamsOpenTransactionHidesNoModel() throws Exception {
    try (PublishedModels models = new PublishedModels.InTopic(settings)) {
      readBesideAnOpenTransaction(
          () -> {
            models.read(LAST + 1, 0);
            assertThat(models.epochs(cell("track"))).containsExactly(LAST);
            assertThat(models.epochs(cell("second"))).containsExactly(LAST);
          });
    }
  }

  /** The time of a release is the broker's, whose clock may be behind by less than sealDelay. */
  @Test
  void aReleaseOfASlowClockIsFound() throws Exception {
    reading = new CountDownLatch(1);
    long sealed = SCHEDULE.cutMillis(LAST - 1);
    try (KafkaProducer<byte[], byte[]> own = TestTopics.producer(Map.of());
        PublishedModels models = new PublishedModels.InTopic(settings)) {
      own.send(release("second", LAST - 1, 0, sealed - Duration.ofMinutes(9).toMillis())).get();
      models.read(LAST, LAST - 1);
      assertThat(models.epochs(cell("second"))).containsExactly(LAST - 1);
      assertThat(models.numbers(cell("second"), LAST - 1)).startsWith(LAST - 1);
    }
  }
}
