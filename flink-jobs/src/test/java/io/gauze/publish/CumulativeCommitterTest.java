package io.gauze.publish;

import static io.gauze.pipeline.CumulativeFixture.CELL;
import static io.gauze.pipeline.CumulativeFixture.EXACT;
import static io.gauze.pipeline.CumulativeFixture.FIRST;
import static io.gauze.pipeline.CumulativeFixture.sums;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.ReleaseId;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.release.Release;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What of a restored state is sent. There is no broker: what comes to sending fails with an error
 * of Kafka's.
 */
final class CumulativeCommitterTest {
  private static final String SEVENTH = "1970-01-01T00:00:07Z";

  private static ReleaseCommitter committer(SketchJobSettings settings) {
    return new ReleaseCommitter(settings, UnregisteredMetricsGroup.createOperatorMetricGroup());
  }

  /** If the third is out, and an old state made it again, nothing behind it is sent. */
  @Test
  void releasesAreSentInTheOrderOfTheirEpochs() {
    SketchJobSettings halves =
        OperatorFixture.settings(EXACT.plan(), new EpochSchedule(1500, FIRST, true, 0));
    List<Committer.CommitRequest<ReleaseCommittable>> requests =
        CommitRequest.of(
            LongStream.of(8, 6, 7, 5)
                .mapToObj(epoch -> unread(halves.releaseId(CELL, epoch).toString())));
    try (ReleaseCommitter committer = committer(halves)) {
      assertThat(committer.inOrder(requests))
          .extracting(request -> request.getCommittable().id())
          .containsExactlyElementsOf(
              LongStream.rangeClosed(5, 8)
                  .mapToObj(epoch -> halves.releaseId(CELL, epoch).toString())
                  .toList());
    }
  }

  /** A release may be made of those before: none is out before they are charged. */
  @Test
  void othersAreSentInTheOrderOfTheirEpochsToo() {
    SketchJobSettings job = OperatorFixture.small();
    List<String> ids =
        LongStream.rangeClosed(0, 9)
            .mapToObj(epoch -> job.releaseId(job.cells().get(0), epoch).toString())
            .toList();
    List<ReleaseCommittable> shuffled =
        IntStream.of(9, 3, 0, 8, 1, 2, 7, 6, 5, 4).mapToObj(at -> unread(ids.get(at))).toList();
    try (ReleaseCommitter committer = committer(job)) {
      assertThat(committer.inOrder(CommitRequest.of(shuffled.stream())))
          .extracting(request -> request.getCommittable().id())
          .containsExactlyElementsOf(ids);
    }
  }

  /** A state of a stream without epochs, or with others. */
  @ParameterizedTest
  @ValueSource(strings = {"all", "1970-01-01T00:00:07.500Z", "+1000000000-12-31T23:59:59Z"})
  void anEpochOfAnotherScheduleIsAConflict(String epoch) {
    List<Committer.CommitRequest<ReleaseCommittable>> requests =
        CommitRequest.of(
            unread(EXACT.releaseId(CELL, FIRST).toString()),
            unread("seconds/all/" + epoch + "/moments"));
    try (ReleaseCommitter committer = committer(EXACT)) {
      assertThatThrownBy(() -> committer.inOrder(requests))
          .isInstanceOf(PrivacyConflictException.class)
          .hasMessageContaining(
              "The restored state of stream seconds was made under another config");
    }
    assertConflict(release(epoch, 2, "1970-01-01T00:00:05Z"));
  }

  /** A body may say another release index or first epoch than its epoch has in this job. */
  @ParameterizedTest
  @CsvSource({"2, 1970-01-01T00:00:06Z", "1, 1970-01-01T00:00:06Z", "1, 1970-01-01T00:00:05Z"})
  void aReleaseOfAnotherSeriesIsAConflict(int releaseIndex, String first) {
    assertConflict(release(SEVENTH, releaseIndex, first));
  }

  @Test
  void aReleaseOfTheSeriesIsSent() {
    try (ReleaseCommitter committer = committer(EXACT)) {
      ReleaseCommittable good = release(SEVENTH, 2, "1970-01-01T00:00:05Z");
      assertThatThrownBy(() -> committer.commit(CommitRequest.of(good)))
          .isInstanceOf(KafkaException.class);
    }
  }

  private static void assertConflict(ReleaseCommittable release) {
    try (ReleaseCommitter committer = committer(EXACT)) {
      assertThatThrownBy(() -> committer.commit(CommitRequest.of(release)))
          .isInstanceOf(PrivacyConflictException.class)
          .hasMessageContaining(
              "The restored state of stream seconds was made under another config");
    }
  }

  private static ReleaseCommittable release(String epoch, int releaseIndex, String first) {
    ReleaseId id = new ReleaseId("seconds", CELL.group(), epoch, CELL.sketch());
    Release body =
        Release.cumulative(EXACT.plan(), id, EXACT.randomness(), releaseIndex, first, sums(3));
    return new ReleaseCommittable(id.toString(), "rows", 0, body.toBytes());
  }

  private static ReleaseCommittable unread(String id) {
    return new ReleaseCommittable(id, "rows", 0, new byte[0]);
  }
}
