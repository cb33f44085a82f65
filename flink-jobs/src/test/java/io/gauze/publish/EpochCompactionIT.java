package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.job.CrashPlan;
import io.gauze.job.SketchPreflight;
import io.gauze.job.StreamFixture;
import io.gauze.job.TopicReader;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.Message;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.JobMessage;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of the ledger's entries of an epoch of four releases, in Kafka's log. */
@ExtendWith(SharedCluster.class)
final class EpochCompactionIT {
  private static final String STREAM = "wine";
  private static final int EACH = 4;
  private static final RowInput GROUPS = RowInput.JSON.groupedBy("land", List.of("de", "fr"));

  private final String rows = TestTopics.createRows("rows", 1);
  private final Topics topics = topics(TestTopics.create("releases", 1), compacted(Map.of()));

  /** In each transaction of one batch, and again when its releases come with more. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "AFTER_SPENT",
        "AFTER_SEND",
        "AFTER_PUBLISHED",
        "BEFORE_COMPLETE",
        "DURING_COMPLETE",
        "AFTER_COMPLETE"
      })
  void eachReleaseIsOneRecordAndEachEpochOneEntryWhereverTheJobCrashes(FaultInjection.Step step)
      throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    for (int crash = 0; crash < 2; crash++) {
      int time = step.name().endsWith("COMPLETE") ? 1 : 2; // all epochs are in one transaction
      CrashPlan plan = new CrashPlan("compaction" + step + crash).at(step, time);
      List<ReleaseCommittable> batch = releases(job, 0, 3 + 3 * crash);
      assertThatThrownBy(() -> commit(job.withProbe(plan), batch))
          .hasMessage("crash on purpose at " + step);
      abortOpenTransaction();
      assertThat(SketchPreflight.prepare(job, false, 1_000_000, Optional.empty()).warnings())
          .as("a start in between")
          .noneMatch(warning -> warning.is(JobMessage.GONE));
    }
    commit(job, releases(job, 0, 6));
    commit(job, releases(job, 2, 7)); // an epoch more, behind some that are out
    assertThat(committed(topics.releases()))
        .containsExactlyInAnyOrderElementsOf(ids(releases(job, 0, 7)));
    LedgerBook book = book(job);
    assertThat(book.entries(STREAM)).isEmpty();
    assertThat(book.complete(STREAM)).hasSize(7);
    assertThat(book.held(STREAM, entry -> false)).isEqualTo(Map.copyOf(bodies(job, 0, 7)).keySet());
    assertThat(committed(topics.ledger()).stream().filter(key -> key.endsWith("/cells")))
        .as("cells stand in front of all epochs, and nowhere else")
        .hasSize(1);
  }

  @Test
  void anotherBodyOfACompleteEpochIsRefusedAndNothingIsSentBehindIt() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    commit(job, releases(job, 0, 3));
    List<ReleaseCommittable> restored = releases(job, 2, 4);
    restored.set(1, release(job, 1, 2, 7));
    assertThatThrownBy(() -> commit(job, restored))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-BODY")
        .hasMessageContaining("It is " + restored.get(1).id());
    assertThat(committed(topics.releases())).hasSize(3 * EACH);
    commit(job, releases(job, 2, 4));
    assertThat(committed(topics.releases())).hasSize(4 * EACH);
  }

  /** A committer that has published the epochs itself knows as much of them as a new one. */
  @Test
  void aRunningCommitterComparesBodiesWithTheLog() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    try (ReleaseCommitter running = new ReleaseCommitter(job, new UnregisteredMetricsGroup())) {
      for (int epoch = 0; epoch < 3; epoch++) {
        running.commit(CommitRequest.of(releases(job, epoch, epoch + 1).stream()));
      }
      running.commit(CommitRequest.of(releases(job, 0, 3).stream()));
      assertThat(committed(topics.releases())).hasSize(3 * EACH);
      for (int cell = 0; cell < EACH; cell++) {
        ReleaseCommittable other = release(job, cell, 1, 7);
        assertThatThrownBy(() -> running.commit(CommitRequest.of(Stream.of(other))))
            .isInstanceOf(PrivacyConflictException.class)
            .hasMessageContaining("GZ-BODY")
            .hasMessageContaining("It is " + other.id());
      }
      running.commit(CommitRequest.of(releases(job, 2, 4).stream()));
    }
    assertThat(committed(topics.releases())).hasSize(4 * EACH);
    assertThat(book(job).complete(STREAM)).hasSize(4);
  }

  /** As a mirror that begins anew may write it; Kafka then deletes the first one. */
  @Test
  void aCopyOfARecordIsReadWhereItIs() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    commit(job, releases(job, 0, 2));
    ConsumerRecord<byte[], byte[]> first =
        TopicReader.all(topics.ledger()).stream()
            .filter(record -> record.value() != null && key(record).split("/", -1).length == 3)
            .filter(record -> !key(record).endsWith("/cells"))
            .findFirst()
            .orElseThrow();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      producer.send(new ProducerRecord<>(topics.ledger(), first.key(), first.value())).get();
    }
    ReleaseId id = ReleaseId.parse(releases(job, 0, 1).get(0).id());
    assertThat(book(job).complete(id).orElseThrow().offset()).isGreaterThan(first.offset());
    commit(job, releases(job, 0, 2));
    assertThatThrownBy(() -> commit(job, List.of(release(job, 0, 0, 7))))
        .hasMessageContaining("GZ-BODY");
    assertThat(committed(topics.releases())).hasSize(2 * EACH);
  }

  /** Without the record nobody can say what was published, so nothing is sent or skipped. */
  @Test
  void aRecordThatIsGoneEndsTheJob() throws Exception {
    String ledger = compacted(Map.of("cleanup.policy", "compact,delete"));
    SketchJobSettings job = job(BudgetScope.ROWS, 1, topics(topics.releases(), ledger));
    try (ReleaseCommitter running = new ReleaseCommitter(job, new UnregisteredMetricsGroup())) {
      running.commit(CommitRequest.of(releases(job, 0, 2).stream()));
      ReleaseId id = ReleaseId.parse(releases(job, 0, 1).get(0).id());
      long place = book(job).complete(id).orElseThrow().offset();
      try (Admin admin = TestTopics.admin()) {
        TopicPartition log = new TopicPartition(ledger, 0);
        admin.deleteRecords(Map.of(log, RecordsToDelete.beforeOffset(place + 1))).all().get();
      }
      assertThatThrownBy(() -> running.commit(CommitRequest.of(releases(job, 0, 2).stream())))
          .isInstanceOf(LastingFaultException.class)
          .hasMessageContaining("GZ-LOSTRECORD: The ledger topic " + ledger)
          .hasMessageContaining("offset " + place);
    }
    assertThat(committed(topics.releases())).hasSize(2 * EACH);
  }

  /** The job would go on with what it knows, and not see what others spend in the new topic. */
  @Test
  void aLedgerThatIsMadeAnewEndsTheJob() throws Exception {
    String ledger = topics.ledger();
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    try (ReleaseCommitter running = new ReleaseCommitter(job, new UnregisteredMetricsGroup())) {
      running.commit(CommitRequest.of(releases(job, 0, 2).stream()));
      try (Admin admin = TestTopics.admin()) {
        admin.deleteTopics(List.of(ledger)).all().get();
      }
      TestTopics.make(ledger, 1, Map.of("cleanup.policy", "compact"));
      assertThatThrownBy(() -> running.commit(CommitRequest.of(releases(job, 2, 3).stream())))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was made anew");
    }
    assertThat(committed(topics.releases())).hasSize(2 * EACH);
    assertThat(TopicReader.all(ledger)).isEmpty();
  }

  @Test
  void anUnfinishedEpochKeepsItsEntriesAndALaterOneDoesNotWait() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    List<ReleaseCommittable> all = releases(job, 0, 2);
    commit(job, all.subList(1, all.size()));
    assertThat(book(job).entries(STREAM)).hasSize(EACH - 1);
    assertThat(book(job).complete(STREAM)).hasSize(1);
    commit(job, all.subList(0, 1));
    assertThat(book(job).entries(STREAM)).isEmpty();
  }

  /** One that still runs beside the job that took its place. */
  @Test
  void anOldJobCompactsNothing() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    List<ReleaseCommittable> last = releases(job, 2, 3);
    try (ReleaseCommitter old = new ReleaseCommitter(job, new UnregisteredMetricsGroup())) {
      old.commit(CommitRequest.of(releases(job, 0, 1).stream()));
      commit(job, last.subList(0, EACH - 1));
      assertThatThrownBy(() -> old.commit(CommitRequest.of(last.stream())))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the broker did not take a record for topic " + topics.ledger());
    }
    assertThat(book(job).complete(STREAM)).hasSize(1);
    assertThat(book(job).entries(STREAM)).hasSize(EACH - 1);
    commit(job, last);
    assertThat(book(job).complete(STREAM)).hasSize(2);
    assertThat(committed(topics.releases())).hasSize(2 * EACH);
  }

  /** Of users each epoch is charged, before and after it is one entry. */
  @Test
  void whatDidNotFitDoesNotFit() throws Exception {
    SketchJobSettings job = job(BudgetScope.users("name", 1), 1.5);
    commit(job, releases(job, 0, 2));
    assertThat(book(job).complete(STREAM)).hasSize(2);
    assertThatThrownBy(() -> commit(job, releases(job, 2, 3)))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-PROMISED");
    assertThat(committed(topics.releases())).hasSize(2 * EACH);
  }

  /** A ledger of entries alone, as it was before epochs had one. */
  @Test
  void anOldLedgerIsCompacted() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    commit(job, releases(job, 0, 25));
    Topics old = topics(topics.releases(), compacted(Map.of()));
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      for (ConsumerRecord<byte[], byte[]> record : TopicReader.all(topics.ledger())) {
        if (record.value() != null && key(record).split("/", -1).length == EACH) {
          producer.send(new ProducerRecord<>(old.ledger(), record.key(), record.value())).get();
        }
      }
    }
    SketchJobSettings again = job(BudgetScope.ROWS, 1, old);
    assertThat(book(again).entries(STREAM)).hasSize(25 * EACH);
    commit(again, releases(again, 24, 26));
    assertThat(book(again).complete(STREAM)).hasSize(26);
    commit(again, releases(again, 26, 28));
    assertThat(book(again).complete(STREAM)).hasSize(28);
    assertThat(book(again).entries(STREAM)).isEmpty();
    assertThat(SketchPreflight.prepare(again, false, 1_000_000, Optional.empty()).warnings())
        .isEmpty();
  }

  @Test
  void aStartKnowsWhatIsInCompleteEpochs() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    commit(job, releases(job, 0, 3));
    SketchPreflight.Prepared prepared =
        SketchPreflight.prepare(job, false, 1_000_000, Optional.empty());
    assertThat(prepared.settings().published()).hasSize(3 * EACH);
    assertThat(prepared.settings().isPublished(2)).isTrue();
    assertThat(prepared.settings().isPublished(3)).isFalse();
    Topics emptied = topics(TestTopics.create("releases", 1), topics.ledger());
    assertThat(
            SketchPreflight.prepare(
                    job(BudgetScope.ROWS, 1, emptied), false, 1_000_000, Optional.empty())
                .warnings())
        .extracting(Message::message)
        .anyMatch(message -> message.contains(" lacks " + 3 * EACH + " releases "));
  }

  @Test
  void aSecondBodyInTheTopicOfReleasesIsRefused() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    commit(job, releases(job, 0, 3));
    ReleaseCommittable other = release(job, 3, 1, 7);
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      producer
          .send(new ProducerRecord<>(topics.releases(), other.id().getBytes(UTF_8), other.body()))
          .get();
    }
    assertThatThrownBy(() -> SketchPreflight.prepare(job, false, 1_000_000, Optional.empty()))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-TWOBODIES")
        .hasMessageContaining(other.id());
    assertThatThrownBy(() -> LedgerRebuild.run(job))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-TWOBODIES");
  }

  @Test
  void aTombstoneOfAnOpenEpochStopsAllReaders() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    List<ReleaseCommittable> all = releases(job, 0, 2);
    commit(job, all.subList(0, all.size() - 1));
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      byte[] inside = all.get(0).id().getBytes(UTF_8);
      producer.send(new ProducerRecord<>(topics.ledger(), inside, null)).get();
      book(job); // it is one of those that compaction writes
      byte[] open = all.get(all.size() - 2).id().getBytes(UTF_8);
      producer.send(new ProducerRecord<>(topics.ledger(), open, null)).get();
    }
    assertThatThrownBy(() -> book(job))
        .isInstanceOf(LastingFaultException.class)
        .hasMessageContaining("GZ-FOREIGN");
  }

  /** Kafka deletes the entries of complete epochs, and their tombstones after a while. */
  @Thorough
  @Test
  void aLedgerThatKafkaHasCleanedSaysTheSame() throws Exception {
    Map<String, String> eager =
        Map.of(
            "segment.ms", "100",
            "min.cleanable.dirty.ratio", "0.001",
            "delete.retention.ms", "0");
    SketchJobSettings job = job(BudgetScope.ROWS, 1, topics(topics.releases(), compacted(eager)));
    commit(job, releases(job, 0, 5));
    long deadline = System.nanoTime() + 3 * TestTopics.PATIENCE.toNanos();
    int epochs = 5;
    while (TopicReader.all(job.topics().ledger()).stream()
            .filter(record -> key(record).endsWith("/moments"))
            .filter(record -> key(record).contains(job.schedule().label(0)))
            .count()
        > 0) {
      assertThat(System.nanoTime() - deadline).isNegative();
      commit(job, releases(job, epochs, epochs + 1)); // closes a segment of the log
      epochs++;
    }
    assertThat(book(job).complete(STREAM)).hasSize(epochs);
    assertThat(book(job).entries(STREAM)).isEmpty();
    commit(job, releases(job, 0, 2));
    assertThat(committed(topics.releases())).hasSize(epochs * EACH);
    assertThatThrownBy(() -> commit(job, List.of(release(job, 1, 0, 7))))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-BODY");
    assertThat(SketchPreflight.prepare(job, false, 1_000_000, Optional.empty()).warnings())
        .isEmpty();
  }

  /** Entries of several partitions have no order. */
  @Test
  void aLedgerOfTwoPartitionsKeepsItsEntries() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    commit(job, releases(job, 0, 2));
    TestTopics.grow(topics.ledger(), 2);
    commit(job, releases(job, 1, 4));
    assertThat(book(job).complete(STREAM)).hasSize(2);
    assertThat(book(job).entries(STREAM)).hasSize(2 * EACH);
    assertThat(committed(topics.releases())).hasSize(4 * EACH);
  }

  private static String compacted(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.putIfAbsent("cleanup.policy", "compact");
    return TestTopics.create("ledger", 1, settings);
  }

  private Topics topics(String releases, String ledger) {
    return new Topics(
        rows,
        releases,
        ledger,
        "requests",
        "answers",
        TestTopics.create("dead-letters", 1),
        TestTopics.create("late", 1));
  }

  private static LedgerBook book(SketchJobSettings job) throws Exception {
    return Ledger.read(job.kafka(), job.topics().ledger());
  }

  private static List<String> committed(String topic) {
    return TopicReader.committedKeys(SharedCluster.broker().bootstrapServers(), topic);
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.key(), UTF_8);
  }

  private static List<String> ids(List<ReleaseCommittable> releases) {
    return releases.stream().map(ReleaseCommittable::id).toList();
  }

  private static Map<String, String> bodies(SketchJobSettings job, int from, int to) {
    return releases(job, from, to).stream()
        .collect(Collectors.toMap(ReleaseCommittable::id, each -> LedgerEntry.sha256(each.body())));
  }

  private SketchJobSettings job(BudgetScope unit, double totalBudget) {
    return job(unit, totalBudget, topics);
  }

  private static SketchJobSettings job(BudgetScope unit, double totalBudget, Topics topics) {
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                STREAM,
                StreamFixture.schema(),
                new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
                unit,
                1000,
                List.of(),
                List.of(
                    new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                    new SketchRequest("sums", "noisy-moments", 1, Map.of()))));
    return SketchJobSettings.of(
            plan,
            OperatorFixture.SECONDS,
            new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of()),
            topics)
        .withInput(GROUPS)
        .withTotalBudget(new Budget(totalBudget, 1e-6, Neighbours.REPLACE_ONE));
  }

  /** Four of each epoch. */
  private static List<ReleaseCommittable> releases(SketchJobSettings job, int from, int to) {
    return new ArrayList<>(
        IntStream.range(from, to)
            .boxed()
            .flatMap(
                epoch -> IntStream.range(0, EACH).mapToObj(cell -> release(job, cell, epoch, 1)))
            .toList());
  }

  private static ReleaseCommittable release(
      SketchJobSettings job, int index, long epoch, long sum) {
    Cell cell = job.cells().stream().filter(each -> each.block() == 0).toList().get(index);
    ReleaseId id = job.releaseId(cell, epoch);
    long[] sums = new long[job.plan().sketch(cell.sketch()).mechanism().spec().stateLength()];
    sums[0] = sum;
    byte[] body = Release.of(job.plan(), id, job.randomness(), sums).toBytes();
    return new ReleaseCommittable(id.toString(), job.topics().rows(), 7, body);
  }

  /** As the broker does by itself when the transaction of a job that is gone is a minute old. */
  private static void abortOpenTransaction() throws Exception {
    KafkaAccess kafka = new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of());
    try (Admin admin = kafka.admin()) {
      admin.fenceProducers(List.of(LiveJobs.group(STREAM))).all().get();
    }
  }

  private static void commit(SketchJobSettings job, List<ReleaseCommittable> releases)
      throws Exception {
    try (ReleaseCommitter committer = new ReleaseCommitter(job, new UnregisteredMetricsGroup())) {
      committer.commit(CommitRequest.of(releases.stream()));
    }
  }
}
