package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.local.JobHandle;
import io.gauze.noise.Randomness;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.JobEnd;
import io.gauze.stream.Offsets;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartState;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedCluster.class)
final class BoundedRunIT {
  private static final int PARTITION = 2;
  private static final int FIRST_HALF = 50;
  private static final CountDownLatch HALF_READ = new CountDownLatch(FIRST_HALF);

  /**
   * Three subtasks and rows in one of four partitions. Flink takes no checkpoint of a job while
   * some subtasks that read rows have ended and others have not.
   */
  @Test
  void aJobThatEndsCanBeStoppedHalfWay() throws Exception {
    StreamFixture stream = new StreamFixture(EpochSchedule.all(), Randomness.noiseFreeForTests(3));
    StreamFixture.Output output = stream.newOutput();
    send(stream, 1);
    SketchJobSettings job =
        stream
            .prepare(output, true)
            .settings()
            .with(
                StartState.NONE.withEnd(
                    JobEnd.at(
                        Offsets.of(Map.of(0, 0L, 1, 0L, PARTITION, 2L * FIRST_HALF, 3, 0L)), 0)))
            .withProbe(BoundedRunIT::countRows);
    JobHandle running = StreamFixture.submit(SharedCluster.cluster(), job, 3, new Configuration());
    assertThat(HALF_READ.await(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    Configuration restored = new Configuration();
    restored.set(StateRecoveryOptions.SAVEPOINT_PATH, SharedCluster.stopWithSavepoint(running));
    send(stream, 2);
    StreamFixture.submit(SharedCluster.cluster(), job, 3, restored).result().get();
    assertThat(output.bodies()).isEqualTo(StreamFixture.once(stream.expected(List.of(0L))));
  }

  private static void countRows(FaultInjection.Step step) {
    if (step == FaultInjection.Step.FOLD_ROW) {
      HALF_READ.countDown();
    }
  }

  private static void send(StreamFixture stream, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < FIRST_HALF; i++) {
      rows.add(StreamFixture.row(random));
    }
    TestTopics.send(stream.topics().rows(), PARTITION, rows.toArray(new String[0]));
  }
}
