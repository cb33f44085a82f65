package io.gauze.pipeline;

import static io.gauze.pipeline.CumulativeFixture.CELL;
import static io.gauze.pipeline.CumulativeFixture.EXACT;
import static io.gauze.pipeline.CumulativeFixture.FIRST;
import static io.gauze.pipeline.CumulativeFixture.NOISY;
import static io.gauze.pipeline.CumulativeFixture.RELEASES;
import static io.gauze.pipeline.CumulativeFixture.cut;
import static io.gauze.pipeline.CumulativeFixture.length;
import static io.gauze.pipeline.CumulativeFixture.partial;
import static io.gauze.pipeline.CumulativeFixture.sums;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Cumulative;
import io.gauze.pipeline.CumulativeFixture.Harness;
import io.gauze.pipeline.seal.AccumulateOperator;
import io.gauze.pipeline.seal.CellState;
import io.gauze.pipeline.seal.CumulativeReleases;
import io.gauze.stream.Block;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.JobMessage;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the state of a cumulative series holds from release to release, and what it must hold. */
final class CumulativeStateTest {
  private static final String RESTORE =
      JobMessage.BROKENSERIES.of("seconds").line() + " What is wrong: ";

  private static final AtomicReference<Optional<Harness>> WATCHED =
      new AtomicReference<>(Optional.empty());

  private final CumulativeFixture fixture = new CumulativeFixture();

  @AfterEach
  void close() throws Exception {
    WATCHED.set(Optional.empty());
    fixture.close();
  }

  private static MapState<Integer, byte[]> draws(Harness harness) throws Exception {
    return harness.held(CumulativeReleases.State.DRAWS);
  }

  private static void remove(Harness harness, int releaseIndex) throws Exception {
    draws(harness).remove(releaseIndex);
  }

  private static byte[] law(SketchJobSettings settings) {
    Cumulative series = (Cumulative) settings.plan().sketch(CELL.sketch()).mechanism();
    return series.noise(0, length()).law().toBytes();
  }

  private static SketchJobSettings epsilon(double epsilon) {
    return OperatorFixture.settings(
        OperatorFixture.plan(epsilon, 512, BudgetScope.cumulative(RELEASES)), EXACT.schedule());
  }

  @Test
  void aTurnAddsItsDrawsAndLeavesTheOthers() throws Exception {
    Harness harness = fixture.opened(NOISY);
    List<byte[]> written = new ArrayList<>();
    for (int releaseIndex = 0; releaseIndex < RELEASES - 1; releaseIndex++) {
      harness.send(cut(FIRST + releaseIndex));
      written.add(draws(harness).get(releaseIndex));
      assertThat(draws(harness).keys()).hasSize(releaseIndex + 1);
      for (int before = 0; before <= releaseIndex; before++) {
        assertThat(draws(harness).get(before)).hasSize(16 * length()).isSameAs(written.get(before));
      }
      assertThat(harness.held(CumulativeReleases.State.LAW).value()).isEqualTo(law(NOISY));
    }
    assertThat(harness.total()).as("no rows").isEqualTo(sums(0));
    harness.send(cut(FIRST + RELEASES - 1));
    assertThat(draws(harness).isEmpty()).isTrue();
    assertThat(harness.numKeyedStateEntries()).isZero();
  }

  /**
   * Several releases that are due at once need what is stored once: here it is gone by the second.
   */
  @Test
  void turnsThatAreDueAtOnceReadTheStateOnce() throws Exception {
    OperatorSubtaskState state = twoTurns(NOISY).snapshot(1, 1);
    Harness straight = fixture.restored(NOISY, state);
    straight.send(cut(7), cut(8));
    Harness harness = fixture.restored(NOISY.withProbe(CumulativeStateTest::forget), state);
    CellMessage waiting = OperatorFixture.cut(7, Map.of(0, 1L));
    CellMessage last = OperatorFixture.cut(8, Map.of(0, 1L));
    harness.send(waiting, last);
    assertThat(harness.sealed()).isEmpty();
    WATCHED.set(Optional.of(harness));
    harness.send(OperatorFixture.progress(Map.of(0, 1L)));
    assertThat(harness.sealed()).containsExactlyElementsOf(straight.sealed());
  }

  /** Before release 3, not before release 2. */
  private static void forget(FaultInjection.Step step) {
    WATCHED
        .get()
        .ifPresent(
            harness -> {
              Object current = harness.getOperator().getCurrentKey();
              try {
                if (draws(harness).contains(2)) {
                  remove(harness, 0);
                }
                harness.getOperator().setCurrentKey(current);
              } catch (Exception e) {
                throw new IllegalStateException(step.toString(), e);
              }
            });
  }

  /** Nothing of it stays in the operator: the next call reads the state. */
  @Test
  void laterCallsReadTheStateAgain() throws Exception {
    Harness harness = twoTurns(NOISY);
    remove(harness, 0);
    assertBroken(harness, 7, "it must hold the draws of release 1");
  }

  private Harness twoTurns(SketchJobSettings settings) throws Exception {
    Harness harness = fixture.opened(settings);
    harness.send(partial(5, 1), cut(5), cut(6));
    assertThat(harness.sealed()).hasSize(2);
    return harness;
  }

  private static void assertBroken(Harness harness, long epoch, String reason) {
    assertThatThrownBy(() -> harness.send(cut(epoch)))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageStartingWith(RESTORE + reason);
    assertThat(harness.sealed()).isEmpty();
  }

  /** A change of a state that two releases left. */
  private interface Damage {
    void on(Harness harness) throws Exception;
  }

  private static Arguments damage(String reason, Damage damage) {
    return Arguments.of(reason, Named.of("done", damage));
  }

  static Stream<Arguments> damages() {
    return Stream.of(
        damage("it must hold the sums", h -> h.held(CellState.TOTAL).clear()),
        damage(
            "it must hold all of the sums",
            h -> h.held(CellState.TOTAL).update(Block.of(new long[1], 0, 1))),
        damage("a block has version 2", h -> h.held(CellState.TOTAL).update(new byte[] {2})),
        damage("it must hold the law", h -> h.held(CumulativeReleases.State.LAW).clear()),
        damage(
            "length of bytes must be in [16",
            h -> h.held(CumulativeReleases.State.LAW).update(new byte[3])),
        damage("it must hold the draws of release 1", h -> draws(h).clear()),
        damage("it must hold the draws of release 1", h -> remove(h, 0)),
        damage("it must hold the draws of release 2", h -> remove(h, 1)),
        damage(
            "length of draws must be in ",
            h -> draws(h).put(1, Arrays.copyOf(draws(h).get(1), 16 * length() - 1))),
        damage(
            "it must hold the draws of no release from 3 on",
            h -> draws(h).put(2, draws(h).get(1))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void aStateThatContradictsItselfReleasesNothing(String reason, Damage damage) throws Exception {
    Harness harness = twoTurns(NOISY);
    damage.on(harness);
    assertBroken(harness, 7, reason);
  }

  @Test
  void turnsOutOfOrderReleaseNothing() throws Exception {
    assertBroken(twoTurns(NOISY), 8, "it must hold the draws of release 3");
    for (long cutBefore : new long[] {6, 5, 4}) {
      Harness harness = twoTurns(NOISY);
      harness.sealed();
      harness.send(cut(cutBefore));
      assertThat(harness.sealed()).isEmpty();
    }
  }

  /** Of another width, by a change of the plan that no fingerprint tells, or another K. */
  @Test
  void noiseOfAnotherLawDoesNotGoOn() throws Exception {
    OperatorSubtaskState state = twoTurns(NOISY).snapshot(1, 1);
    for (SketchJobSettings other :
        List.of(epsilon(1.001), CumulativeFixture.settings(RELEASES + 1, FIRST))) {
      Harness harness = fixture.restoredUnchecked(other, state);
      assertThatThrownBy(() -> harness.send(cut(7)))
          .isInstanceOf(PrivacyConflictException.class)
          .hasMessageStartingWith(
              "GZ-LAW: The restored state of stream seconds has noise of another distribution")
          .hasMessageContaining("Restore it with the version and config that made it");
      assertThat(harness.sealed()).isEmpty();
    }
    Harness near = fixture.restoredUnchecked(epsilon(1.0 + 1e-11), state);
    near.send(cut(7));
    assertThat(near.sealed()).hasSize(1);
  }

  @Test
  void aStartWithoutStateSaysWhetherTheSeriesIsComplete() {
    List<String> all = EXACT.releaseIds(FIRST, FIRST + RELEASES - 1);
    SketchJobSettings complete = EXACT.withPublished(Set.copyOf(all));
    assertThatThrownBy(() -> RequiredState.check(complete, false))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessage(JobMessage.COMPLETE.of("ledger", 4, "seconds").line());
    SketchJobSettings part = EXACT.withPublished(Set.copyOf(all.subList(1, all.size())));
    assertThatThrownBy(() -> RequiredState.check(part, false))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessage(JobMessage.SERIES.of("ledger", "seconds").line());
    assertThatCode(() -> RequiredState.check(complete, true)).doesNotThrowAnyException();
    assertThatCode(() -> RequiredState.check(EXACT, false)).doesNotThrowAnyException();
  }

  @Test
  void theLogSaysWhereLateRowsAre() {
    assertLate(EXACT, FIRST, "so they are in the next release: a clock");
    assertLate(EXACT, FIRST + 2, "so they are in the next release: a clock");
    assertLate(EXACT, FIRST + 3, "so they are in no release, since it was the last: a clock");
    SketchJobSettings table =
        OperatorFixture.settings(
            OperatorFixture.plan(1, 512, BudgetScope.keys(2)), OperatorFixture.SECONDS);
    assertLate(table, 0, "so they are in the next snapshot: a clock");
    assertLate(table, 1, "so they are in no snapshot, since it was the last: a clock");
    assertLate(OperatorFixture.small(), 1, "so they are in no release of it: a clock");
  }

  private static void assertLate(SketchJobSettings settings, long sealed, String text) {
    long epoch = settings.schedule().firstEpoch();
    assertThat(AccumulateOperator.lateRows(settings, epoch, sealed))
        .startsWith("Rows came for epoch 1970-01-01T00:00:0")
        .contains("after it was sealed, " + text);
  }
}
