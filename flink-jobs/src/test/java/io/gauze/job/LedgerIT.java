package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerPosition;
import io.gauze.ledger.LedgerTerms;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.publish.Ledger;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.VisibleEnds;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedCluster.class)
final class LedgerIT {
  private static final String STREAM = "seconds";
  private static final StreamPlan PLAN = OperatorFixture.plan(1, 512);

  /** Opened once the ledger's consumer has read something, so after it asked where the log ends. */
  private static final CountDownLatch READING = new CountDownLatch(1);

  @Test
  void anotherStreamsOpenTransactionHidesNothing() throws Exception {
    String topic = TestTopics.create("ledger", 1, Map.of("cleanup.policy", "compact"));
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (KafkaProducer<byte[], byte[]> plain = TestTopics.producer(Map.of());
        KafkaProducer<byte[], byte[]> other =
            TestTopics.producer(Map.of("transactional.id", "open-on-" + topic))) {
      append(plain, topic, entry(STREAM, "before"));
      other.initTransactions();
      other.beginTransaction();
      append(other, topic, entry("other", "open"));
      append(plain, topic, entry(STREAM, "behind"));

      Future<Boolean> aborted =
          executor.submit(
              () -> {
                boolean reading = READING.await(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS);
                other.abortTransaction();
                return reading;
              });
      KafkaAccess kafka = kafka(Map.of("interceptor.classes", FirstRead.class.getName()));
      assertThat(Ledger.read(kafka, topic).entries(STREAM))
          .containsExactlyInAnyOrder(entry(STREAM, "before"), entry(STREAM, "behind"));
      assertThat(aborted.get()).isTrue();
    } finally {
      executor.shutdownNow();
    }
  }

  /** Says when a consumer has its first records. */
  public static final class FirstRead implements ConsumerInterceptor<byte[], byte[]> {
    /** For Kafka. */
    public FirstRead() {}

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
      READING.countDown();
      return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configs) {}
  }

  @Test
  void anEntryIsTheLastOfItsIdAndOfItsStream() throws Exception {
    String topic = TestTopics.create("ledger", 1, Map.of("cleanup.policy", "compact"));
    LedgerEntry published = entry(STREAM, "x").withState(LedgerEntry.State.PUBLISHED);
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      append(producer, topic, entry(STREAM, "x"));
      append(producer, topic, entry("other", "x"));
      append(producer, topic, published);
    }
    LedgerBook book = Ledger.read(kafka(Map.of()), topic);
    assertThat(book.entries(STREAM)).containsExactly(published);
    Ledger.check(book, settings(), settings().charge());
    LedgerEntry foreign =
        new LedgerEntry(
            published.id(),
            published.sha256(),
            published.state(),
            "f".repeat(64),
            published.guarantee(),
            published.terms());
    LedgerBook both =
        LedgerBook.of(
            List.of(new LedgerPosition(published, 0, 0), new LedgerPosition(foreign, 0, 1)));
    assertThatThrownBy(() -> Ledger.check(both, settings(), settings().charge()))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("It is seconds/all/all/x")
        .hasMessageContaining("Spent: epsilon 1.0; asked: 1.0 more");
  }

  /**
   * Else its releases, of no rows if the name is a typo, would take the ids of the stream's own.
   */
  @Test
  void aStreamHasOneTopicOfRows() {
    LedgerEntry own = entry(STREAM, "x");
    LedgerTerms terms = own.terms();
    LedgerEntry elsewhere =
        new LedgerEntry(
            own.id(),
            own.sha256(),
            own.state(),
            own.series(),
            own.guarantee(),
            new LedgerTerms(
                "elsewhere", terms.costs(), terms.distance(), terms.totalBudget(), terms.whose()));
    LedgerBook book = LedgerBook.of(List.of(new LedgerPosition(elsewhere, 0, 0)));
    assertThatThrownBy(() -> Ledger.check(book, settings(), settings().charge()))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageStartingWith("GZ-ACCOUNT: ")
        .hasMessageContaining("of the rows of topic elsewhere")
        .hasMessageContaining("choose another stream name");
  }

  @Test
  void recordsThatAreNoEntriesAreRefused() {
    String topic = TestTopics.create("ledger", 1);
    TestTopics.send(topic, 0, "{\"id\":\"secret\"}");
    assertThatThrownBy(() -> Ledger.read(kafka(Map.of()), topic))
        .isInstanceOf(LastingFaultException.class)
        .hasNoCause()
        .hasMessageContaining("GZ-FOREIGN: The ledger topic " + topic)
        .hasMessageContaining("partition 0, offset 0")
        .hasMessageContaining("as the runbook says")
        .hasMessageNotContaining("secret");
  }

  /** Entries in a partition that came later would be missed. */
  @Test
  void aLedgerThatGrowsPartitionsIsReadAnew() throws Exception {
    String topic = TestTopics.create("ledger", 1, Map.of("cleanup.policy", "compact"));
    try (Ledger ledger = new Ledger(kafka(Map.of()), topic)) {
      ledger.refresh();
      TestTopics.grow(topic, 2);
      assertThatThrownBy(ledger::refresh)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("had 1 partitions and has 2");
    }
  }

  @Test
  void aMissingTopicIsSaidToBeMissing() {
    assertThatThrownBy(() -> Ledger.read(kafka(Map.of()), "no-ledger"))
        .isInstanceOf(IOException.class)
        .hasMessage("the ledger topic no-ledger does not exist");
    assertThatThrownBy(() -> VisibleEnds.now(kafka(Map.of()), "no-rows"))
        .isInstanceOf(IOException.class)
        .hasMessage("topic no-rows does not exist");
  }

  private static KafkaAccess kafka(Map<String, String> settings) {
    return new KafkaAccess(SharedCluster.broker().bootstrapServers(), settings);
  }

  private static SketchJobSettings settings() {
    return OperatorFixture.settings(PLAN, OperatorFixture.SECONDS);
  }

  private static LedgerEntry entry(String stream, String sketch) {
    return new LedgerEntry(
        new ReleaseId(stream, ReleaseId.ALL, ReleaseId.ALL, sketch),
        "0".repeat(64),
        LedgerEntry.State.SPENT,
        settings().series(),
        PLAN.guarantee(Randomness.SYSTEM),
        settings().terms());
  }

  private static void append(
      KafkaProducer<byte[], byte[]> producer, String topic, LedgerEntry entry) throws Exception {
    byte[] key = entry.id().toString().getBytes(UTF_8);
    producer.send(new ProducerRecord<>(topic, key, entry.toJson().getBytes(UTF_8))).get();
  }
}
