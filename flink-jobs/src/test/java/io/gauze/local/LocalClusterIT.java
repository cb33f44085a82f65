package io.gauze.local;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.testing.OwnersFiles;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedCluster.class)
final class LocalClusterIT {
  private static final long PATIENCE_SECONDS = TestTopics.PATIENCE.toSeconds();

  @Test
  void runsSeveralJobs() throws Exception {
    JobHandle first = SharedCluster.cluster().submit(bounded(1000), "first");
    JobHandle second = SharedCluster.cluster().submit(bounded(10), "second");

    assertThat(first.id()).isNotEqualTo(second.id());
    assertThat(first.result().get(PATIENCE_SECONDS, SECONDS).getJobID()).isEqualTo(first.id());
    assertThat(second.result().get(PATIENCE_SECONDS, SECONDS).getJobID()).isEqualTo(second.id());
    assertThat(second.status().get()).isEqualTo(JobStatus.FINISHED);
  }

  @Test
  void aFailedJobSaysWhy() throws Exception {
    StreamExecutionEnvironment environment = environment("none");
    environment.fromSequence(0, 9).map(n -> 1 / (n - 5)).sinkTo(new DiscardingSink<>());

    JobHandle job = SharedCluster.cluster().submit(environment, "division");

    assertThatThrownBy(() -> job.result().get(PATIENCE_SECONDS, SECONDS))
        .satisfies(
            failure ->
                assertThat(ExceptionUtils.findThrowableWithMessage(failure, "/ by zero"))
                    .isPresent());
    assertThat(job.status().get()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void aCancelledJobEnds() throws Exception {
    Echo echo = Echo.create();
    JobHandle job = SharedCluster.cluster().submit(echo.job("none"), "echo");
    echo.roundTrip("a");

    job.cancel().get(PATIENCE_SECONDS, SECONDS);

    assertThat(job.status().get()).isEqualTo(JobStatus.CANCELED);
    assertThatThrownBy(() -> job.result().get(PATIENCE_SECONDS, SECONDS))
        .hasRootCauseInstanceOf(JobCancellationException.class);
  }

  @Test
  void stopsWithASavepointThatOutlivesTheJob(@TempDir Path parent) throws Exception {
    Echo echo = Echo.create();
    JobHandle job = SharedCluster.cluster().submit(echo.job("none"), "echo");
    echo.roundTrip("a");

    String checkpoint = job.triggerCheckpoint().get(PATIENCE_SECONDS, SECONDS);
    Path folder = Files.createDirectory(parent.resolve("of a job"));
    String savepoint = job.stopWithSavepoint(folder).get(PATIENCE_SECONDS, SECONDS);

    assertThat(checkpoint).contains("gauze-flink-").contains(job.id().toHexString());
    assertThat(savepoint).startsWith("file:" + folder.toRealPath() + "/savepoint-");
    job.result().get(PATIENCE_SECONDS, SECONDS);
    assertThat(job.status().get()).isEqualTo(JobStatus.FINISHED);
  }

  @Test
  void foldersForCheckpointsAreForTheirOwnerOnly(@TempDir Path parent) throws Exception {
    Path checkpoints = parent.resolve("of jobs").resolve("checkpoints");
    Configuration settings = new Configuration();
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, FlinkPath.of(checkpoints));
    StreamExecutionEnvironment job = bounded(10);
    job.configure(settings);

    SharedCluster.cluster().submit(job, "ten").result().get(PATIENCE_SECONDS, SECONDS);

    assertThat(OwnersFiles.isOpen(checkpoints)).isFalse();
  }

  @Test
  void aJobSurvivesTheLossOfATaskManager() throws Exception {
    Echo echo = Echo.create();
    try (LocalCluster own = LocalCluster.start(1, 2, new Configuration())) {
      JobHandle job = own.submit(echo.job("fixed-delay"), "echo");
      echo.roundTrip("before");
      job.triggerCheckpoint().get(PATIENCE_SECONDS, SECONDS);

      own.terminateTaskManager(0).get(PATIENCE_SECONDS, SECONDS);
      own.startTaskManager();

      echo.roundTrip("after");
      assertThat(job.status().get()).isEqualTo(JobStatus.RUNNING);
    }
  }

  @Test
  void closeDeletesItsFolderAndEndsItsJobs() throws Exception {
    Echo echo = Echo.create();
    LocalCluster own = LocalCluster.start(1);
    own.submit(echo.job("none"), "echo");
    echo.roundTrip("a");
    Path folder = Path.of(own.toString().replace("local cluster in ", ""));
    assertThat(folder).isDirectory();

    own.close();
    own.close();

    assertThat(folder).doesNotExist();
  }

  @Test
  void refusesNoSlots() {
    assertThatThrownBy(() -> LocalCluster.start(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("slots must be at least 1. Provided value: 0");
  }

  private static StreamExecutionEnvironment bounded(long last) {
    StreamExecutionEnvironment environment = environment("none");
    environment.fromSequence(0, last).sinkTo(new DiscardingSink<>());
    return environment;
  }

  private static StreamExecutionEnvironment environment(String restartStrategy) {
    Configuration settings = new Configuration();
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, restartStrategy);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1000);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
    return StreamExecutionEnvironment.getExecutionEnvironment(settings);
  }

  /** An endless job that copies a topic. */
  private record Echo(String from, String to) {
    static Echo create() {
      return new Echo(TestTopics.create("echo-from", 1), TestTopics.create("echo-to", 1));
    }

    StreamExecutionEnvironment job(String restartStrategy) {
      String bootstrap = SharedCluster.broker().bootstrapServers();
      KafkaSource<String> source =
          KafkaSource.<String>builder()
              .setBootstrapServers(bootstrap)
              .setTopics(from)
              .setStartingOffsets(OffsetsInitializer.earliest())
              .setValueOnlyDeserializer(new SimpleStringSchema())
              .build();
      KafkaSink<String> sink =
          KafkaSink.<String>builder()
              .setBootstrapServers(bootstrap)
              .setRecordSerializer(
                  KafkaRecordSerializationSchema.builder()
                      .setTopic(to)
                      .setValueSerializationSchema(new SimpleStringSchema())
                      .build())
              .build();
      StreamExecutionEnvironment environment = environment(restartStrategy);
      environment.setParallelism(1);
      environment.fromSource(source, WatermarkStrategy.noWatermarks(), "source").sinkTo(sink);
      return environment;
    }

    /** Returns when the job has copied the record, so that all of the job runs. */
    void roundTrip(String value) {
      TestTopics.send(from, 0, value);
      int expected = 1;
      List<String> seen = List.of();
      while (!seen.contains(value)) {
        seen = TestTopics.texts(TestTopics.read(to, expected));
        expected = seen.size() + 1;
      }
    }
  }
}
