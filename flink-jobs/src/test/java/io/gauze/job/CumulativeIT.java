package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.ledger.LedgerEntry;
import io.gauze.local.JobHandle;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.publish.Ledger;
import io.gauze.release.Release;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.testing.WallClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Releases that hold all epochs so far, through a real broker and Flink. */
@ExtendWith(SharedCluster.class)
final class CumulativeIT {
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(6);
  private static final Semaphore READ = new Semaphore(0);

  private final List<JobHandle> jobs = new ArrayList<>();

  @AfterEach
  void cancelJobs() throws Exception {
    for (JobHandle job : jobs) {
      if (!job.result().isDone()) {
        job.cancel().get();
      }
    }
  }

  private JobHandle submit(SketchJobSettings settings, Configuration extra) throws IOException {
    JobHandle job = StreamFixture.submit(SharedCluster.cluster(), settings, 1, extra);
    jobs.add(job);
    return job;
  }

  private static StreamFixture stream(EpochSchedule schedule, Randomness randomness, int releases)
      throws Exception {
    return new StreamFixture(schedule, randomness, BudgetScope.cumulative(releases), RowInput.JSON);
  }

  private static EpochSchedule schedule(int seconds, Instant from) {
    return EpochSchedule.of(Duration.ofSeconds(seconds), from, true, Duration.ofMillis(300));
  }

  private static Configuration from(String savepoint) {
    Configuration restored = new Configuration();
    restored.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    return restored;
  }

  /**
   * Four releases, two seconds apart, with a stop after which the job goes on with another
   * parallelism, and crashes at a seal and at an assembly after that. Rows before the first epoch
   * and after the last are in none; a fresh start is refused.
   */
  @Test
  void releasesHoldAllEpochsSoFarWhateverHappens() throws Exception {
    SharedCluster.cluster();
    int releases = 4;
    EpochSchedule schedule = schedule(2, Instant.now().plusSeconds(4));
    StreamFixture stream = stream(schedule, NO_NOISE, releases);
    StreamFixture.Output output = stream.newOutput();
    stream.sendRows(50, 1);
    CrashPlan crashes =
        new CrashPlan("cumulative")
            .at(FaultInjection.Step.SEAL, 2)
            .at(FaultInjection.Step.ASSEMBLE, 5);
    SketchJobSettings settings = stream.prepare(output, false).settings();
    int before = CrashPlan.crashes();
    JobHandle job = submit(settings, new Configuration());
    long first = schedule.firstEpoch();
    List<String> ids = settings.releaseIds(first, first + releases - 1);
    try {
      for (int second = 0; second < 12; second++) {
        WallClock.awaitMillis(first * 2000 + second * 900L);
        stream.sendRows(60, 100 + second);
        if (second == 4) {
          String savepoint = SharedCluster.stopWithSavepoint(job);
          job =
              StreamFixture.submit(
                  SharedCluster.cluster(), settings.withProbe(crashes), 3, from(savepoint));
        }
      }
      TestTopics.read(output.topics().releases(), ids.size());
      SharedCluster.checkpoint(job);
    } finally {
      job.cancel().get();
    }
    assertThat(CrashPlan.crashes() - before).isEqualTo(2);
    Map<String, List<Long>> expected =
        stream.expected(
            log -> {
              Map<StreamFixture.Slot, List<ConsumerRecord<byte[], byte[]>>> sums =
                  new LinkedHashMap<>();
              for (long epoch = first; epoch < first + releases; epoch++) {
                long end = (epoch + 1) * 2000;
                sums.put(
                    new StreamFixture.Slot(SketchJobSettings.NO_GROUP, epoch),
                    log.stream()
                        .filter(r -> r.timestamp() >= first * 2000 && r.timestamp() < end)
                        .toList());
              }
              return sums;
            });
    assertThat(expected.keySet()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
    for (ConsumerRecord<byte[], byte[]> record : TopicReader.all(output.topics().releases())) {
      Release release = Release.fromBytes(record.value());
      long epoch = schedule.epochOf(Instant.parse(release.id().epoch()).toEpochMilli());
      assertThat(release.parameters()).containsEntry("turn", epoch - first + 1.0);
      assertThat(release.settings()).containsEntry("firstEpoch", schedule.label(first));
    }
    assertThat(
            Ledger.read(settings.kafka(), output.topics().ledger())
                .held(
                    settings.plan().stream(),
                    entry -> entry.state() == LedgerEntry.State.PUBLISHED))
        .hasSize(ids.size());

    SketchJobSettings again = stream.prepare(output, false).settings();
    assertRefused(submit(again, new Configuration()), "GZ-COMPLETE");
    assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
  }

  /** A state from before the first release draws another series. */
  @Thorough
  @Test
  void anOldSavepointSendsNothing() throws Exception {
    SharedCluster.cluster();
    Stopped early = stoppedBeforeTheFirstRelease();
    StreamFixture.Output output = early.output();
    int releases = early.settings().releaseIds(0, 1).size();
    JobHandle second = submit(early.settings(), from(early.savepoint()));
    TestTopics.read(output.topics().releases(), releases);
    SharedCluster.checkpoint(second);
    second.cancel().get();
    Map<String, ?> bodies = output.bodies();
    assertThat(bodies).hasSize(releases);

    SketchJobSettings again = early.stream().prepare(output, false).settings();
    assertRefused(submit(again, from(early.savepoint())), "GZ-BODY");
    assertThat(output.bodies()).as("one body each").isEqualTo(bodies);
  }

  /** A job that has run, and the state that it left. */
  private record Stopped(
      StreamFixture stream,
      StreamFixture.Output output,
      SketchJobSettings settings,
      String savepoint) {}

  private static void countRows(FaultInjection.Step step) {
    if (step == FaultInjection.Step.FOLD_ROW) {
      READ.release();
    }
  }

  /** On a slow machine the first release comes first: then again, with more time before it. */
  private Stopped stoppedBeforeTheFirstRelease() throws Exception {
    StreamFixture rows = stream(schedule(1, Instant.now()), Randomness.SYSTEM, 2);
    rows.sendRows(1, 1); // in no epoch: the first one begins after it is acknowledged
    for (int seconds = 4; ; seconds *= 2) {
      EpochSchedule schedule = schedule(1, Instant.now().plusSeconds(seconds));
      StreamFixture stream = rows.by(schedule);
      StreamFixture.Output output = stream.newOutput();
      SketchJobSettings settings = stream.prepare(output, false).settings();
      JobHandle job = submit(settings.withProbe(CumulativeIT::countRows), new Configuration());
      assertThat(READ.tryAcquire(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as("it runs")
          .isTrue();
      String savepoint = SharedCluster.stopWithSavepoint(job);
      if (System.currentTimeMillis() < schedule.cutMillis(schedule.firstEpoch())) {
        return new Stopped(stream, output, settings, savepoint);
      }
    }
  }

  @Test
  void aBoundedJobMakesAllReleasesOrNone() throws Exception {
    Instant past = Instant.now().minusSeconds(10);
    StreamFixture soon = stream(schedule(1, past), NO_NOISE, 4096);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> soon.prepare(soon.newOutput(), true))
        .withMessageStartingWith(
            "kafka.rows.bounded: all cumulative releases must be due when a bounded job starts,"
                + " since its end is theirs: that of ");
    StreamFixture over = stream(schedule(1, past), NO_NOISE, 3);
    StreamFixture.Output output = over.newOutput();
    SketchPreflight.Prepared prepared = over.prepare(output, true);
    over.run(prepared.settings(), 2);
    assertThat(output.bodies().keySet())
        .containsExactlyInAnyOrderElementsOf(
            prepared
                .settings()
                .releaseIds(
                    over.settings().schedule().firstEpoch(),
                    over.settings().schedule().firstEpoch() + 2));
  }

  private static void assertRefused(JobHandle job, String reason) {
    assertThatThrownBy(() -> job.result().get(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .satisfies(
            failure ->
                assertThat(SketchPreflight.conflict(failure).orElseThrow()).contains(reason));
  }
}
