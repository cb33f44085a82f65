package io.gauze.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.job.CrashPlan;
import io.gauze.job.StreamFixture;
import io.gauze.job.TopicReader;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.pipeline.OperatorFixture;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a committer sends of all that one checkpoint hands to it, as records of Kafka's log. */
@ExtendWith(SharedCluster.class)
final class ReleaseCommitterIT {
  private static final String STREAM = "wine";

  private final Topics topics =
      new Topics(
          TestTopics.createRows("rows", 2),
          TestTopics.create("releases", 1),
          TestTopics.create("ledger", 1, Map.of("cleanup.policy", "compact")),
          "requests",
          "answers",
          TestTopics.create("dead-letters", 1),
          TestTopics.create("late", 1));

  /** In the middle of a batch, and again when its releases come with more after the first crash. */
  @ParameterizedTest
  @EnumSource(
      names = {"BEFORE_SPENT", "AFTER_SPENT", "DURING_SEND", "AFTER_SEND", "AFTER_PUBLISHED"})
  void eachReleaseIsOneRecordWhereverTheJobCrashes(FaultInjection.Step step) throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    for (int crash = 0; crash < 2; crash++) {
      List<ReleaseCommittable> batch = releases(job, 0, 4 + 2 * crash);
      CrashPlan plan = new CrashPlan("batch" + step + crash).at(step, 2);
      assertThatThrownBy(() -> commit(job.withProbe(plan), batch))
          .hasMessage("crash on purpose at " + step);
    }
    commit(job, releases(job, 0, 6));
    commit(job, releases(job, 2, 8)); // two more, behind some that are out
    assertThat(committed()).containsExactlyElementsOf(ids(releases(job, 0, 8)));
    assertThat(Ledger.read(job.kafka(), topics.ledger()).entries(STREAM))
        .hasSize(8)
        .allSatisfy(entry -> assertThat(entry.state()).isEqualTo(LedgerEntry.State.PUBLISHED));
  }

  /** Each transaction leaves one marker in the log. */
  @Test
  void manyReleasesTakeFewTransactions() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    List<ReleaseCommittable> many = releases(job, 0, 1100);
    RecordedMetrics metrics = new RecordedMetrics();
    try (ReleaseCommitter committer = new ReleaseCommitter(job, metrics.operator())) {
      committer.commit(CommitRequest.of(many.stream()));
    }
    assertThat(metrics.value("publishedReleases")).isEqualTo(1100);
    assertThat(committed()).containsExactlyElementsOf(ids(many));
    assertThat(TopicReader.ends(job.kafka().bootstrap(), topics.releases()).values())
        .allSatisfy(end -> assertThat(end).isBetween(1101L, 1110L));
    assertThat(TopicReader.ends(job.kafka().bootstrap(), topics.ledger()).values())
        .allSatisfy(end -> assertThat(end).isBetween(2202L, 2220L));
  }

  /**
   * The third is out with other noise: what comes before it is sent, and nothing behind it, in
   * whatever order they are handed over.
   */
  @Test
  void nothingIsSentBehindAConflict() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    List<ReleaseCommittable> five = releases(job, 0, 5);
    commit(job, List.of(release(job, 2, 7)));
    List<ReleaseCommittable> handed = new ArrayList<>(five);
    Collections.reverse(handed);
    assertThatThrownBy(() -> commit(job, handed))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("It is " + five.get(2).id())
        .hasMessageContaining("with other content");
    List<String> sent = List.of(five.get(2).id(), five.get(0).id(), five.get(1).id());
    assertThat(committed()).isEqualTo(sent);
    assertThat(inLedger(job)).containsExactlyElementsOf(sent);
  }

  /** Also those that stand before the one that is refused. */
  @Test
  void nothingIsSentIfOneIsOfAnotherConfig() throws Exception {
    SketchJobSettings job = job(BudgetScope.ROWS, 1);
    ReleaseCommittable good = release(job, 0, 1);
    ReleaseCommittable other = new ReleaseCommittable(good.id(), "other-rows", 0, good.body());
    assertThatThrownBy(() -> commit(job, List.of(good, other)))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-OTHERSTATE");
    assertThat(committed()).isEmpty();
    assertThat(inLedger(job)).isEmpty();
  }

  /** Epochs of users add up, so each asks for itself, and what is refused is not charged. */
  @Test
  void ofUsersAsManyEpochsAreSentAsFit() throws Exception {
    SketchJobSettings job = job(BudgetScope.users("name", 1), 1.5);
    List<ReleaseCommittable> four = releases(job, 0, 4);
    assertThatThrownBy(() -> commit(job, four))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("GZ-PROMISED");
    assertThat(committed()).containsExactlyElementsOf(ids(four.subList(0, 2)));
    assertThat(inLedger(job)).isEqualTo(committed());
  }

  private List<String> inLedger(SketchJobSettings job) throws Exception {
    return Ledger.read(job.kafka(), topics.ledger()).entries(STREAM).stream()
        .map(entry -> entry.id().toString())
        .toList();
  }

  /** The key of each committed record of the topic of releases. */
  private List<String> committed() {
    return TopicReader.committedKeys(SharedCluster.broker().bootstrapServers(), topics.releases());
  }

  private static List<String> ids(List<ReleaseCommittable> releases) {
    return releases.stream().map(ReleaseCommittable::id).toList();
  }

  private SketchJobSettings job(BudgetScope unit, double totalBudget) {
    StreamPlan plan =
        StreamPlan.of(
            new StreamRequest(
                STREAM,
                StreamFixture.schema(),
                new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
                unit,
                1000,
                List.of(),
                List.of(new SketchRequest("moments", "noisy-moments", 1, Map.of()))));
    return SketchJobSettings.of(
            plan,
            OperatorFixture.SECONDS,
            new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of()),
            topics)
        .withTotalBudget(new Budget(totalBudget, 1e-6, Neighbours.REPLACE_ONE));
  }

  private static List<ReleaseCommittable> releases(SketchJobSettings job, int from, int to) {
    return IntStream.range(from, to).mapToObj(epoch -> release(job, epoch, 1)).toList();
  }

  private static ReleaseCommittable release(SketchJobSettings job, long epoch, long sum) {
    ReleaseId id = job.releaseId(job.cells().get(0), epoch);
    long[] sums = new long[job.plan().sketch("moments").mechanism().spec().stateLength()];
    sums[0] = sum;
    byte[] body = Release.of(job.plan(), id, job.randomness(), sums).toBytes();
    return new ReleaseCommittable(id.toString(), job.topics().rows(), 7, body);
  }

  private static void commit(SketchJobSettings job, List<ReleaseCommittable> releases)
      throws Exception {
    try (ReleaseCommitter committer = new ReleaseCommitter(job, new UnregisteredMetricsGroup())) {
      committer.commit(CommitRequest.of(releases.stream()));
    }
  }
}
