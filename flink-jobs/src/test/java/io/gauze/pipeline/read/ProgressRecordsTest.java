package io.gauze.pipeline.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.mechanism.BudgetScope;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.CellMessage;
import io.gauze.stream.JobEnd;
import io.gauze.stream.KeyGroups;
import io.gauze.stream.Offsets;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How many records say how far the rows are and where epochs end: as many as there are key groups,
 * whatever the number of groups of rows is, and of flushes at the memory limit.
 */
final class ProgressRecordsTest {
  private static final int KEY_GROUPS = 128;

  private static SketchJobSettings settings(int groups, BudgetScope unit) {
    List<String> names = IntStream.range(0, groups).mapToObj(i -> "g" + i).toList();
    boolean table = unit.equals(BudgetScope.keys(1));
    return OperatorFixture.settings(OperatorFixture.plan(1, 64, unit), OperatorFixture.SECONDS)
        .withInput(new RowInput(new RecordFormat.Json(), table, "", "g", names));
  }

  private static <O> OneInputStreamOperatorTestHarness<RowRecords, O> harness(
      OneInputStreamOperator<RowRecords, O> operator) throws Exception {
    return new OneInputStreamOperatorTestHarness<>(operator, KEY_GROUPS, 1, 0);
  }

  private static RowRecord row(long offset, int group) {
    String row = "{\"a\":0.5,\"b\":3,\"y\":1,\"g\":\"g" + group + "\"}";
    return new RowRecord(
        0, offset, 500, true, Optional.of("key".getBytes(UTF_8)), Optional.of(row.getBytes(UTF_8)));
  }

  private static List<String> keys(List<CellMessage> sent, CellMessage.Kind kind) {
    return sent.stream().filter(each -> each.kind() == kind).map(CellMessage::key).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 2000})
  void ofRowsThatAreFolded(int groups) throws Exception {
    try (var harness = harness(new FoldOperator(settings(groups, BudgetScope.ROWS)))) {
      harness.setup(OperatorFixture.serializer(CellMessage.TYPE));
      harness.open();
      for (int i = 0; i < groups; i++) { // 2,000 do not fit into memory at once
        OperatorFixture.sendRows(harness, row(i, i));
      }
      harness.prepareSnapshotPreBarrier(1);
      List<CellMessage> sent = OperatorFixture.take(harness);
      assertThat(keys(sent, CellMessage.Kind.PROGRESS)).isEqualTo(KeyGroups.keys(KEY_GROUPS));
      assertThat(keys(sent, CellMessage.Kind.PARTIAL)).hasSize(2 * groups);
      assertThat(sent.get(2 * groups).kind())
          .as("behind all partials")
          .isEqualTo(CellMessage.Kind.PROGRESS);
      harness.prepareSnapshotPreBarrier(2);
      assertThat(OperatorFixture.take(harness)).as("nothing is new").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 2000})
  void ofRowsThatAreRouted(int groups) throws Exception {
    try (var harness = harness(new RouteOperator(settings(groups, BudgetScope.keys(1))))) {
      harness.setup(OperatorFixture.serializer(RoutedRecord.TYPE));
      harness.open();
      OperatorFixture.sendRows(harness, row(0, 0));
      harness.snapshot(1, 1);
      harness.notifyOfCompletedCheckpoint(1);
      List<CellMessage> sent =
          harness.getSideOutput(RouteOperator.PROGRESS).stream()
              .map(StreamRecord::getValue)
              .toList();
      assertThat(keys(sent, CellMessage.Kind.PROGRESS)).isEqualTo(KeyGroups.keys(KEY_GROUPS));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 2000})
  void ofEpochsThatAreOver(int groups) throws Exception {
    SketchJobSettings ending =
        settings(groups, BudgetScope.ROWS)
            .with(StartState.NONE.withEnd(JobEnd.at(Offsets.of(Map.of(0, 5L)), 99)));
    ClockReader clock =
        new ClockReader(ending, KeyGroups.keys(KEY_GROUPS), () -> Offsets.of(Map.of()));
    Sent sent = new Sent();
    clock.addSplits(List.of(new ClockSource.Split(3)));
    clock.pollNext(sent);
    clock.close();
    assertThat(keys(sent.messages, CellMessage.Kind.CUT)).isEqualTo(KeyGroups.keys(KEY_GROUPS));
    assertThat(sent.messages)
        .allMatch(cut -> cut.firstEpoch() == 3 && cut.epoch() == 99)
        .allMatch(cut -> cut.offsets().equals(Offsets.of(Map.of(0, 5L))));
  }

  /** Keeps what a reader emits. */
  private static final class Sent implements ReaderOutput<CellMessage> {
    private final List<CellMessage> messages = new ArrayList<>();

    @Override
    public void collect(CellMessage message) {
      messages.add(message);
    }

    @Override
    public void collect(CellMessage message, long timestamp) {
      messages.add(message);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void markIdle() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void markActive() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SourceOutput<CellMessage> createOutputForSplit(String split) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void releaseOutputForSplit(String split) {
      throw new UnsupportedOperationException();
    }
  }
}
