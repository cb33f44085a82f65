package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.BudgetScope;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.stream.JobEnd;
import io.gauze.stream.Offsets;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartState;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

final class SketchJobTest {
  private static final SketchJobSettings BY_ROW = OperatorFixture.small();
  private static final SketchJobSettings BY_KEY =
      OperatorFixture.settings(
          OperatorFixture.plan(1, 512, BudgetScope.keys(1)), EpochSchedule.all());

  /** A reader without rows would end at once, and no checkpoint is taken after that. */
  @Test
  void aJobThatEndsHasNoMoreReadersThanPartitionsWithRows() {
    Map<Integer, Long> rows = Map.of(0, 9L, 1, 0L, 2, 0L, 3, 4L);
    assertThat(parallelism(ending(BY_ROW, rows), 4))
        .containsEntry("rows -> decode, encode, fold -> (dead letters, late rows)", 2)
        .containsEntry("accumulate, seal", 4);
    assertThat(parallelism(ending(BY_KEY, rows), 4))
        .containsEntry("rows -> find keys", 2)
        .containsEntry("decode, encode, fold by key -> late rows", 4)
        .containsEntry("dead letters", 4)
        .containsEntry("accumulate, seal", 4);
  }

  @Test
  void aJobWithoutEndReadsWithAllOfItsParallelism() {
    assertThat(parallelism(BY_ROW, 4))
        .containsEntry("rows -> decode, encode, fold -> (dead letters, late rows)", 4);
    assertThat(parallelism(BY_KEY, 4)).containsEntry("rows -> find keys", 4);
  }

  /** Senders know from their own maximum which key groups the accumulators have. */
  @Test
  void allOperatorsHaveTheSameKeyGroups() {
    for (SketchJobSettings settings : List.of(BY_ROW, BY_KEY, ending(BY_ROW, Map.of(0, 9L)))) {
      for (int keyGroups : new int[] {128, 512}) {
        assertThat(vertices(settings, 4, keyGroups).map(JobVertex::getMaxParallelism).distinct())
            .containsExactly(keyGroups);
      }
    }
  }

  /** The last releases of rows that end would stay charged and never be sent. */
  @Test
  void checkpointsMustGoOnAfterTasksHaveFinished() {
    String key = "execution.checkpointing.checkpoints-after-tasks-finish";
    for (String each : List.of(key, key + ".enabled")) {
      Configuration user = new Configuration();
      user.setString(each, "false");
      assertThatThrownBy(() -> SketchJob.configuration(user))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(key + " must be true, since")
          .hasMessageEndingWith("Provided value: false");
    }
  }

  private static SketchJobSettings ending(SketchJobSettings job, Map<Integer, Long> ends) {
    return job.with(StartState.NONE.withEnd(JobEnd.at(Offsets.of(ends), 0)));
  }

  /** By task, named without the stream. */
  private static Map<String, Integer> parallelism(SketchJobSettings settings, int parallelism) {
    return vertices(settings, parallelism, 128)
        .collect(
            Collectors.toMap(
                task ->
                    task.getName()
                        .replace(settings.plan().stream() + ": ", "")
                        .replace("Source: ", "")
                        .replaceAll(": Writer| -> [a-z ]+: Committer", ""),
                JobVertex::getParallelism));
  }

  private static Stream<JobVertex> vertices(
      SketchJobSettings settings, int parallelism, int keyGroups) {
    Configuration user = new Configuration();
    user.set(PipelineOptions.MAX_PARALLELISM, keyGroups);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(SketchJob.configuration(user));
    env.setParallelism(parallelism);
    SketchJob.build(env, settings);
    Iterable<JobVertex> tasks = env.getStreamGraph().getJobGraph().getVertices();
    return StreamSupport.stream(tasks.spliterator(), false);
  }
}
