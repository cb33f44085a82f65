package io.gauze.pipeline.seal;

import static io.gauze.pipeline.OperatorFixture.cut;
import static io.gauze.pipeline.OperatorFixture.progress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.job.SketchPreflight;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.pipeline.RateLimiter;
import io.gauze.pipeline.SealedBlock;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.JobEnd;
import io.gauze.stream.Offsets;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.throwable.ThrowableClassifier;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AccumulateOperatorTest {
  private static final SketchJobSettings EXACT = OperatorFixture.small();
  private static final SketchJobSettings NOISY =
      EXACT.withRandomness(Randomness.insecureForTests(3));
  private static final Cell CELL = new Cell(SketchJobSettings.NO_GROUP, "moments", 0);

  private final OperatorFixture fixture = new OperatorFixture();
  private final List<Harness> harnesses = new ArrayList<>();

  /** A shorter name. */
  private static final class Harness
      extends KeyedOneInputStreamOperatorTestHarness<String, CellMessage, SealedBlock> {
    Harness(SketchJobSettings settings, OperatorFixture fixture) throws Exception {
      super(
          new AccumulateOperator(settings), CellMessage::key, Types.STRING, fixture.environment());
    }
  }

  @AfterEach
  void close() throws Exception {
    for (Harness each : harnesses) {
      each.close();
    }
  }

  @Test
  void theFirstPartialMakesTheBlockWithItsNoise() throws Exception {
    Harness harness = opened(NOISY);
    long[] noise = firstNoise();
    assertThat(noise).as("noise").doesNotContain(0);

    OperatorFixture.send(harness, CellMessage.partial(CELL, 0, block(1)));
    assertThat(held(harness, 0)).isEqualTo(plus(noise, 1));
    OperatorFixture.send(harness, CellMessage.partial(CELL, 0, block(10)));
    assertThat(held(harness, 0)).as("noise once").isEqualTo(plus(noise, 11));
    OperatorFixture.send(harness, cut(0, Map.of()));
    assertThat(Block.longs(sealed(harness).get(0).block())).isEqualTo(plus(noise, 11));
  }

  @Test
  void aCutThatFindsNoBlockSealsNoise() throws Exception {
    Harness harness = opened(NOISY);
    OperatorFixture.send(harness, cut(0, Map.of(0, 0L)));
    assertThat(Block.longs(sealed(harness).get(0).block())).isEqualTo(firstNoise());
  }

  /** Whatever came before: each block draws from a source of its own. */
  @Test
  void theNoiseOfABlockIsItsOwn() throws Exception {
    Harness harness = opened(NOISY);
    OperatorFixture.send(
        harness, CellMessage.partial(CELL, 1, block(1)), CellMessage.partial(CELL, 0, block(1)));
    assertThat(held(harness, 0)).isEqualTo(plus(firstNoise(), 1));
    assertThat(held(harness, 1)).doesNotContain(plus(firstNoise(), 1));
  }

  /** What epoch 0 gets, from the same test source. */
  private static long[] firstNoise() {
    long[] noise = new long[length()];
    String purpose = "noise of " + NOISY.releaseId(CELL, 0) + " block " + CELL.block();
    NOISY
        .plan()
        .sketch(CELL.sketch())
        .mechanism()
        .addNoise(noise, 0, NOISY.randomness().entropy(purpose));
    return noise;
  }

  private static long[] plus(long[] noise, long value) {
    return LongStream.of(noise).map(x -> x + value).toArray();
  }

  @Test
  void anEpochIsSealedWhenAllPartitionsHaveReachedItsEnds() throws Exception {
    Harness harness = opened(EXACT);
    OperatorFixture.send(
        harness,
        CellMessage.partial(CELL, 0, block(1)),
        cut(0, Map.of(0, 5L, 1, 3L, 2, 0L)),
        progress(Map.of(0, 7L)),
        progress(Map.of(1, 2L)),
        CellMessage.partial(CELL, 0, block(10)),
        CellMessage.partial(CELL, 1, block(100)),
        progress(Map.of(2, 9L)));
    assertThat(sealed(harness)).isEmpty();

    OperatorFixture.send(harness, progress(Map.of(1, 3L)));
    SealedBlock first = sealed(harness).get(0);
    assertThat(first.cell()).isEqualTo(CELL);
    assertThat(first.epoch()).isZero();
    assertThat(Block.longs(first.block())).isEqualTo(plus(new long[length()], 11));

    OperatorFixture.send(harness, cut(1, Map.of(0, 7L, 1, 3L)));
    assertThat(Block.longs(sealed(harness).get(0).block()))
        .as("progress before the cut")
        .isEqualTo(plus(new long[length()], 100));
    assertThat(fixture.count("sealedBlocks")).as("of both cells").isEqualTo(4);
  }

  @Test
  void cutsAreSealedInOrder() throws Exception {
    Harness harness = opened(EXACT);
    OperatorFixture.send(
        harness,
        cut(0, Map.of(0, 1L)),
        cut(1, Map.of(0, 2L)),
        cut(2, Map.of(0, 2L)),
        cut(3, Map.of(0, 3L)),
        progress(Map.of(0, 2L)));
    assertThat(epochs(sealed(harness))).containsExactly(0L, 1L, 2L);
    OperatorFixture.send(harness, progress(Map.of(0, 3L)), cut(4, Map.of(0, 3L)));
    assertThat(epochs(sealed(harness))).containsExactly(3L, 4L);
  }

  @Test
  void oneProgressSealsTwentyThousandCutsInOrder() throws Exception {
    int cuts = 20_000;
    Harness harness = opened(EXACT);
    for (int epoch = 0; epoch < cuts; epoch++) {
      OperatorFixture.send(harness, cut(epoch, Map.of(0, 10L)));
    }
    assertThat(sealed(harness)).isEmpty();
    OperatorFixture.send(harness, progress(Map.of(0, 10L)));
    assertThat(epochs(sealed(harness)))
        .containsExactlyElementsOf(LongStream.range(0, cuts).boxed().toList());
    assertThat(harness.numKeyedStateEntries()).isZero();
  }

  /** A job that cannot release all that it was to release must not end as if it had. */
  @Test
  void aBoundedJobThatEndsBeforeItsCutFails() throws Exception {
    SketchJobSettings bounded =
        EXACT.with(StartState.NONE.withEnd(JobEnd.at(Offsets.of(Map.of(0, 5L)), 0)));
    Harness harness = opened(bounded);
    OperatorFixture.send(harness, progress(Map.of(0, 4L)), cut(0, Map.of(0, 5L)));
    assertThatThrownBy(harness::endInput)
        .satisfies(AccumulateOperatorTest::isNotRetried)
        .hasMessageContaining(
            "GZ-GONEROWS: The rows of topic rows ended before the last record that was there at the"
                + " start")
        .hasMessageContaining("partition 0 was read up to offset 4 of 5.")
        .hasMessageContaining("run again");
    assertThat(sealed(harness)).isEmpty();

    Harness whole = opened(bounded);
    OperatorFixture.send(whole, cut(0, Map.of(0, 5L)), progress(Map.of(0, 4L)));
    OperatorFixture.send(
        whole, CellMessage.progressAtEnd(OperatorFixture.EVERY_CELL, Offsets.of(Map.of(0, 5L))));
    assertThat(sealed(whole)).isEmpty();
    whole.endInput();
    assertThat(epochs(sealed(whole))).containsExactly(0L);
  }

  /** By Flink's own rule; `gauze run` then says why. */
  private static void isNotRetried(Throwable failure) {
    assertThat(
            ThrowableClassifier.findThrowableOfThrowableType(
                failure, ThrowableType.NonRecoverableError))
        .isPresent();
    assertThat(SketchPreflight.lastingFault(new ExecutionException("job failed", failure)))
        .contains(failure.getMessage());
  }

  @Test
  void aLatePartialIsDroppedAndCounted() throws Exception {
    Harness harness = opened(NOISY);
    OperatorFixture.send(harness, cut(0, Map.of()), cut(1, Map.of()));
    assertThat(sealed(harness)).hasSize(2);

    OperatorFixture.send(
        harness,
        CellMessage.partial(CELL, 0, block(1)),
        CellMessage.partial(CELL, 1, block(1)),
        CellMessage.partial(CELL, 2, block(1)),
        cut(2, Map.of()));
    assertThat(epochs(sealed(harness))).containsExactly(2L);
    assertThat(fixture.count("lateBlocks")).isEqualTo(2);
    assertThat(blocks(harness).isEmpty()).isTrue();
  }

  @Test
  void aClockThatIsSetBackHidesNoLine() {
    RateLimiter lines = new RateLimiter();
    assertThat(lines.isDue(1_000_000)).isTrue();
    assertThat(lines.isDue(1_000_001)).isFalse();
    assertThat(lines.isDue(0)).isTrue();
    assertThat(lines.isDue(59_999)).isFalse();
    assertThat(lines.isDue(60_000)).isTrue();
  }

  @Test
  void aPublishedReleaseIsSkipped() throws Exception {
    Harness harness =
        opened(NOISY.withPublished(Set.of(NOISY.releaseId(CELL, 0).toString(), "other/a/b/c")));
    OperatorFixture.send(harness, CellMessage.partial(CELL, 0, block(1)));
    assertThat(blocks(harness).isEmpty()).isTrue();

    OperatorFixture.send(harness, cut(0, Map.of()), cut(1, Map.of()));
    assertThat(epochs(sealed(harness))).containsExactly(1L);
    assertThat(fixture.count("skippedBlocks")).isEqualTo(2);
  }

  /** The ledger's entry of it comes from this very state, before a failure. */
  @Test
  void aPublishedReleaseThatTheStateHoldsIsSealed() throws Exception {
    Harness before = opened(NOISY);
    OperatorFixture.send(before, CellMessage.partial(CELL, 0, block(1)));
    long[] held = held(before, 0);
    Harness after =
        restored(
            NOISY.withPublished(Set.of(NOISY.releaseId(CELL, 0).toString())),
            before.snapshot(1, 1));
    OperatorFixture.send(after, cut(0, Map.of()));
    assertThat(Block.longs(sealed(after).get(0).block())).isEqualTo(held);
  }

  @Test
  void pendingCutsAndProgressSurviveARestore() throws Exception {
    Harness before = opened(EXACT);
    OperatorFixture.send(
        before,
        CellMessage.partial(CELL, 1, block(7)),
        cut(0, Map.of(0, 2L, 1, 2L)),
        cut(1, Map.of(0, 2L, 1, 2L)),
        progress(Map.of(0, 2L)));
    Harness after = restored(EXACT, before.snapshot(1, 1));
    OperatorFixture.send(after, progress(Map.of(1, 2L)));
    List<SealedBlock> sealed = sealed(after);
    assertThat(epochs(sealed)).containsExactly(0L, 1L);
    assertThat(Block.longs(sealed.get(1).block())).isEqualTo(plus(new long[length()], 7));
  }

  /**
   * Of another unit of privacy, too, whose rows other operators fold, with the same accumulators.
   */
  @Test
  void refusesTheStateOfAnotherConfig() throws Exception {
    Harness harness = opened(EXACT);
    OperatorFixture.send(harness, CellMessage.partial(CELL, 0, block(1)));
    OperatorSubtaskState state = harness.snapshot(1, 1);
    RowInput byUser =
        new RowInput(new RecordFormat.Json(), false, "a", "", List.of(SketchJobSettings.NO_GROUP));
    SketchJobSettings users =
        OperatorFixture.settings(
                OperatorFixture.plan(1, 512, BudgetScope.users("a", 3)), OperatorFixture.SECONDS)
            .withRandomness(EXACT.randomness())
            .withInput(byUser);
    for (SketchJobSettings another :
        List.of(
            users,
            OperatorFixture.small("other-rows", "ledger"),
            EXACT.withRandomness(Randomness.SYSTEM))) {
      assertThatThrownBy(() -> restored(another, state))
          .isInstanceOf(PrivacyConflictException.class)
          .hasMessageContaining("The restored state of stream seconds");
    }
  }

  /** An epoch is open in a cell from its first partial or its cut to its seal. */
  @Test
  void gaugesShowWhatIsOpenAndHeld() throws Exception {
    Harness harness = opened(EXACT);
    assertGauges(0, 0);
    OperatorFixture.send(
        harness, CellMessage.partial(CELL, 1, block(1)), CellMessage.partial(CELL, 1, block(1)));
    assertGauges(1, 1);
    OperatorFixture.send(harness, cut(0, Map.of(0, 5L)), cut(1, Map.of(0, 9L)));
    assertGauges(2, 1);
    OperatorFixture.send(harness, progress(Map.of(0, 5L)));
    assertGauges(1, 1);
    OperatorFixture.send(harness, CellMessage.partial(CELL, 0, block(1)));
    assertGauges(1, 1); // that one was late
    OperatorFixture.send(harness, cut(2, Map.of(0, 9L)));
    assertGauges(2, 1);
    OperatorFixture.send(harness, progress(Map.of(0, 9L)));
    assertGauges(0, 0);
  }

  @Test
  void gaugesBeginWithWhatIsRestored() throws Exception {
    Harness before = opened(EXACT);
    OperatorFixture.send(
        before,
        cut(0, Map.of(0, 2L)),
        cut(1, Map.of(0, 3L)),
        CellMessage.partial(CELL, 1, block(1)),
        CellMessage.partial(CELL, 2, block(1)));
    Harness after = restored(EXACT, before.snapshot(1, 1));
    assertGauges(3, 2);
    OperatorFixture.send(after, progress(Map.of(0, 3L)));
    assertThat(epochs(sealed(after))).containsExactly(0L, 1L);
    assertGauges(1, 1); // epoch 2
    OperatorFixture.send(after, cut(2, Map.of()));
    assertGauges(0, 0);
  }

  /** What was sealed of a table stays, added up. */
  @Test
  void theSumOfATableIsHeldOn() throws Exception {
    SketchJobSettings table =
        OperatorFixture.settings(
                OperatorFixture.plan(1, 512, BudgetScope.keys(3)), OperatorFixture.SECONDS)
            .withRandomness(Randomness.noiseFreeForTests(1))
            .withInput(
                new RowInput(
                    new RecordFormat.Json(), true, "", "", List.of(SketchJobSettings.NO_GROUP)));
    Harness harness = opened(table);
    OperatorFixture.send(
        harness, CellMessage.partial(CELL, 0, block(1)), CellMessage.partial(CELL, 1, block(1)));
    assertGauges(2, 2);
    OperatorFixture.send(harness, cut(0, Map.of()));
    assertGauges(1, 2);
    OperatorFixture.send(harness, cut(1, Map.of()));
    assertGauges(0, 1);
    OperatorFixture.send(harness, CellMessage.partial(CELL, 0, block(1)));
    assertGauges(1, 2); // late, and so in the next
    restored(table, harness.snapshot(1, 1));
    assertGauges(1, 2);
  }

  private void assertGauges(int open, int blocks) {
    assertThat(fixture.count("epochsOpen")).isEqualTo(open);
    assertThat(fixture.count("heldBytes")).isEqualTo((long) blocks * block(0).length);
  }

  private static int length() {
    return EXACT.plan().sketch(CELL.sketch()).mechanism().spec().stateLength();
  }

  private static byte[] block(long value) {
    return Block.of(plus(new long[length()], value), 0, length());
  }

  private static List<Long> epochs(List<SealedBlock> sealed) {
    return sealed.stream().map(SealedBlock::epoch).toList();
  }

  private static List<SealedBlock> sealed(Harness harness) {
    return OperatorFixture.take(harness).stream()
        .filter(block -> block.cell().equals(CELL))
        .toList();
  }

  private static long[] held(Harness harness, long epoch) throws Exception {
    return Block.longs(blocks(harness).get(epoch));
  }

  private static MapState<Long, byte[]> blocks(Harness harness) throws Exception {
    KeyedStateBackend<String> backend = harness.getOperator().getKeyedStateBackend();
    backend.setCurrentKey(CELL.key());
    return backend.getPartitionedState(
        VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, CellState.BLOCKS);
  }

  private Harness opened(SketchJobSettings settings) throws Exception {
    return restored(settings);
  }

  private Harness restored(SketchJobSettings settings, OperatorSubtaskState... state)
      throws Exception {
    Harness harness = new Harness(settings, fixture);
    harnesses.add(harness);
    OperatorFixture.open(harness, SealedBlock.TYPE, state);
    return harness;
  }
}
