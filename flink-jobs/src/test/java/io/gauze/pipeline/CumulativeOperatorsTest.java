package io.gauze.pipeline;

import static io.gauze.pipeline.CumulativeFixture.CELL;
import static io.gauze.pipeline.CumulativeFixture.EXACT;
import static io.gauze.pipeline.CumulativeFixture.FIRST;
import static io.gauze.pipeline.CumulativeFixture.NOISY;
import static io.gauze.pipeline.CumulativeFixture.RELEASES;
import static io.gauze.pipeline.CumulativeFixture.cut;
import static io.gauze.pipeline.CumulativeFixture.partial;
import static io.gauze.pipeline.CumulativeFixture.settings;
import static io.gauze.pipeline.CumulativeFixture.sums;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gauze.config.EpochSchedule;
import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.CumulativeFixture.Harness;
import io.gauze.pipeline.read.DeadLetterOutputs;
import io.gauze.pipeline.read.FoldOperator;
import io.gauze.pipeline.seal.AssembleFunction;
import io.gauze.pipeline.seal.CellState;
import io.gauze.pipeline.seal.CumulativeReleases;
import io.gauze.publish.ReleaseCommittable;
import io.gauze.release.Release;
import io.gauze.stream.Block;
import io.gauze.stream.CellMessage;
import io.gauze.stream.JobMessage;
import io.gauze.stream.Offsets;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.ProcessFunctionTestHarnesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Four cumulative releases of epochs of a second, the first of them number 5. */
final class CumulativeOperatorsTest {
  private static final String ROW = "{\"a\":0.5,\"b\":3,\"y\":1}";

  private final OperatorFixture operators = new OperatorFixture();
  private final CumulativeFixture fixture = new CumulativeFixture();
  private final List<AbstractStreamOperatorTestHarness<?>> harnesses = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    fixture.close();
    for (AbstractStreamOperatorTestHarness<?> each : harnesses) {
      each.close();
    }
  }

  @Test
  void aReleaseHoldsAllEpochsSoFarAndNothingIsLeftAfterTheLast() throws Exception {
    Harness harness = fixture.opened(EXACT);
    harness.send(partial(7, 100), cut(5), partial(6, 1), partial(6, 10), cut(6));
    assertThat(harness.sealed()).containsExactly(sums(0), sums(11));
    assertThat(harness.total()).isEqualTo(sums(11));

    harness.send(cut(7), cut(8));
    assertThat(harness.sealed()).containsExactly(sums(111), sums(111));
    assertThat(harness.held(CumulativeReleases.State.DRAWS).isEmpty()).isTrue();
    assertThat(harness.held(CumulativeReleases.State.LAW).value()).isNull();
    assertThat(harness.held(CellState.TOTAL).value()).isNull();
    assertThat(harness.numKeyedStateEntries()).isZero();
  }

  /** Draws are two longs an entry, and stay until the last release. */
  @Test
  void theGaugeOfHeldBytesCountsTotalAndDraws() throws Exception {
    long block = 1 + (long) Long.BYTES * CumulativeFixture.length();
    long draw = 2L * Long.BYTES * CumulativeFixture.length();
    int length = EXACT.plan().sketch("buckets").mechanism().spec().stateLength();
    long otherTotal = 1 + (long) Long.BYTES * length;
    long otherDraw = 2L * Long.BYTES * length;
    Harness harness = fixture.opened(EXACT);
    harness.send(partial(5, 1), partial(6, 1));
    assertThat(fixture.count("heldBytes")).isEqualTo(2 * block);
    harness.send(cut(5));
    assertThat(fixture.count("heldBytes")).isEqualTo(2 * block + draw + otherTotal + otherDraw);
    harness.send(cut(6), partial(7, 1));
    long held = 2 * block + 2 * draw + otherTotal + 2 * otherDraw;
    assertThat(fixture.count("heldBytes")).isEqualTo(held);
    assertThat(fixture.count("epochsOpen")).isEqualTo(1);

    Harness after = fixture.restored(EXACT, harness.snapshot(1, 1));
    assertThat(fixture.count("heldBytes")).as("restored").isEqualTo(held);
    assertThat(fixture.count("epochsOpen")).as("restored").isEqualTo(1);
    after.send(cut(7), cut(8));
    assertThat(fixture.count("heldBytes")).isZero();
    assertThat(fixture.count("epochsOpen")).isZero();
  }

  /** What is late for its release is in the next; after the last there is none. */
  @Test
  void aLatePartialIsInTheNextRelease() throws Exception {
    Harness harness = fixture.opened(EXACT);
    harness.send(cut(5), cut(6), partial(5, 1), cut(7), partial(7, 10), cut(8), partial(8, 100));
    assertThat(harness.sealed()).containsExactly(sums(0), sums(0), sums(1), sums(11));
    assertThat(fixture.count("lateBlocks")).isEqualTo(3);
    assertThat(harness.numKeyedStateEntries()).isZero();
  }

  /**
   * Noise is drawn when a block is sealed: what was drawn before stays, wherever it is restored.
   */
  @Test
  void aRestoredJobGoesOnWithTheSameSeries() throws Exception {
    Harness straight = fixture.opened(NOISY);
    straight.send(partial(5, 1), cut(5), cut(6), partial(7, 10), cut(7), cut(8));
    List<long[]> all = straight.sealed();
    assertThat(all.get(0)).as("noise").doesNotContain(1);

    Harness before = fixture.opened(NOISY);
    before.send(partial(5, 1), cut(5), cut(6), partial(7, 10));
    OperatorSubtaskState state = before.snapshot(1, 1);
    assertThat(before.sealed()).containsExactly(all.get(0), all.get(1));
    Harness after = fixture.restored(NOISY, state);
    after.send(cut(7), cut(8));
    assertThat(after.sealed()).containsExactly(all.get(2), all.get(3));

    // If nothing new is drawn, turn 2 has f_1 z_1 + f_2 z_0 of the noises f_0 z_0 and f_0 z_1 + f_1
    // z_0 of the turns before, f = 1, 1/2, 3/8: half of turn 1's and an eighth of turn 0's. Each
    // noise is rounded once.
    Harness silent = fixture.restored(EXACT, state);
    silent.send(cut(7));
    long[] third = silent.sealed().get(0);
    for (int i = 0; i < third.length; i++) {
      double expected = 0.5 * (all.get(1)[i] - 1) + 0.125 * (all.get(0)[i] - 1);
      assertThat(third[i] - 11.0).isCloseTo(expected, within(0.5 + 0.25 + 0.0625 + 1e-6));
    }
  }

  /** The next one would have the noise of a series of its own under the same sums. */
  @Test
  void aSeriesWhoseDrawsAreLostDoesNotGoOn() throws Exception {
    Harness harness = fixture.opened(NOISY);
    assertThatThrownBy(() -> harness.send(cut(6)))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessage(JobMessage.SERIES.of("ledger", "seconds").line());
    assertThat(harness.sealed()).isEmpty();
  }

  /** An old state makes a release again, whose body the committer finds to be another one. */
  @Test
  void noReleaseIsSkipped() throws Exception {
    Harness harness =
        fixture.restored(
            EXACT.withPublished(Set.of(EXACT.releaseId(CELL, FIRST).toString())),
            fixture.opened(EXACT).snapshot(1, 1));
    harness.send(partial(5, 1), cut(5), cut(6));
    assertThat(harness.sealed()).containsExactly(sums(1), sums(1));
    assertThat(fixture.count("skippedBlocks")).isZero();
  }

  @Test
  void aReleaseSaysWhichOneItIs() throws Exception {
    try (KeyedOneInputStreamOperatorTestHarness<String, SealedBlock, ReleaseCommittable> assemble =
        ProcessFunctionTestHarnesses.forKeyedProcessFunction(
            new AssembleFunction(EXACT), SealedBlock::releaseKey, Types.STRING)) {
      long[] sums = sums(3);
      assemble.processElement(
          new StreamRecord<>(new SealedBlock(CELL, 7, Block.of(sums, 0, sums.length))));
      Release release = Release.fromBytes(assemble.extractOutputValues().get(0).body());
      assertThat(release.id().epoch()).isEqualTo("1970-01-01T00:00:07Z");
      assertThat(release.parameters())
          .containsEntry("cumulative", (double) RELEASES)
          .containsEntry("turn", 3.0);
      assertThat(release.settings()).containsEntry("firstEpoch", "1970-01-01T00:00:05Z");
      assertThat(release.numbers()).isEqualTo(sums);
      assertThat(release.isOf(EXACT.plan())).isTrue();
    }
  }

  /** On which turn it is, the number of the first epoch decides. */
  @Test
  void theFirstEpochMustBeNamed() {
    for (EpochSchedule schedule :
        List.of(EpochSchedule.all(), new EpochSchedule(1000, FIRST, false, 0))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> OperatorFixture.settings(EXACT.plan(), schedule))
          .withMessageStartingWith(
              "schedule of cumulative releases must have epochs and name the first.");
    }
  }

  @Test
  void aFreshStartOfASeriesThatIsOutIsRefused() throws Exception {
    OperatorSubtaskState state = fold(EXACT).snapshot(1, 1);
    SketchJobSettings out = EXACT.withPublished(Set.of(EXACT.releaseId(CELL, FIRST).toString()));
    assertThatThrownBy(() -> fold(out))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageStartingWith(
            "GZ-SERIES: The ledger (topic ledger) holds cumulative releases of stream seconds");
    fold(out, state); // goes on
    for (SketchJobSettings other : List.of(settings(RELEASES + 1, FIRST), settings(RELEASES, 6))) {
      assertThatThrownBy(() -> fold(other.withRandomness(Randomness.noiseFreeForTests(1)), state))
          .isInstanceOf(PrivacyConflictException.class)
          .hasMessageContaining("The restored state of stream seconds");
    }
  }

  @Test
  void rowsAfterTheLastReleaseCountAsReadAndNowhereElse() throws Exception {
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness = fold(EXACT);
    int offset = 0;
    for (int second : new int[] {4, 5, 8, 9, 20}) {
      OperatorFixture.sendRows(
          harness,
          new RowRecord(
              0,
              offset++,
              second * 1000L,
              true,
              Optional.empty(),
              Optional.of(ROW.getBytes(UTF_8))));
    }
    harness.endInput();
    List<CellMessage> sent = OperatorFixture.take(harness);
    assertThat(sent.stream().filter(m -> m.kind() == CellMessage.Kind.PARTIAL))
        .extracting(CellMessage::epoch)
        .containsOnly(5L, 8L);
    assertThat(sent.get(sent.size() - 1).offsets()).isEqualTo(Offsets.of(Map.of(0, 5L)));
    assertThat(operators.count("rowsAfterLastRelease")).isEqualTo(2);
    assertThat(operators.count("rows")).isEqualTo(2);
    assertThat(operators.count("rowsBeforeFirstEpoch")).isEqualTo(1);
    assertThat(harness.getSideOutput(DeadLetterOutputs.LATE)).isNull();
  }

  private OneInputStreamOperatorTestHarness<RowRecords, CellMessage> fold(
      SketchJobSettings settings, OperatorSubtaskState... state) throws Exception {
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness =
        new OneInputStreamOperatorTestHarness<>(
            new FoldOperator(settings),
            OperatorFixture.serializer(RowRecords.TYPE),
            operators.environment());
    harnesses.add(harness);
    OperatorFixture.open(harness, CellMessage.TYPE, state);
    return harness;
  }
}
