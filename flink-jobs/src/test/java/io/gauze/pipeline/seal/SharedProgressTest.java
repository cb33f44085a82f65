package io.gauze.pipeline.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.noise.Randomness;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.pipeline.SealedBlock;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.KeyGroups;
import io.gauze.stream.Offsets;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.io.File;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accumulators of several subtasks, which share what is said about the rows of all cells, through
 * restores with other parallelisms.
 */
final class SharedProgressTest {
  private static final int KEY_GROUPS = 8;
  private static final SketchJobSettings SETTINGS = settings(6);
  private static final List<Cell> CELLS = SETTINGS.cells();

  private final List<Subtask> opened = new ArrayList<>();

  private static SketchJobSettings settings(int groups) {
    List<String> names = IntStream.range(0, groups).mapToObj(i -> "g" + i).toList();
    return OperatorFixture.settings(OperatorFixture.plan(1, 16), OperatorFixture.SECONDS)
        .withRandomness(Randomness.noiseFreeForTests(1))
        .withInput(new RowInput(new RecordFormat.Json(), false, "", "g", names));
  }

  private static final class Subtask
      extends KeyedOneInputStreamOperatorTestHarness<String, CellMessage, SealedBlock> {
    Subtask(SketchJobSettings settings, int parallelism, int index) throws Exception {
      super(
          new AccumulateOperator(settings),
          CellMessage::key,
          Types.STRING,
          KEY_GROUPS,
          parallelism,
          index);
    }
  }

  /** All subtasks of one run of the job. */
  private static final class Accumulators {
    private final List<Subtask> subtasks = new ArrayList<>();

    /** Sends a message where Flink's network would. */
    void send(CellMessage message) throws Exception {
      int subtask =
          KeyGroupRangeAssignment.assignKeyToParallelOperator(
              message.key(), KEY_GROUPS, subtasks.size());
      OperatorFixture.send(subtasks.get(subtask), message);
    }

    void progress(Map<Integer, Long> next) throws Exception {
      for (String key : KeyGroups.keys(KEY_GROUPS)) {
        send(CellMessage.progress(key, Offsets.of(next)));
      }
    }

    void cut(long first, long last, Map<Integer, Long> ends) throws Exception {
      for (String key : KeyGroups.keys(KEY_GROUPS)) {
        send(CellMessage.cut(key, first, last, Offsets.of(ends)));
      }
    }

    void partials(long epoch, long value) throws Exception {
      for (Cell cell : CELLS) {
        send(CellMessage.partial(cell, epoch, block(cell, value)));
      }
    }

    /** What was sealed since the last call: cell, epoch and first sum, sorted. */
    List<String> sealed() {
      return subtasks.stream()
          .flatMap(subtask -> OperatorFixture.take(subtask).stream())
          .map(each -> text(each.cell(), each.epoch(), Block.longs(each.block())[0]))
          .sorted()
          .toList();
    }

    OperatorSubtaskState snapshot() throws Exception {
      List<OperatorSubtaskState> states = new ArrayList<>();
      for (Subtask subtask : subtasks) {
        states.add(subtask.snapshot(1, 1));
      }
      return AbstractStreamOperatorTestHarness.repackageState(
          states.toArray(new OperatorSubtaskState[0]));
    }
  }

  private static byte[] block(Cell cell, long value) {
    long[] entries =
        new long[SETTINGS.plan().sketch(cell.sketch()).mechanism().spec().stateLength()];
    entries[0] = value;
    return Block.of(entries, 0, entries.length);
  }

  private static String text(Cell cell, long epoch, long value) {
    return cell.key() + " " + epoch + " " + value;
  }

  /** What all cells of an epoch are sealed with. */
  private static List<String> all(long epoch, long value) {
    return CELLS.stream().map(cell -> text(cell, epoch, value)).sorted().toList();
  }

  private static List<String> all(long epoch, long value, long next, long nextValue) {
    List<String> both = new ArrayList<>(all(epoch, value));
    both.addAll(all(next, nextValue));
    both.sort(Comparator.naturalOrder());
    return both;
  }

  private Accumulators start(int parallelism, OperatorSubtaskState... state) throws Exception {
    Accumulators all = new Accumulators();
    int before = state.length == 0 ? 0 : parallelismOf(state[0]);
    for (int i = 0; i < parallelism; i++) {
      Subtask subtask = new Subtask(SETTINGS, parallelism, i);
      opened.add(subtask);
      subtask.setup(OperatorFixture.serializer(SealedBlock.TYPE));
      if (state.length > 0) {
        subtask.initializeState(
            AbstractStreamOperatorTestHarness.repartitionOperatorState(
                state[0], KEY_GROUPS, before, parallelism, i));
      }
      subtask.open();
      all.subtasks.add(subtask);
    }
    return all;
  }

  private static int parallelismOf(OperatorSubtaskState state) {
    return state.getManagedOperatorState().size();
  }

  @AfterEach
  void close() throws Exception {
    for (Subtask each : opened) {
      each.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void allCellsOfAllSubtasksAreSealedOnce(int parallelism) throws Exception {
    Accumulators job = start(parallelism);
    job.partials(0, 4);
    job.cut(0, 0, Map.of(0, 5L, 1, 2L, 2, 0L));
    job.progress(Map.of(0, 5L));
    assertThat(job.sealed()).as("partition 1 is behind; 2 is empty").isEmpty();
    job.progress(Map.of(1, 2L));
    assertThat(job.sealed()).isEqualTo(all(0, 4));
    job.progress(Map.of(0, 7L));
    assertThat(job.sealed()).as("once").isEmpty();
    job.partials(1, 5);
    job.cut(1, 2, Map.of(0, 7L, 1, 2L, 2, 0L)); // partition 1 is idle
    assertThat(job.sealed()).isEqualTo(all(1, 5, 2, 0));
  }

  /** A crash between progress and seal, and in each the cut or the progress comes first. */
  @ParameterizedTest
  @CsvSource({"1,1", "1,3", "3,1", "3,8", "8,2", "2,3"})
  void progressAndCutsSurviveAChangeOfTheParallelism(int before, int after) throws Exception {
    Accumulators job = start(before);
    job.partials(0, 1);
    job.cut(0, 0, Map.of(0, 1L));
    job.progress(Map.of(0, 1L));
    assertThat(job.sealed()).isEqualTo(all(0, 1));
    job.partials(1, 2);
    job.partials(2, 3);
    job.cut(1, 1, Map.of(0, 4L, 1, 4L));
    job.progress(Map.of(0, 6L));
    assertThat(job.sealed()).isEmpty();
    OperatorSubtaskState state = job.snapshot();

    Accumulators next = start(after, state);
    next.partials(0, 100); // sealed before, so late
    next.partials(1, 10);
    next.progress(Map.of(1, 4L));
    assertThat(next.sealed()).isEqualTo(all(1, 12));
    next.cut(2, 2, Map.of(0, 6L, 1, 4L));
    assertThat(next.sealed()).as("with the progress of before").isEqualTo(all(2, 3));

    Accumulators again = start(before, next.snapshot());
    again.cut(3, 3, Map.of(0, 6L, 1, 4L));
    assertThat(again.sealed()).isEqualTo(all(3, 0));
  }

  /** More subtasks than cells: some have none, and keep nothing. */
  @Test
  void aSubtaskWithoutCellsKeepsNoProgress() throws Exception {
    Accumulators job = start(8);
    long withCells = subtasksWithCells();
    assertThat(withCells).isLessThan(8);
    job.progress(Map.of(0, 3L));
    job.cut(0, 0, Map.of(0, 3L, 1, 1L));
    OperatorSubtaskState state = job.snapshot();
    assertThat(held(job)).hasSize((int) withCells);
    Accumulators next = start(1, state);
    next.progress(Map.of(1, 1L));
    assertThat(next.sealed()).isEqualTo(all(0, 0));
    Accumulators wider = start(8, next.snapshot());
    wider.cut(1, 1, Map.of(0, 3L, 1, 1L));
    assertThat(wider.sealed()).as("with the progress of before").isEqualTo(all(1, 0));
  }

  private static long subtasksWithCells() {
    return CELLS.stream()
        .map(cell -> KeyGroupRangeAssignment.assignKeyToParallelOperator(cell.key(), KEY_GROUPS, 8))
        .distinct()
        .count();
  }

  private static List<byte[]> held(Accumulators job) throws Exception {
    List<byte[]> held = new ArrayList<>();
    for (Subtask subtask : job.subtasks) {
      subtask
          .getOperator()
          .getOperatorStateBackend()
          .getUnionListState(SealProgress.STATE)
          .get()
          .forEach(held::add);
    }
    return held;
  }

  /** What a subtask tells is not more than the offsets and epochs that all cells held before. */
  @Test
  void theStateOfEachSubtaskIsTheSame() throws Exception {
    Accumulators job = start(3);
    job.partials(0, 1);
    job.cut(0, 4, Map.of(0, 1L));
    job.progress(Map.of(0, 1L, 3, 9L));
    job.cut(5, 6, Map.of(0, 2L));
    job.cut(7, 7, Map.of(0, 2L));
    job.cut(8, 8, Map.of(0, 3L));
    for (Subtask subtask : job.subtasks) {
      subtask.snapshot(1, 1);
    }
    List<byte[]> held = held(job);
    assertThat(held).hasSize(3).allSatisfy(each -> assertThat(each).isEqualTo(held.get(0)));
    // Version, what is sealed, two partitions, none at the end, two runs of epochs of a partition.
    assertThat(held.get(0)).hasSize(1 + 1 + 8 + (4 + 2 * 12) + 4 + 4 + 2 * (8 + 8 + 4 + 12));
  }

  @Test
  void aCutThatComesTwiceIsOneCut() throws Exception {
    Accumulators job = start(1);
    job.cut(0, 2, Map.of(0, 1L)); // under eight keys to one subtask
    job.progress(Map.of(0, 1L));
    assertThat(job.sealed()).hasSize(3 * CELLS.size());
    job.cut(1, 3, Map.of(0, 1L));
    assertThat(job.sealed()).isEqualTo(all(3, 0));
  }

  /**
   * Two subtasks as the version of 2026-11-30 left them, which kept progress in each cell: a
   * partial of 1 in epoch 0, sealed; of 2 and 3 in epochs 1 and 2; a cut of epoch 1 at offset 4 of
   * partitions 0 and 1; partition 0 read to 6, partition 1 to 1.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 8})
  void theStateOfTheVersionBeforeIsMoved(int parallelism) throws Exception {
    Accumulators job = start(parallelism, earlier());
    job.partials(0, 100); // late
    assertThat(job.sealed()).isEmpty();
    job.progress(Map.of(1, 4L));
    assertThat(job.sealed()).isEqualTo(all(1, 2));
    OperatorSubtaskState state = job.snapshot();
    assertThat(state.getManagedKeyedState()).isNotEmpty();

    Accumulators next = start(2, state);
    next.cut(2, 2, Map.of(0, 6L, 1, 4L));
    assertThat(next.sealed()).isEqualTo(all(2, 3));
    int left = next.subtasks.stream().mapToInt(Subtask::numKeyedStateEntries).sum();
    assertThat(left).as("nothing of the version before is kept").isZero();
  }

  /**
   * Some subtasks have no cells, so that they learn nothing from such a state; partition 0 has no
   * new rows, so that nobody says how far it was read. The order of a restored state is any.
   */
  @Test
  void subtasksWithoutCellsDoNotHinderTheOthersAfterTheVersionBefore() throws Exception {
    for (int order = 0; order < 10; order++) {
      Accumulators job = start(8, earlier());
      job.cut(2, 2, Map.of(0, 6L, 1, 5L));
      Accumulators next = start(8, job.snapshot());
      next.progress(Map.of(1, 4L));
      assertThat(next.sealed()).as("before epoch 2").isEqualTo(all(1, 2));
      next.progress(Map.of(1, 5L));
      assertThat(next.sealed()).isEqualTo(all(2, 3));
      Accumulators again = start(7, next.snapshot());
      again.progress(Map.of(0, 7L, 1, 6L));
      assertThat(again.sealed()).as("no epoch twice").isEmpty();
      again.cut(3, 3, Map.of(0, 7L, 1, 6L));
      assertThat(again.sealed()).isEqualTo(all(3, 0));
      for (Subtask subtask : again.subtasks) {
        subtask.endInput();
      }
      close();
      opened.clear();
    }
  }

  /** What was held in any order leads to the same. */
  @Test
  void whatIsRestoredDoesNotDependOnItsOrder() throws Exception {
    Accumulators behind = start(1);
    behind.cut(0, 0, Map.of(0, 1L));
    behind.cut(1, 1, Map.of(0, 2L));
    Accumulators ahead = start(1);
    ahead.cut(0, 0, Map.of(0, 1L));
    ahead.progress(Map.of(0, 1L));
    ahead.cut(1, 1, Map.of(0, 2L));
    ahead.cut(2, 2, Map.of(0, 3L));
    for (Accumulators each : List.of(behind, ahead)) {
      each.snapshot();
    }
    List<byte[]> both = List.of(held(behind).get(0), held(ahead).get(0));
    for (List<byte[]> order : List.of(both, List.of(both.get(1), both.get(0)))) {
      behind
          .subtasks
          .get(0)
          .getOperator()
          .getOperatorStateBackend()
          .getUnionListState(SealProgress.STATE)
          .update(order);
      SealProgress progress =
          SealProgress.of(behind.subtasks.get(0).getOperator().getOperatorStateBackend());
      assertThat(progress.sealedThrough()).hasValue(0);
      assertThat(progress.cuts())
          .extracting(SealProgress.Cut::first, SealProgress.Cut::last)
          .containsExactly(Tuple.tuple(1L, 1L), Tuple.tuple(2L, 2L));
    }
  }

  private static OperatorSubtaskState earlier() throws Exception {
    File file = new File(SharedProgressTest.class.getResource("progress-in-cells.bin").toURI());
    return OperatorSnapshotUtil.readStateHandle(file.getPath());
  }

  @Test
  void theStateOfALaterVersionIsRefused() throws Exception {
    Accumulators job = start(1);
    job.subtasks
        .get(0)
        .getOperator()
        .getOperatorStateBackend()
        .getUnionListState(SealProgress.STATE)
        .update(List.of(new byte[] {2}));
    assertThatThrownBy(
            () -> SealProgress.of(job.subtasks.get(0).getOperator().getOperatorStateBackend()))
        .hasMessage("seal progress has version 2; this program reads version 1");
  }
}
