package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.Offsets;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SecondReadOperatorTest {
  static final SketchJobSettings SETTINGS = settings(Map.of());
  private static final PartitionKeys KEYS = new PartitionKeys(128);
  private static final Cell MODEL = new Cell(SketchJobSettings.NO_GROUP, "second", 1);
  private static final Cell STRATA = new Cell(SketchJobSettings.NO_GROUP, "second", 2);

  /** D (D + 1) / 2 sums of each of three strata; the first one is the square of the intercept. */
  private static final int STRATUM = 10;

  private static final double ONE =
      Math.pow(SETTINGS.plan().schema().intercept(), 2)
          / SETTINGS.plan().sketch("second").mechanism().stepSize();

  private final OperatorFixture fixture = new OperatorFixture();
  private final List<Harness> harnesses = new ArrayList<>();

  private static final class Harness
      extends KeyedOneInputStreamOperatorTestHarness<Integer, SecondRead, CellMessage> {
    Harness(FakeLog log, OperatorFixture fixture) throws Exception {
      super(
          new SecondReadOperator(SETTINGS, KEYS, log::open, 0),
          KEYS,
          Types.INT,
          fixture.environment());
    }

    /** Fires the operator's timer a number of times. */
    void readOn(int times) throws Exception {
      for (int i = 0; i < times; i++) {
        setProcessingTime(getProcessingTime() + 1);
      }
    }
  }

  /** A stream of seconds with a mechanism in two stages, beside another one. */
  static SketchJobSettings settings(Map<String, String> more) {
    Map<String, String> options = new HashMap<>(more);
    options.put("strata", "3");
    StreamPlan plan =
        StreamPlan.of(
            OperatorFixture.request(1, 512, BudgetScope.ROWS)
                .withSketches(
                    List.of(
                        new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                        new SketchRequest("second", "residual-strata", 1, options))));
    return OperatorFixture.settings(plan, OperatorFixture.SECONDS)
        .withRandomness(Randomness.noiseFreeForTests(1));
  }

  @AfterEach
  void close() throws Exception {
    for (Harness each : harnesses) {
      each.close();
    }
  }

  private Harness opened(FakeLog log, Optional<OperatorSubtaskState> state) throws Exception {
    Harness harness = new Harness(log, fixture);
    harnesses.add(harness);
    if (state.isPresent()) {
      harness.initializeState(state.get());
    }
    harness.open();
    return harness;
  }

  /** The rows' strata follow from {@code a} alone. */
  private static SecondRead task(long epoch, int partition, long from, long to) {
    long[] model = new long[4];
    model[1] = Math.round(1 / SETTINGS.plan().sketch("second").mechanism().stepSize());
    return new SecondRead(
        0,
        epoch,
        partition,
        new RowRanges.Range(from, to),
        Map.of(MODEL, Block.of(model, 0, model.length)));
  }

  private static void send(Harness harness, SecondRead... tasks) throws Exception {
    for (SecondRead task : tasks) {
      harness.processElement(new StreamRecord<>(task));
    }
  }

  private static String row(double a) {
    return "{\"a\":" + a + ",\"b\":3,\"y\":1}";
  }

  /** Rows of a second, one at each offset, of which the first are in the first stratum. */
  private static FakeLog log(int batch, int offsets) {
    FakeLog log = new FakeLog("rows", batch);
    for (int partition = 0; partition < 2; partition++) {
      for (int i = 0; i < offsets; i++) {
        log.add(partition, i, 500, row(i % 2 == 0 ? -0.9 : 0.9));
      }
    }
    return log;
  }

  /** The numbers of rows in each stratum, in units of the intercept's square. */
  private static List<Long> rows(List<CellMessage> sent, long epoch) {
    long[] sum = new long[3 * STRATUM];
    for (CellMessage message : sent) {
      if (message.kind() == CellMessage.Kind.PARTIAL && message.epoch() == epoch) {
        assertThat(message.cell()).isEqualTo(STRATA);
        long[] block = Block.longs(message.block());
        Arrays.setAll(sum, i -> sum[i] + block[i]);
      }
    }
    return IntStream.range(0, 3).mapToObj(k -> Math.round(sum[k * STRATUM] / ONE)).toList();
  }

  private static List<Offsets> progress(List<CellMessage> sent) {
    return sent.stream()
        .filter(message -> message.kind() == CellMessage.Kind.PROGRESS)
        .map(CellMessage::offsets)
        .toList();
  }

  @Test
  void readsItsRangesAndSaysHowFarBeforeTheBarrier() throws Exception {
    Harness harness = opened(log(3, 10), Optional.empty());
    send(harness, task(0, 0, 2, 9), task(0, 1, 4, 5));
    harness.readOn(1);
    harness.prepareSnapshotPreBarrier(1);
    List<CellMessage> first = OperatorFixture.take(harness);
    assertThat(rows(first, 0))
        .as("three of one partition, one of the other")
        .containsExactly(3L, 0L, 1L);
    assertThat(progress(first)).containsExactly(Offsets.of(Map.of(1, 1L)));

    harness.readOn(100);
    List<CellMessage> rest = OperatorFixture.take(harness);
    assertThat(rows(rest, 0)).containsExactly(2L, 0L, 2L);
    assertThat(progress(rest)).containsExactly(Offsets.of(Map.of(0, 1L)));
    harness.prepareSnapshotPreBarrier(2);
    assertThat(OperatorFixture.take(harness)).isEmpty();
  }

  /**
   * Whatever lies between: rows of other epochs, records that are no rows, ends of transactions.
   */
  @Test
  void countsTheRowsOfTheEpochAndReportsNothingElse() throws Exception {
    FakeLog log =
        new FakeLog("rows", 2)
            .add(0, 0, 500, row(0.9))
            .add(0, 1, 1500, row(0.9))
            .add(0, 2, 600, "no row")
            .add(0, 5, 700, row(-0.9))
            .add(0, 6, 1600, row(-0.9))
            .add(0, 9, 2500, row(0));
    Harness harness = opened(log, Optional.empty());
    send(harness, task(0, 0, 0, 6), task(1, 0, 1, 7));
    assertThat(fixture.count("epochsReadAgain")).isEqualTo(2);
    harness.readOn(100);
    assertThat(fixture.count("epochsReadAgain")).isZero();
    assertThat(fixture.count("rowsReadAgain")).isEqualTo(4);
    List<CellMessage> sent = OperatorFixture.take(harness);
    assertThat(rows(sent, 0)).containsExactly(1L, 0L, 1L);
    assertThat(rows(sent, 1)).as("read again from offset 1 on").containsExactly(1L, 0L, 1L);
    assertThat(progress(sent)).containsExactly(Offsets.of(Map.of(0, 2L)));
    assertThat(harness.getSideOutput(DeadLetterOutputs.DEAD)).isNull();
    send(harness, task(2, 0, 7, 10));
    harness.readOn(100);
    assertThat(rows(OperatorFixture.take(harness), 2)).containsExactly(0L, 1L, 0L);
  }

  @Test
  void aRestoredOneReadsEachOtherRowOnce() throws Exception {
    Harness before = opened(log(2, 10), Optional.empty());
    send(before, task(0, 0, 0, 10), task(0, 1, 0, 10), task(1, 1, 9, 10));
    before.readOn(2);
    before.prepareSnapshotPreBarrier(1);
    List<CellMessage> sent = OperatorFixture.take(before);
    assertThat(rows(sent, 0)).containsExactly(4L, 0L, 4L);
    OperatorSubtaskState state = before.snapshot(1, 1);
    before.readOn(1); // is lost

    Harness after = opened(log(5, 10), Optional.of(state));
    after.endInput();
    List<CellMessage> rest = OperatorFixture.take(after);
    assertThat(rows(rest, 0)).containsExactly(6L, 0L, 6L);
    assertThat(progress(rest)).containsExactly(Offsets.of(Map.of(0, 1L, 1, 2L)));
    assertThat(after.snapshot(2, 2).getManagedKeyedState())
        .as("nothing is left to read")
        .allSatisfy(handle -> assertThat(after.numKeyedStateEntries()).isZero());
  }

  /** What the rows are shows nowhere: the state of other rows at the same offsets is the same. */
  @Test
  void theStateKnowsNoMoreOfTheRowsThanWhereTheyLie() throws Exception {
    FakeLog others = new FakeLog("rows", 2);
    for (int i = 0; i < 10; i++) {
      others.add(0, i, 500, row(0.01 * i)).add(1, i, 500, "no row");
    }
    List<byte[]> states = new ArrayList<>();
    for (FakeLog log : List.of(log(2, 10), others)) {
      Harness harness = opened(log, Optional.empty());
      send(harness, task(0, 0, 0, 10), task(0, 1, 0, 10));
      harness.readOn(2);
      harness.prepareSnapshotPreBarrier(1);
      OperatorSubtaskState state = harness.snapshot(1, 1);
      assertThat(state.getManagedOperatorState()).isEmpty();
      assertThat(state.getRawKeyedState()).isEmpty();
      states.add(bytes(state));
    }
    assertThat(states.get(0)).isEqualTo(states.get(1));
  }

  private static byte[] bytes(OperatorSubtaskState state) throws Exception {
    try (var in =
        ((KeyGroupsStateHandle) state.getManagedKeyedState().iterator().next()).openInputStream()) {
      return in.readAllBytes();
    }
  }

  @Test
  void failsForGoodWhereTheLogHasLostRows() throws Exception {
    FakeLog log = log(2, 10);
    Harness harness = opened(log, Optional.empty());
    send(harness, task(0, 1, 0, 10));
    harness.readOn(1);
    log.deleteBefore(7);
    assertThatThrownBy(() -> harness.readOn(1))
        .isInstanceOf(LastingFaultException.class)
        .hasMessageContaining("Epoch 1970-01-01T00:00:00Z of stream seconds cannot be released")
        .hasMessageContaining(
            "Partition 1 of topic rows begins at offset 7 now, and rows from offset 2 to 9 are"
                + " still to be read")
        .hasMessageContaining("epochs.from");
  }

  @Test
  void partitionsAreSpreadOverSubtasks() {
    for (int parallelism = 1; parallelism <= 8; parallelism *= 2) {
      int[] load = new int[parallelism];
      for (int partition = 0; partition < 8; partition++) {
        int subtask =
            KeyGroupRangeAssignment.assignKeyToParallelOperator(
                KEYS.of(partition), 128, parallelism);
        load[subtask]++;
      }
      assertThat(load).containsOnly(8 / parallelism);
    }
  }
}
