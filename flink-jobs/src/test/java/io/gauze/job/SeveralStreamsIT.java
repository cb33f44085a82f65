package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.ledger.LedgerBook;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.JobUids;
import io.gauze.publish.Ledger;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.Effort;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.Thorough;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two streams of different columns and rows, with one ledger and one topic of releases. */
@ExtendWith(SharedCluster.class)
final class SeveralStreamsIT {
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(23);
  private static final List<Long> ONE_EPOCH = List.of(0L);

  /** Those on the shared cluster that do not end by themselves. */
  private final List<JobHandle> jobs = new ArrayList<>();

  @AfterEach
  void cancelJobs() throws Exception {
    for (JobHandle job : jobs) {
      if (!job.result().isDone()) {
        job.cancel().get();
      }
    }
  }

  private static StreamFixture otherColumns(EpochSchedule schedule) throws Exception {
    RowSchema schema =
        RowSchema.of(
            List.of(new NumericColumn("y", "y", -5, 5), new NumericColumn("b", "b", 0, 8)),
            0.5,
            1.5,
            MissingValues.REJECT);
    return new StreamFixture(schedule, NO_NOISE, schema);
  }

  /** Wherever one of them crashes, or both: the sums are those of one process. */
  @Test
  void crashesOfOneChangeNeither() throws Exception {
    StreamFixture wine = new StreamFixture(EpochSchedule.all(), NO_NOISE);
    StreamFixture beer = otherColumns(EpochSchedule.all());
    wine.sendRows(2000, 1);
    beer.sendRows(1500, 2);
    Map<String, List<Long>> expected = new TreeMap<>(wine.expected(ONE_EPOCH));
    expected.putAll(beer.expected(ONE_EPOCH));
    FaultInjection.Step[][] crashes = {
      {FaultInjection.Step.FOLD_ROW, FaultInjection.Step.AFTER_PUBLISHED},
      {FaultInjection.Step.AFTER_SPENT, FaultInjection.Step.DURING_SEND},
      {FaultInjection.Step.SEAL, FaultInjection.Step.ACCUMULATE},
    };
    for (FaultInjection.Step[] crash : Effort.of(Arrays.copyOf(crashes, 1), crashes)) {
      StreamFixture.Output output = wine.newOutput();
      int before = CrashPlan.crashes();
      String name = "several" + crash[0];
      int nth = crash[0] == FaultInjection.Step.FOLD_ROW ? 1000 : 1;
      List<SketchJobSettings> streams =
          List.of(
              wine.prepare(output, true)
                  .settings()
                  .withProbe(new CrashPlan(name + "-wine").at(crash[0], nth)),
              beer.prepare(beer.shared(output), true)
                  .settings()
                  .withProbe(new CrashPlan(name + "-beer").at(crash[1], 1)));
      StreamFixture.submit(SharedCluster.cluster(), streams, 2, new Configuration()).result().get();

      assertThat(CrashPlan.crashes()).isEqualTo(before + 2);
      assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
      LedgerBook book = Ledger.read(wine.settings().kafka(), output.topics().ledger());
      for (SketchJobSettings stream : streams) {
        assertThat(book.held(stream.plan().stream(), entry -> true)).hasSize(2);
        assertThat(book.summary(stream.charge()).get(0).streams()).hasSize(1);
      }
    }
  }

  /** As on a cluster: each is restarted alone, from a checkpoint of both. */
  @Thorough
  @Test
  void streamsThatRestartOneByOneLoseNothing() throws Exception {
    SharedCluster.broker(); // started before the clock counts
    Configuration regions = new Configuration();
    regions.set(JobManagerOptions.EXECUTION_FAILOVER_STRATEGY, "region");
    try (LocalCluster cluster = LocalCluster.start(1, 2, regions)) {
      EpochSchedule schedule = secondsFromNow();
      StreamFixture wine = new StreamFixture(schedule, NO_NOISE);
      StreamFixture beer = otherColumns(schedule);
      StreamFixture.Output output = wine.newOutput();
      int before = CrashPlan.crashes();
      List<SketchJobSettings> streams =
          List.of(
              wine.prepare(output, false)
                  .settings()
                  .withProbe(
                      new CrashPlan("region-wine").at(FaultInjection.Step.AFTER_PUBLISHED, 1)),
              beer.prepare(beer.shared(output), false)
                  .settings()
                  .withProbe(
                      new CrashPlan("region-beer").at(FaultInjection.Step.AFTER_PUBLISHED, 2)));
      JobHandle job = StreamFixture.submit(cluster, streams, 2, new Configuration());
      wine.sendRows(300, 8);
      beer.sendRows(200, 9);
      ProcessCluster.await("both crashes", () -> CrashPlan.crashes() == before + 2);
      long last = epochNow(streams.get(0)); // whose releases come after both crashes
      Set<String> ids = new TreeSet<>();
      streams.forEach(each -> ids.addAll(each.releaseIds(each.schedule().firstEpoch(), last)));
      await(output, ids);
      SharedCluster.stopWithSavepoint(job);

      Map<String, Set<List<Long>>> bodies = output.bodies();
      assertThat(bodies).containsAllEntriesOf(StreamFixture.once(expected(wine, last)));
      assertThat(bodies).containsAllEntriesOf(StreamFixture.once(expected(beer, last)));
    }
  }

  /** The open epoch of the first goes on; the second has no state, and starts. */
  @Test
  void aStreamIsAddedWhenTheJobIsRestored() throws Exception {
    SharedCluster.broker(); // started before the clock counts
    SharedCluster.cluster();
    StreamFixture wine = new StreamFixture(secondsFromNow(), NO_NOISE);
    StreamFixture.Output output = wine.newOutput();
    SketchJobSettings first = wine.prepare(output, false).settings();
    JobHandle alone = submit(List.of(first), new Configuration());
    wine.sendRows(300, 3);
    long sent = epochNow(first);
    await(output, Set.copyOf(first.releaseIds(first.schedule().firstEpoch(), sent)));
    wine.sendRows(300, 4);
    String savepoint = SharedCluster.stopWithSavepoint(alone);
    assertThat(RestoredStreams.of(savepoint)).contains(Set.of(first.plan().stream()));

    StreamFixture beer = otherColumns(secondsFromNow());
    beer.sendRows(200, 5);
    List<SketchJobSettings> both =
        List.of(
            wine.prepare(output, false).settings(),
            beer.prepare(beer.shared(output), false).settings());
    Configuration restore = new Configuration();
    restore.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    JobHandle job = submit(both, restore);
    wine.sendRows(200, 6);
    beer.sendRows(200, 7);
    long last = epochNow(first);
    Set<String> ids = new TreeSet<>();
    both.forEach(each -> ids.addAll(each.releaseIds(each.schedule().firstEpoch(), last)));
    await(output, ids);
    assertThat(RestoredStreams.of(SharedCluster.stopWithSavepoint(job)))
        .contains(Set.of(first.plan().stream(), beer.settings().plan().stream()));

    Map<String, Set<List<Long>>> bodies = output.bodies();
    assertThat(bodies).containsAllEntriesOf(StreamFixture.once(expected(wine, last)));
    assertThat(bodies).containsAllEntriesOf(StreamFixture.once(expected(beer, last)));
  }

  private JobHandle submit(List<SketchJobSettings> streams, Configuration extra)
      throws IOException {
    JobHandle job = StreamFixture.submit(SharedCluster.cluster(), streams, 2, extra);
    jobs.add(job);
    return job;
  }

  private static Map<String, List<Long>> expected(StreamFixture stream, long last) {
    long first = stream.settings().schedule().firstEpoch();
    return stream.expected(LongStream.rangeClosed(first, last).boxed().toList());
  }

  private static EpochSchedule secondsFromNow() {
    return EpochSchedule.of(Duration.ofSeconds(1), Instant.now(), true, Duration.ofMillis(500));
  }

  private static long epochNow(SketchJobSettings stream) {
    return stream.schedule().epochOf(System.currentTimeMillis());
  }

  private static void await(StreamFixture.Output output, Set<String> ids) {
    KafkaAccess broker = new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of());
    StreamFixture.awaitReleases(broker, output.topics().releases(), ids);
  }

  @Test
  void aSavepointThatIsNotThereHasNoStreams() {
    assertThat(RestoredStreams.of("file:///no/such/savepoint")).isEmpty();
    assertThat(JobUids.stream("wine/" + "fold-v1")).contains("wine");
    assertThat(JobUids.stream("Sink Committer: wine/publish-v1")).isEmpty();
    assertThat(JobUids.stream("gauze-requests")).isEmpty();
    assertThat(JobUids.stream("/fold-v1")).isEmpty();
  }
}
