package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Randomness;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.Effort;
import io.gauze.testing.SharedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
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
          new SketchRequest("selected", "select-fit", 1, Map.of("selected", "1", "readings", "1")),
          new SketchRequest("ball", "objective-perturbation", 1, Map.of()),
          new SketchRequest("vertices", "frank-wolfe", 1, Map.of("steps", "5")),
          new SketchRequest("thresholds", "iht", 1, Map.of("nonzero", "1", "steps", "2")),
          new SketchRequest("peeled", "peeling", 1, Map.of("nonzero", "1", "steps", "2")));

  @TempDir private Path folder;

  private StreamFixture stream;
  private Map<String, List<Long>> expected = Map.of();

  private void start(boolean noise) throws IOException {
    Randomness randomness = noise ? Randomness.SYSTEM : Randomness.noiseFreeForTests(12);
    stream = StreamFixture.of(EpochSchedule.all(), randomness, MODELS);
    stream.sendRows(ROWS, 7);
    expected = stream.expected(List.of(0L));
    assertThat(expected).hasSize(MODELS.size());
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
      CrashPlan.assertSurvived(stream, "sealed", step, 2, expected);
    }
  }

  /**
   * A job ends in the middle of an epoch. From its checkpoint, which holds exact sums of some rows,
   * with another parallelism, and through a crash between models and publication, comes one model
   * of each kind. Restored once more, with a third parallelism, it would give a second one, so its
   * job ends and sends nothing, unless both are equal. A job without state has nothing to release.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCheckpointOfAnOpenEpochIsReleasedOnce(boolean noise) throws Exception {
    Effort.skipIfLong(!noise);
    start(noise);
    StreamFixture.Output output = stream.newOutput();
    Configuration restored = LeftCheckpoints.restore(endInTheMiddle(output));
    assertThat(output.bodies()).as("the epoch is open").isEmpty();

    int before = CrashPlan.crashes();
    CrashPlan crash = new CrashPlan("rescaled" + noise).at(Step.DURING_SEND, 2);
    run(stream.prepare(output, true).settings().withProbe(crash), 3, restored);
    assertThat(CrashPlan.crashes()).isEqualTo(before + 1);
    output.assertOnce(expected, noise);
    Map<String, Set<List<Long>>> bodies = output.bodies();

    SketchJobSettings again = stream.prepare(output, true).settings();
    if (noise) {
      assertThatThrownBy(() -> run(again, 2, restored)).hasStackTraceContaining("GZ-BODY");
    } else {
      run(again, 2, restored);
    }
    run(stream.prepare(output, true).settings(), 1, new Configuration());
    assertThat(output.bodies()).as("no second noise").isEqualTo(bodies);
    output.assertOnce(expected, noise);
  }

  private static void run(SketchJobSettings job, int parallelism, Configuration extra)
      throws Exception {
    StreamFixture.submit(SharedCluster.cluster(), job, parallelism, extra).result().get();
  }

  /** Returns a checkpoint of a job that ends while rows are read. */
  private Path endInTheMiddle(StreamFixture.Output output) throws IOException {
    SketchJobSettings job =
        stream.prepare(output, true).settings().withProbe(new InTheMiddle(folder.toString()));
    assertThatThrownBy(() -> run(job, 1, LeftCheckpoints.of(folder)))
        .hasStackTraceContaining("in the middle, on purpose");
    return LeftCheckpoints.latest(folder).orElseThrow();
  }

  /**
   * Fails a job that reads rows slowly, as soon as it has a checkpoint with a quarter of them: the
   * second one after these rows, since the first may have begun before.
   */
  private record InTheMiddle(String folder) implements FaultInjection {
    private static final Map<String, Progress> PROGRESS = new ConcurrentHashMap<>();

    @Override
    public void reached(Step step) {
      if (step != Step.FOLD_ROW) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      try {
        PROGRESS.computeIfAbsent(folder, any -> new Progress()).row(Path.of(folder));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Of one job. */
    private static final class Progress {
      private final Set<Optional<Path>> checkpoints = new HashSet<>();
      private int rows;

      synchronized void row(Path folder) throws IOException {
        rows++;
        if (rows < ROWS / 4) {
          return;
        }
        checkpoints.add(LeftCheckpoints.latest(folder));
        if (checkpoints.size() > 2) {
          throw new IllegalStateException("in the middle, on purpose");
        }
      }
    }
  }
}
