package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.config.EpochSchedule;
import io.gauze.job.CrashPlan;
import io.gauze.job.SketchPreflight;
import io.gauze.job.StreamFixture;
import io.gauze.job.TopicReader;
import io.gauze.ledger.AccountSummary;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.Message;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.RecordedMetrics;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams over one topic of rows, at the committers that publish for them. */
@ExtendWith(SharedCluster.class)
final class AccountIT {

  private final Topics topics =
      new Topics(
          TestTopics.createRows("rows", 2),
          TestTopics.create("releases", 1, Map.of("max.message.bytes", "8000000")),
          TestTopics.create("ledger", 1, Map.of("cleanup.policy", "compact")),
          "requests",
          "answers",
          TestTopics.create("dead-letters", 1),
          TestTopics.create("late", 1));

  @Test
  void aSecondStreamOverTheSameRowsPublishesNothing() throws Exception {
    commit(job("wine", 1));
    refused(job("beer", 1));
    refused(job("beer", 5)); // wine was promised first
    assertThat(published()).containsExactly("wine/all/all/moments");
    assertThat(book().entries("beer")).isEmpty();
    assertThatThrownBy(() -> SketchPreflight.prepare(job("beer", 1), true, 0, Optional.empty()))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageStartingWith(
            "GZ-PROMISED: The privacy account of topic " + topics.rows() + " would spend epsilon ")
        .hasMessageContaining("Spent: epsilon 1 (stream wine); asked: 1 (stream beer);")
        .hasMessageContaining("The ledger is topic " + topics.ledger());
  }

  @Test
  void aTotalBudgetThatCoversBothLetsBothOut() throws Exception {
    commit(job("wine", 1.5));
    commit(job("beer", 1.5));
    refused(job("ale", 1.5));
    commit(job("wine", 1.5)); // a restart: its series counts once
    assertThat(published()).containsExactly("wine/all/all/moments", "beer/all/all/moments");
    AccountSummary account = book().summary(job("wine", 1.5).charge()).get(0);
    assertThat(account.spent()).isBetween(1.45, 1.46);
    assertThat(account.streams()).hasSize(2);
  }

  /** It was sealed an hour ago. */
  @Test
  void metricsSayWhatIsPublishedAndWhatIsRepeated() throws Exception {
    SketchJobSettings wine = job("wine", 1.5);
    long sealed = System.currentTimeMillis() - 3_600_000;
    ReleaseCommittable known = release(wine);
    ReleaseCommittable first =
        new ReleaseCommittable(known.id(), topics.rows(), sealed, known.body());
    RecordedMetrics metrics = new RecordedMetrics();
    try (ReleaseCommitter committer = new ReleaseCommitter(wine, metrics.operator())) {
      assertThat(metrics.value("sealToPublishMillis")).isZero();
      committer.commit(CommitRequest.of(first));
      assertThat(metrics.value("sealToPublishMillis"))
          .isBetween(3_600_000L, System.currentTimeMillis() - sealed);
    }
    assertThat(metrics.value("publishedReleases")).isEqualTo(1);
    assertThat(metrics.value("repeatedReleases")).isZero();

    RecordedMetrics restarted = new RecordedMetrics();
    try (ReleaseCommitter committer = new ReleaseCommitter(wine, restarted.operator())) {
      committer.commit(CommitRequest.of(first, first));
    }
    assertThat(restarted.value("publishedReleases")).isZero();
    assertThat(restarted.value("repeatedReleases")).isEqualTo(2);
    assertThat(restarted.value("sealToPublishMillis")).isZero();
  }

  /** Both have asked before either has written: then wine writes first, and both ask again. */
  @Test
  void ofTwoThatAskAtOnceTheFirstGoesOn() throws Exception {
    CountDownLatch bothAsked = new CountDownLatch(2);
    CountDownLatch wineWrote = new CountDownLatch(1);
    CountDownLatch bothWrote = new CountDownLatch(2);
    FaultInjection wine =
        step -> {
          if (step == FaultInjection.Step.BEFORE_SPENT) {
            bothAsked.countDown();
            await(bothAsked);
          } else if (step == FaultInjection.Step.AFTER_SPENT) {
            wineWrote.countDown();
            bothWrote.countDown();
            await(bothWrote);
          }
        };
    FaultInjection beer =
        step -> {
          if (step == FaultInjection.Step.BEFORE_SPENT) {
            bothAsked.countDown();
            await(wineWrote);
          } else if (step == FaultInjection.Step.AFTER_SPENT) {
            bothWrote.countDown();
            await(bothWrote);
          }
        };
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try {
      Future<?> first = executor.submit(() -> commit(job("wine", 1).withProbe(wine)));
      Future<?> second = executor.submit(() -> commit(job("beer", 1).withProbe(beer)));
      first.get();
      assertThatThrownBy(second::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(PrivacyConflictException.class);
    } finally {
      executor.shutdownNow();
    }
    assertThat(published()).containsExactly("wine/all/all/moments");
    // What beer wrote stays counted, though it sent nothing; and wine goes on.
    assertThat(book().entries("beer")).extracting(LedgerEntry::state).containsExactly(SPENT);
    refused(job("beer", 1));
    commit(job("wine", 1));
    assertThat(published()).hasSize(1);
  }

  /** Wine has asked, then beer goes all the way. */
  @Test
  void whoComesBetweenQuestionAndEntryIsSeen() throws Exception {
    FaultInjection other =
        step -> {
          if (step == FaultInjection.Step.BEFORE_SPENT) {
            commit(job("beer", 1));
          }
        };
    refused(job("wine", 1).withProbe(other));
    assertThat(published()).containsExactly("beer/all/all/moments");
    assertThat(book().entries("wine")).extracting(LedgerEntry::state).containsExactly(SPENT);
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_SPENT", "DURING_SEND", "AFTER_SEND", "AFTER_PUBLISHED"})
  void whatWasSpentBeforeACrashCounts(FaultInjection.Step step) throws Exception {
    SketchJobSettings wine = job("wine", 1);
    SketchPreflight.Prepared prepared = SketchPreflight.prepare(wine, true, 0, Optional.empty());
    ReleaseCommittable release = release(wine);
    CrashPlan crash = new CrashPlan("account" + step).at(step, 1);
    assertThatThrownBy(() -> commit(wine.withProbe(crash), release))
        .hasMessage("crash on purpose at " + step);
    ReleaseProducer.open(wine).close(); // as the restarted job does first
    Optional<Message> unfinished = SketchPreflight.unfinished(prepared, false);
    assertThat(unfinished.isEmpty()).isEqualTo(step == FaultInjection.Step.AFTER_PUBLISHED);
    unfinished.ifPresent(
        message ->
            assertThat(message.line())
                .startsWith("GZ-UNFINISHED: The job of stream wine has ended, and 1 of its")
                .endsWith("The first is wine/all/all/moments."));
    refused(job("beer", 1));
    assertThatThrownBy(() -> SketchPreflight.prepare(job("beer", 1), true, 0, Optional.empty()))
        .isInstanceOf(PrivacyConflictException.class);
    commit(wine, release); // restored
    assertThat(book().entries("wine"))
        .extracting(LedgerEntry::state)
        .containsExactly(LedgerEntry.State.PUBLISHED);
    assertThat(published()).containsOnly("wine/all/all/moments");
    assertThat(SketchPreflight.unfinished(prepared, false)).isEmpty();
  }

  /** A total budget that is raised while a release is under way does not undo the promise. */
  @Test
  void theFirstPromiseStaysInTheEntry() throws Exception {
    SketchJobSettings wine = job("wine", 1);
    ReleaseCommittable release = release(wine);
    CrashPlan crash = new CrashPlan("promise").at(FaultInjection.Step.AFTER_SPENT, 1);
    assertThatThrownBy(() -> commit(wine.withProbe(crash), release))
        .hasMessageStartingWith("crash on purpose");
    commit(job("wine", 9), release);
    refused(job("beer", 9));
    assertThat(book().entries("wine").get(0).terms().totalBudget().epsilon()).isEqualTo(1.0);
  }

  /** A state from before a change of the config may hold releases that were not sent yet. */
  @Test
  void pendingReleasesOfAnotherConfigAreNotSent() throws Exception {
    SketchJobSettings wine = job("wine", 9);
    ReleaseCommittable large = release(job("wine", 9, 2));
    assertThatThrownBy(() -> commit(wine, large)).isInstanceOf(PrivacyConflictException.class);
    ReleaseCommittable elsewhere = release(wine, "other-rows");
    assertThatThrownBy(() -> commit(wine, elsewhere))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-OTHERSTATE");
    assertThat(published()).isEmpty();
    assertThat(book().entries("wine")).isEmpty();
  }

  @Test
  void releasesWithTestRandomnessEndAllClaims() throws Exception {
    commit(job("wine", 5).withRandomness(Randomness.insecureForTests(3)));
    refused(job("beer", 5));
    commit(job("beer", 5).withRandomness(Randomness.insecureForTests(4)));
    assertThat(book().summary(job("wine", 5).charge()).get(0).isPrivate()).isFalse();
  }

  private static final LedgerEntry.State SPENT = LedgerEntry.State.SPENT;

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private SketchJobSettings job(String stream, double totalBudget) {
    return job(stream, totalBudget, 1);
  }

  private SketchJobSettings job(String stream, double totalBudget, double epsilon) {
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                stream,
                StreamFixture.schema(),
                new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE),
                StreamRequest.ROW,
                1000,
                List.of(),
                List.of(new SketchRequest("moments", "noisy-moments", 1, Map.of()))));
    return SketchJobSettings.of(
            plan,
            EpochSchedule.all(),
            new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of()),
            topics)
        .withTotalBudget(new Budget(totalBudget, 1e-6, Neighbours.REPLACE_ONE));
  }

  private static ReleaseCommittable release(SketchJobSettings job) {
    return release(job, job.topics().rows());
  }

  private static ReleaseCommittable release(SketchJobSettings job, String rows) {
    ReleaseId id = new ReleaseId(job.plan().stream(), "all", "all", "moments");
    long[] sums = new long[job.plan().sketch("moments").mechanism().spec().stateLength()];
    return new ReleaseCommittable(
        id.toString(), rows, 7, Release.of(job.plan(), id, job.randomness(), sums).toBytes());
  }

  private static void commit(SketchJobSettings job) {
    commit(job, release(job));
  }

  private static void commit(SketchJobSettings job, ReleaseCommittable release) {
    try (ReleaseCommitter committer = new ReleaseCommitter(job, new UnregisteredMetricsGroup())) {
      committer.commit(CommitRequest.of(release));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void refused(SketchJobSettings job) {
    assertThatThrownBy(() -> commit(job)).isInstanceOf(PrivacyConflictException.class);
  }

  private LedgerBook book() throws Exception {
    return Ledger.read(job("wine", 1).kafka(), topics.ledger());
  }

  /** As anyone reads the topic, committed or not. */
  private List<String> published() {
    return TopicReader.all(topics.releases()).stream().map(AccountIT::key).toList();
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return new String(record.key(), UTF_8);
  }
}
