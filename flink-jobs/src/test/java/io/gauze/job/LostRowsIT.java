package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.kafka.WireType;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.pipeline.read.FoldOperator;
import io.gauze.pipeline.read.RouteOperator;
import io.gauze.pipeline.read.RoutedRecord;
import io.gauze.stream.CellMessage;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Topics;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kafka's consumer goes on at the beginning of a log that has lost what comes next. */
@ExtendWith(SharedCluster.class)
final class LostRowsIT {
  private final OperatorFixture fixture = new OperatorFixture();

  @Test
  void rowsThatTheLogLostBeforeTheyWereReadAreCounted() throws Exception {
    SketchJobSettings settings = settings();
    countsWhatIsLost(
        new FoldOperator(settings), new FoldOperator(settings), settings, CellMessage.TYPE);
  }

  @Test
  void changesThatTheLogLostAreCountedToo() throws Exception {
    SketchJobSettings settings = settings();
    countsWhatIsLost(
        new RouteOperator(settings), new RouteOperator(settings), settings, RoutedRecord.TYPE);
  }

  /**
   * Read up to 4 in both partitions; then offsets 4 to 6 of partition 0 are lost, and of partition
   * 1 one that was read already. At last, behind a running job, offsets 6 and 7 of partition 1.
   */
  private <T> void countsWhatIsLost(
      OneInputStreamOperator<RowRecords, T> first,
      OneInputStreamOperator<RowRecords, T> second,
      SketchJobSettings settings,
      WireType<T> type)
      throws Exception {
    OperatorSubtaskState state;
    try (var before = open(first, type, Optional.empty())) {
      read(before, 0, 2);
      read(before, 0, 3);
      read(before, 1, 3);
      assertThat(fixture.count("lostOffsets")).as("it began there").isZero();
      state = before.snapshot(1, 1);
    }
    deleteBefore(settings.topics().rows(), 0, 7);
    deleteBefore(settings.topics().rows(), 1, 1);
    try (var after = open(second, type, Optional.of(state))) {
      read(after, 1, 5);
      assertThat(fixture.count("lostOffsets")).as("a gap like the end of a transaction").isZero();
      read(after, 0, 8);
      assertThat(fixture.count("lostOffsets")).isEqualTo(3);
      read(after, 0, 9);
      assertThat(fixture.count("lostOffsets")).isEqualTo(3);
      deleteBefore(settings.topics().rows(), 1, 8);
      read(after, 1, 9);
      assertThat(fixture.count("lostOffsets")).as("while it runs").isEqualTo(3 + 2);
    }
  }

  private static SketchJobSettings settings() {
    String rows = TestTopics.createRows("rows", 2);
    for (int partition = 0; partition < 2; partition++) {
      TestTopics.send(rows, partition, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    }
    return SketchJobSettings.of(
            OperatorFixture.plan(1, 512),
            OperatorFixture.SECONDS,
            new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of()),
            new Topics(rows, "releases", "ledger", "requests", "answers", "dead-letters", "late"))
        .withRandomness(Randomness.noiseFreeForTests(1));
  }

  private <T> OneInputStreamOperatorTestHarness<RowRecords, T> open(
      OneInputStreamOperator<RowRecords, T> operator,
      WireType<T> type,
      Optional<OperatorSubtaskState> state)
      throws Exception {
    OneInputStreamOperatorTestHarness<RowRecords, T> harness =
        new OneInputStreamOperatorTestHarness<>(
            operator, OperatorFixture.serializer(RowRecords.TYPE), fixture.environment());
    harness.setup(OperatorFixture.serializer(type));
    if (state.isPresent()) {
      harness.initializeState(state.get());
    }
    harness.open();
    return harness;
  }

  private static void read(
      OneInputStreamOperatorTestHarness<RowRecords, ?> harness, int partition, long offset)
      throws Exception {
    Optional<byte[]> bytes = Optional.of("7".getBytes(UTF_8));
    OperatorFixture.sendRows(harness, new RowRecord(partition, offset, 500, true, bytes, bytes));
  }

  private static void deleteBefore(String topic, int partition, long offset) throws Exception {
    try (Admin admin = TestTopics.admin()) {
      admin
          .deleteRecords(
              Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get();
    }
  }
}
