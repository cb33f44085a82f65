package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.local.JobHandle;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Randomness;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.Effort;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Models that are made at the seal from exact moments in the state, through crashes, savepoints and
 * another parallelism, on a real broker.
 */
@ExtendWith(SharedCluster.class)
final class SealedModelsIT {
  private static final int ROWS = 600;

  /** Each mechanism that draws its noise at the release, of moments. */
  private static final List<SketchRequest> MODELS =
      List.of(
          new SketchRequest("selected", "select-fit", 1, Map.of("selected", "1")),
          new SketchRequest("ball", "objective-perturbation", 1, Map.of()),
          new SketchRequest("vertices", "frank-wolfe", 1, Map.of("steps", "5")),
          new SketchRequest("thresholds", "iht", 1, Map.of("nonzero", "1", "steps", "2")),
          new SketchRequest("peeled", "peeling", 1, Map.of("nonzero", "1", "steps", "2")));

  private StreamFixture stream;
  private Map<String, List<Long>> expected = Map.of();

  private void start(boolean noise) throws IOException {
    Randomness randomness = noise ? Randomness.SYSTEM : Randomness.noiseFreeForTests(12);
    stream = StreamFixture.of(EpochSchedule.all(), randomness, MODELS);
    stream.sendRows(ROWS, 7);
    expected = stream.expected(List.of(0L));
    assertThat(expected).hasSize(MODELS.size());
  }

  /** Each release has one body, the expected one without noise, and one record. */
  private void check(StreamFixture.Output output, boolean noise) {
    Map<String, Set<List<Long>>> bodies = output.bodies();
    if (noise) {
      assertThat(bodies.keySet()).isEqualTo(expected.keySet());
      assertThat(bodies.values()).allSatisfy(sums -> assertThat(sums).hasSize(1));
    } else {
      assertThat(bodies).isEqualTo(StreamFixture.once(expected));
    }
    assertThat(output.committed()).containsExactlyInAnyOrderElementsOf(expected.keySet());
  }

  @Test
  void noCrashFromTheSealToThePublicationChangesAModel() throws Exception {
    start(false);
    List<Step> few = List.of(Step.SEAL, Step.ASSEMBLE, Step.AFTER_SPENT, Step.AFTER_SEND);
    List<Step> all =
        List.of(
            Step.FOLD_FLUSH,
            Step.ACCUMULATE,
            Step.SEAL,
            Step.ASSEMBLE,
            Step.BEFORE_SPENT,
            Step.AFTER_SPENT,
            Step.DURING_SEND,
            Step.AFTER_SEND,
            Step.AFTER_PUBLISHED);
    for (Step step : Effort.of(few, all)) {
      StreamFixture.Output output = stream.newOutput();
      SketchJobSettings job = stream.prepare(output, true).settings();
      int before = CrashPlan.crashes();
      stream.run(job.withProbe(new CrashPlan("sealed" + step).at(step, 2)), 2);
      assertThat(CrashPlan.crashes()).as("crash at %s", step).isEqualTo(before + 1);
      check(output, false);
    }
  }

  /**
   * A savepoint holds the sums of an open epoch. With another parallelism, and through a crash
   * between models and publication, it gives one model of each kind. Restored once more, with a
   * third parallelism, it gives no second one; nor does a job without state.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSavepointOfAnOpenEpochIsReleasedOnce(boolean noise) throws Exception {
    start(noise);
    StreamFixture.Output output = stream.newOutput();
    RowCount read = new RowCount("open" + noise);
    SketchJobSettings open = stream.prepare(output, false).settings().withProbe(read);
    JobHandle first = submit(open, 1, new Configuration());
    read.awaitCount(ROWS);
    Configuration restored = new Configuration();
    restored.set(StateRecoveryOptions.SAVEPOINT_PATH, first.stopWithSavepoint().get());
    assertThat(output.bodies()).as("the epoch is open").isEmpty();

    int before = CrashPlan.crashes();
    CrashPlan crash = new CrashPlan("rescaled" + noise).at(Step.DURING_SEND, 2);
    SketchJobSettings ends = stream.prepare(output, true).settings();
    submit(ends.withProbe(crash), 3, restored).result().get();
    assertThat(CrashPlan.crashes()).isEqualTo(before + 1);
    check(output, noise);
    Map<String, Set<List<Long>>> bodies = output.bodies();

    submit(stream.prepare(output, true).settings(), 2, restored).result().get();
    submit(stream.prepare(output, true).settings(), 1, new Configuration()).result().get();
    assertThat(output.bodies()).as("no second noise").isEqualTo(bodies);
    check(output, noise);
  }

  private static JobHandle submit(SketchJobSettings job, int parallelism, Configuration extra)
      throws IOException {
    return StreamFixture.submit(SharedCluster.cluster(), job, parallelism, extra);
  }

  /** Counts the rows that a job of this JVM folds. */
  private record RowCount(String name) implements FaultInjection {
    private static final Map<String, AtomicInteger> ROWS_READ = new ConcurrentHashMap<>();

    @Override
    public void reached(Step step) {
      if (step == Step.FOLD_ROW) {
        ROWS_READ.computeIfAbsent(name, any -> new AtomicInteger()).incrementAndGet();
      }
    }

    void awaitCount(int rows) {
      ProcessCluster.await(
          rows + " rows", () -> ROWS_READ.getOrDefault(name, new AtomicInteger()).get() >= rows);
    }
  }
}
