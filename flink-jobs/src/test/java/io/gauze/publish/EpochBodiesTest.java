package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.ledger.CompletePosition;
import io.gauze.ledger.EpochRecord;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the records of small epochs take to be read again. */
final class EpochBodiesTest {
  private static final String TOPIC = "ledger";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final int EPOCHS = 200;
  private static final int PLENTY = 1 << 20;

  /** A release of each group and sketch in an epoch. */
  private static final SketchJobSettings JOB =
      OperatorFixture.settings(OperatorFixture.plan(1, 512), OperatorFixture.SECONDS)
          .withInput(RowInput.JSON.groupedBy("land", List.of("de", "fr", "it", "uk")));

  private final LedgerBook book = LedgerBook.of(List.of());
  private final Log log = new Log();

  /** A log of which a poll returns the next few records. */
  private static final class Log extends MockConsumer<byte[], byte[]> {
    private static final int SOME = 50;

    private final TreeMap<Long, ConsumerRecord<byte[], byte[]>> records = new TreeMap<>();
    private int polls;

    Log() {
      super("none");
    }

    void add(long offset, EpochRecord record) {
      byte[] key = record.epoch().key().getBytes(UTF_8);
      byte[] value = record.toJson().getBytes(UTF_8);
      records.put(offset, new ConsumerRecord<>(TOPIC, 0, offset, key, value));
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      polls++;
      List<ConsumerRecord<byte[], byte[]>> next =
          records.tailMap(position(PARTITION)).values().stream().limit(SOME).toList();
      seek(PARTITION, next.get(next.size() - 1).offset() + 1);
      return new ConsumerRecords<>(Map.of(PARTITION, next), Map.of());
    }
  }

  @BeforeEach
  void write() {
    for (long epoch = 0; epoch < EPOCHS; epoch++) {
      CompleteEpochs.add(book, JOB, epoch);
      log.add(epoch, CompleteEpochs.record(JOB, epoch));
    }
  }

  @Test
  void aFetchAnswersForAllEpochsInIt() throws IOException {
    try (EpochBodies bodies = new EpochBodies(() -> log, TOPIC, PLENTY)) {
      for (long epoch = 0; epoch < EPOCHS; epoch++) {
        assertHolds(bodies, epoch);
      }
      assertThat(log.polls).isEqualTo(EPOCHS / Log.SOME);
      assertHolds(bodies, 0);
      assertThat(log.polls).as("polls with the first epoch again").isEqualTo(EPOCHS / Log.SOME);
    }
  }

  @Test
  void epochsInAnyOrderAreFound() throws IOException {
    try (EpochBodies bodies = new EpochBodies(() -> log, TOPIC, EpochBodies.OVERHEAD)) {
      for (long epoch : new long[] {150, 3, 151, 4, 199, 0, 199}) {
        assertHolds(bodies, epoch);
      }
    }
  }

  /** Of an epoch of few releases the maps take more memory than what is known of its bodies. */
  @Test
  void memoryIsCountedWithMaps() throws IOException {
    int each = EpochBodies.OVERHEAD + CompleteEpochs.record(JOB, 0).bytes();
    try (EpochBodies bodies = new EpochBodies(() -> log, TOPIC, Log.SOME * each)) {
      for (long epoch = 0; epoch < EPOCHS; epoch++) {
        assertHolds(bodies, epoch);
      }
      int polls = log.polls;
      assertHolds(bodies, EPOCHS - Log.SOME);
      assertThat(log.polls).as("polls with one that is kept").isEqualTo(polls);
      assertHolds(bodies, 0);
      assertThat(log.polls).as("polls with one that is not").isEqualTo(polls + 1);
    }
  }

  /** Readers that keep many of them have each epoch once. */
  @Test
  void aRecordHasTheEpochOfItsPlace() throws IOException {
    CompletePosition place = place(7);
    try (EpochBodies bodies = new EpochBodies(() -> log, TOPIC, PLENTY)) {
      assertThat(bodies.at(place).orElseThrow().epoch()).isSameAs(place.epoch());
    }
  }

  @Test
  void aRecordThatIsGoneIsNotThere() throws IOException {
    log.records.remove(7L);
    try (EpochBodies bodies = new EpochBodies(() -> log, TOPIC, PLENTY)) {
      assertThat(bodies.at(place(7))).isEmpty();
      assertHolds(bodies, 8);
      assertThat(log.polls).isEqualTo(1);
    }
  }

  private CompletePosition place(long epoch) {
    return book.complete(id(epoch)).orElseThrow();
  }

  private static ReleaseId id(long epoch) {
    return ReleaseId.parse(new ArrayList<>(JOB.releaseIds(epoch, epoch)).get(0));
  }

  private void assertHolds(EpochBodies bodies, long epoch) throws IOException {
    ReleaseId id = id(epoch);
    EpochRecord record = bodies.at(place(epoch)).orElseThrow();
    assertThat(record.holds(id, LedgerEntry.sha256(id.toString().getBytes(UTF_8)))).isTrue();
    assertThat(record.holds(id, "0".repeat(64))).isFalse();
  }
}
