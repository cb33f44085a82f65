package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.job.SketchPreflight;
import io.gauze.job.StreamFixture;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.stream.JobMessage;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a start and a rebuild make of a ledger that does not fit to the topic of releases. */
@ExtendWith(SharedCluster.class)
final class LedgerComparisonIT {
  private static final String WINE = "wine";
  private static final String BEER = "beer";

  private final String rows = TestTopics.createRows("rows", 1);
  private final String releases = TestTopics.create("releases", 2);
  private final Topics topics = topics(ledger());

  @Test
  void aStartWithoutTheLedgerOfItsReleasesIsRefusedAndARebuildMendsIt() throws Exception {
    commit(job(WINE, topics), 0, 1200);
    SketchJobSettings lost = job(WINE, topics(ledger()));
    assertRefused(lost, "GZ-LEDGER: ", "It lacks at least 1000 of");
    assertThat(LedgerRebuild.run(lost)).isEqualTo(1200);
    assertThat(entries(lost)).containsExactlyInAnyOrderElementsOf(entries(job(WINE, topics)));
    assertThat(prepared(lost).warnings()).isEmpty();
    assertThat(prepared(lost).settings().published()).hasSize(1200);
    assertThat(LedgerRebuild.run(lost)).isEqualTo(0);
  }

  @Test
  void aLedgerThatIsOlderThanTheReleasesIsRefused() throws Exception {
    commit(job(WINE, topics), 0, 5);
    SketchJobSettings old = job(WINE, topics(copyOfLedger(3)));
    assertRefused(old, "It lacks 2 of them, such as wine/all/", "gauze ledger --rebuild");
    assertThat(LedgerRebuild.run(old)).isEqualTo(2);
    assertThat(prepared(old).warnings()).isEmpty();
  }

  /** It would be made anew, and the releases a second time. */
  @Test
  void aMissingLedgerIsRefusedBeforeItIsMade() throws Exception {
    commit(job(WINE, topics), 0, 2);
    SketchJobSettings lost = job(WINE, topics("no-ledger-of-" + rows));
    assertRefused(lost, "It lacks 2 of them");
    TopicAdmin.Creation how = new TopicAdmin.Creation(1, (short) 1);
    assertThatThrownBy(() -> SketchPreflight.prepare(lost, false, 1000, Optional.of(how)))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("or take another stream name and new rows");
    try (Admin admin = TestTopics.admin()) {
      assertThat(admin.listTopics().names().get()).doesNotContain(lost.topics().ledger());
    }
    SketchJobSettings fresh =
        job(WINE, topics(TestTopics.create("releases", 1), "no-ledger-of-" + rows));
    assertThatThrownBy(() -> prepared(fresh)).isInstanceOf(TopicException.Missing.class);
  }

  /** A reader of uncommitted records has it, and a second body would be averaged with it. */
  @Test
  void whatWasSentAndNotCommittedCounts() throws Exception {
    SketchJobSettings job = job(WINE, topics);
    try (KafkaProducer<byte[], byte[]> producer =
        TestTopics.producer(Map.of("transactional.id", "open-on-" + releases))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(record(release(job, 0, 1))).get();
      assertRefused(job, "It lacks 1 of them");
      producer.abortTransaction();
    }
    assertRefused(job, "It lacks 1 of them");
    assertThat(LedgerRebuild.run(job)).isEqualTo(1);
    assertThat(Ledger.read(job.kafka(), topics.ledger()).entries(WINE))
        .extracting(LedgerEntry::state)
        .containsExactly(LedgerEntry.State.SPENT);
    prepared(job);
  }

  @Test
  void aSecondBodyIsRefusedAndNoRebuildTakesIt() throws Exception {
    SketchJobSettings job = job(WINE, topics);
    commit(job, 0, 1);
    SketchJobSettings other = job(WINE, topics(ledger()));
    commit(other, List.of(release(other, 0, 7)));
    assertRefused(job, "GZ-TWOBODIES", "It is wine/all/", "as spent twice");
    assertThatThrownBy(() -> LedgerRebuild.run(job)).isInstanceOf(PrivacyConflictException.class);
  }

  /** They stay charged; readers miss them. */
  @Test
  void publishedReleasesThatTheirTopicLacksAreNamed() throws Exception {
    commit(job(WINE, topics), 0, 3);
    SketchJobSettings emptied =
        job(WINE, topics(TestTopics.create("releases", 1), topics.ledger()));
    assertThat(prepared(emptied).warnings())
        .anySatisfy(
            warning -> {
              assertThat(warning.is(JobMessage.GONE)).as(warning.text()).isTrue();
              assertThat(warning.message()).contains(" lacks 3 releases ");
              assertThat(warning.details()).startsWith("One is wine/all/");
            });
    assertThat(prepared(emptied).settings().published()).hasSize(3);
  }

  /** Streams of one ledger: what it has lost of the same rows counts, whoever charged it. */
  @Test
  void entriesOfAnotherStreamAreMissedToo() throws Exception {
    commit(job(WINE, topics), 0, 5);
    SketchJobSettings beer = job(BEER, topics);
    prepared(beer);
    assertRefused(
        job(BEER, topics(copyOfLedger(3))),
        "lacks releases of stream wine",
        "gauze ledger --rebuild and the config that made them");
    assertRefused(
        job(BEER, topics(ledger())), "GZ-NOLEDGER", "They are of wine.", "kafka.releases.topic");
    SketchJobSettings own = job(BEER, topics(ledger()));
    commit(own, 0, 1);
    assertThat(prepared(own).warnings())
        .anySatisfy(
            warning -> {
              assertThat(warning.is(JobMessage.OTHERLEDGER)).as(warning.text()).isTrue();
              assertThat(warning.details()).startsWith("It lacks 5 of them, such as wine/all/");
            });
  }

  /** The topic is that of streams with other ledgers, too, which may have far more releases. */
  @Test
  void manyReleasesOfAnotherStreamHideNoneOfThisOne() throws Exception {
    commit(job(WINE, topics), 0, 1100);
    commit(job(BEER, topics(ledger())), 0, 1);
    String third = ledger();
    SketchJobSettings ale = job("ale", topics(third));
    commit(ale, 0, 1);
    assertThat(prepared(ale).warnings()).hasSize(2);
    assertRefused(
        job(BEER, topics(third)), "of stream beer", "It lacks 1 of them, such as beer/all/");
  }

  /** Between the two readings a job may release what the first one cannot know. */
  @Test
  void aStartBesideARunningJobIsNotRefused() throws Exception {
    SketchJobSettings job = job(WINE, topics);
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Future<?> running =
          executor.submit(
              () -> {
                for (int epoch = 0; epoch < 40; epoch++) {
                  commit(job, epoch, epoch + 1);
                }
                return null;
              });
      while (!running.isDone()) {
        assertThat(prepared(job).warnings())
            .noneMatch(warning -> warning.text().contains(" lacks "));
      }
      running.get();
    } finally {
      executor.shutdownNow();
    }
    assertThat(prepared(job).settings().published()).hasSize(40);
  }

  @Test
  void recordsThatAreNoReleasesSpendNothing() throws Exception {
    SketchJobSettings job = job(WINE, topics);
    commit(job, 0, 1);
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      byte[] key = release(job, 5, 1).id().getBytes(UTF_8);
      producer.send(new ProducerRecord<>(releases, key, "nothing".getBytes(UTF_8))).get();
      producer.send(new ProducerRecord<>(releases, "a/b".getBytes(UTF_8), key)).get();
      producer.send(new ProducerRecord<>(releases, null, key)).get();
      producer.send(new ProducerRecord<>(releases, key, null)).get();
    }
    assertThat(prepared(job).warnings()).isEmpty();
    assertThat(LedgerRebuild.run(job)).isEqualTo(0);
  }

  @Test
  void aRebuildNeedsAllReleasesAndTheirConfig() throws Exception {
    commit(job(WINE, topics), 0, 3);
    SketchJobSettings lost = job(WINE, topics(ledger()));
    assertThatThrownBy(() -> LedgerRebuild.run(job(WINE, lost.topics(), "count-sketch")))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-OTHERRELEASE");
    try (Admin admin = TestTopics.admin()) {
      for (int partition = 0; partition < 2; partition++) {
        admin
            .deleteRecords(
                Map.of(new TopicPartition(releases, partition), RecordsToDelete.beforeOffset(1)))
            .all()
            .get();
      }
    }
    assertThatThrownBy(() -> LedgerRebuild.run(lost))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-LOSTRELEASES");
    assertThat(entries(lost)).isEmpty();
  }

  /** Flink restarts its committer without another start, after which the ledger is another one. */
  @Test
  void aCommitterRefusesALedgerThatWasMadeAnew() throws Exception {
    SketchJobSettings job = prepared(job(WINE, topics)).settings();
    commit(job, 0, 1);
    try (Admin admin = TestTopics.admin()) {
      admin.deleteTopics(List.of(topics.ledger())).all().get();
      long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
      while (admin.listTopics().names().get().contains(topics.ledger())) {
        assertThat(System.nanoTime() - deadline).isNegative();
      }
    }
    TestTopics.make(topics.ledger(), 1, Map.of("cleanup.policy", "compact"));
    assertThatThrownBy(() -> commit(job, 1, 2))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-ANEW");
  }

  private void assertRefused(SketchJobSettings job, String... parts) {
    assertThatThrownBy(() -> prepared(job))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContainingAll(parts);
    assertThatThrownBy(
            () -> SketchPreflight.check(job, false, 1000, Optional.empty(), Duration.ofSeconds(10)))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContainingAll(parts);
  }

  private static SketchPreflight.Prepared prepared(SketchJobSettings job) throws IOException {
    return SketchPreflight.prepare(job, false, 1_000_000, Optional.empty());
  }

  private static String ledger() {
    return TestTopics.create("ledger", 1, Map.of("cleanup.policy", "compact"));
  }

  /** A ledger with the first entries, as a backup has them. */
  private String copyOfLedger(int number) throws Exception {
    String copy = ledger();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      for (LedgerEntry entry : entries(job(WINE, topics)).subList(0, number)) {
        byte[] key = entry.id().toString().getBytes(UTF_8);
        producer.send(new ProducerRecord<>(copy, key, entry.toJson().getBytes(UTF_8))).get();
      }
    }
    return copy;
  }

  private static List<LedgerEntry> entries(SketchJobSettings job) throws IOException {
    return Ledger.read(job.kafka(), job.topics().ledger()).entries(WINE);
  }

  private Topics topics(String ledger) {
    return topics(releases, ledger);
  }

  private Topics topics(String out, String ledger) {
    return new Topics(
        rows,
        out,
        ledger,
        "requests",
        "answers",
        TestTopics.create("dead-letters", 1),
        TestTopics.create("late", 1));
  }

  private static SketchJobSettings job(String stream, Topics topics) {
    return job(stream, topics, "noisy-moments");
  }

  private static SketchJobSettings job(String stream, Topics topics, String mechanism) {
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                stream,
                StreamFixture.schema(),
                new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
                BudgetScope.ROWS,
                1000,
                List.of(),
                List.of(new SketchRequest("moments", mechanism, 1, Map.of()))));
    return SketchJobSettings.of(
            plan,
            OperatorFixture.SECONDS,
            new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of()),
            topics)
        .withTotalBudget(new Budget(3, 1e-5, Neighbours.REPLACE_ONE));
  }

  private static ReleaseCommittable release(SketchJobSettings job, long epoch, long sum) {
    ReleaseId id = job.releaseId(job.cells().get(0), epoch);
    long[] sums = new long[job.plan().sketch("moments").mechanism().spec().stateLength()];
    sums[0] = sum;
    byte[] body = Release.of(job.plan(), id, job.randomness(), sums).toBytes();
    return new ReleaseCommittable(id.toString(), job.topics().rows(), 7, body);
  }

  private ProducerRecord<byte[], byte[]> record(ReleaseCommittable release) {
    return new ProducerRecord<>(releases, release.id().getBytes(UTF_8), release.body());
  }

  private static void commit(SketchJobSettings job, int from, int to) throws Exception {
    commit(
        job,
        new ArrayList<>(
            IntStream.range(from, to).mapToObj(epoch -> release(job, epoch, 1)).toList()));
  }

  private static void commit(SketchJobSettings job, List<ReleaseCommittable> all) throws Exception {
    try (ReleaseCommitter committer = new ReleaseCommitter(job, new UnregisteredMetricsGroup())) {
      committer.commit(CommitRequest.of(all.stream()));
    }
  }
}
