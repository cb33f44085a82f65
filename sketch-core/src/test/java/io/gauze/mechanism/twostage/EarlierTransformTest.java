package io.gauze.mechanism.twostage;

import static io.gauze.mechanism.twostage.TwoStageFixture.NONE;
import static io.gauze.mechanism.twostage.TwoStageFixture.SCHEMA;
import static io.gauze.mechanism.twostage.TwoStageFixture.corner;
import static io.gauze.mechanism.twostage.TwoStageFixture.planned;
import static io.gauze.mechanism.twostage.TwoStageFixture.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.model.ModelRows;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Releases that begin with an earlier one, in place of a first stage of their own. */
final class EarlierTransformTest {
  private static final int ROWS = 20_000;
  private static final TwoStageMoments PLANNED =
      planned(SCHEMA, new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE), Map.of());
  private static final ModelRows CORNER = corner(PLANNED, ROWS);

  private static long[] after(long[] before, long epochs, ModelRows rows) {
    return PLANNED.numbers(
        PLANNED.sums(rows, NONE), Optional.of(PreviousRelease.of(before, epochs)));
  }

  private static double rounds(long... numbers) {
    return numbers[0] * TwoStageRelease.UNIT;
  }

  private static ModelRows rows(double... factors) {
    ModelRows rows = PLANNED.rows();
    corner(
        ROWS,
        row -> {
          for (int k = 1; k < row.length; k++) {
            row[k] = Math.max(-1.0, Math.min(1.0, factors[0] + factors[1] * row[k]));
          }
          PLANNED.add(rows, row);
        });
    return rows;
  }

  @Test
  void anEarlierReleaseTakesThePlaceOfTheRounds() {
    long[] first = PLANNED.fit(CORNER, NONE);
    assertThat(rounds(first)).isPositive();
    TwoStageFixture.Tape tape = new TwoStageFixture.Tape(PLANNED.sums(CORNER, NONE));
    long[] second = PLANNED.numbers(tape, Optional.of(PreviousRelease.of(first, 1)));
    assertThat(tape.questions).containsExactly("norms 0", "moments 0 last");
    assertThat(rounds(second)).isEqualTo(-1.0);
    assertThat(second).hasSize(PLANNED.payloadLength());
  }

  /** The moments that lead to a transform are those of shortened rows, so that happens once. */
  @Test
  void itsTransformIsMadeBetterOnceAndThenKept() {
    long[] first = PLANNED.fit(CORNER, NONE);
    long[] second = after(first, 1, CORNER);
    double[] third = transform(after(second, 1, CORNER));
    double[] before = transform(second);
    assertThat(DoubleStream.of(ratios(transform(first), before)))
        .anyMatch(ratio -> Math.abs(ratio - 1.0) > 0.01);
    for (double ratio : ratios(before, third)) {
      assertThat(ratio).isCloseTo(1.0, within(1e-6));
    }
  }

  private static double[] transform(long... numbers) {
    return values(Arrays.copyOfRange(numbers, 2, 2 + RowTransform.length(SCHEMA.dimension())));
  }

  /** The ratios of entries, over that of the first. */
  private static double[] ratios(double[] first, double[] second) {
    double[] ratios = new double[first.length];
    for (int k = 0; k < ratios.length; k++) {
      ratios[k] = first[k] == 0.0 ? 1.0 : second[k] / first[k] * first[0] / second[0];
    }
    return ratios;
  }

  /** After a day of hours rows are looked at anew. */
  @Test
  void aTransformIsUsedForADay() {
    long[] last = PLANNED.fit(CORNER, NONE);
    for (int epoch = 1; epoch <= EarlierTransform.MOST_AGE; epoch++) {
      last = after(last, 1, CORNER);
      assertThat(rounds(last)).isEqualTo(-epoch);
    }
    assertThat(rounds(after(last, 1, CORNER))).isPositive();
    long[] first = PLANNED.fit(CORNER, NONE);
    assertThat(rounds(after(first, 20, CORNER))).isEqualTo(-20.0);
    assertThat(rounds(after(after(first, 20, CORNER), 5, CORNER))).isPositive();
    assertThat(rounds(after(first, Long.MAX_VALUE, CORNER))).isPositive();
  }

  @Test
  void aReleaseThatSaysTooLittleIsNotUsed() {
    long[] few = PLANNED.fit(corner(PLANNED, 30), NONE);
    assertThat(rounds(after(few, 1, CORNER))).isPositive();
    long[] none = PLANNED.fit(PLANNED.rows(), NONE);
    assertThat(rounds(after(none, 1, CORNER))).isPositive();
  }

  /** The first release of other rows may be poor, the one after it looks at rows anew. */
  @Test
  void rowsThatHaveMovedAreLookedAtAnew() {
    long[] first = PLANNED.fit(CORNER, NONE);
    ModelRows moved = rows(-0.6, 1.0);
    long[] second = after(first, 1, moved);
    assertThat(rounds(second)).isEqualTo(-1.0);
    assertThat(rounds(after(second, 1, moved))).isPositive();
  }

  /** The residual of the response is no longer what the transform takes for one. */
  @Test
  void aSlopeThatHasChangedIsLookedAtAnew() {
    long[] second = after(PLANNED.fit(CORNER, NONE), 1, CORNER);
    ModelRows flipped = PLANNED.rows();
    corner(
        ROWS,
        row -> {
          row[3] = -row[3];
          PLANNED.add(flipped, row);
        });
    assertThat(rounds(after(after(second, 1, CORNER), 1, CORNER))).isEqualTo(-3.0);
    assertThat(rounds(after(after(second, 1, flipped), 1, flipped))).isPositive();
  }

  /** What noise hides, such as a column that is constant, is hidden from a new transform, too. */
  @Test
  void aConstantColumnKeepsItsTransform() {
    ModelRows rows = PLANNED.rows();
    corner(
        ROWS,
        row -> {
          row[2] = -0.3;
          PLANNED.add(rows, row);
        });
    long[] last = after(PLANNED.fit(rows, NONE), 1, rows);
    for (int epoch = 2; epoch < 6; epoch++) {
      last = after(last, 1, rows);
      assertThat(rounds(last)).isEqualTo(-epoch);
    }
  }

  /** Features that depended on each other do so no longer. */
  @Test
  void featuresThatAreNoLongerWhiteAreLookedAtAnew() {
    long[] second = after(close(0.02), 1, rowsOf(0.02));
    assertThat(rounds(after(after(second, 1, rowsOf(0.02)), 1, rowsOf(0.02)))).isEqualTo(-3.0);
    assertThat(rounds(after(after(second, 1, rowsOf(0.3)), 1, rowsOf(0.3)))).isPositive();
  }

  private static long[] close(double apart) {
    return PLANNED.fit(rowsOf(apart), NONE);
  }

  /** Rows whose second feature is the first one but for a part of it. */
  private static ModelRows rowsOf(double apart) {
    ModelRows rows = PLANNED.rows();
    corner(
        ROWS,
        row -> {
          row[2] = row[1] - 0.4 + apart * (row[2] + 0.3);
          PLANNED.add(rows, row);
        });
    return rows;
  }

  /** Transformed rows seem narrow where they are shortened: they say too little of long ones. */
  @Test
  void aReleaseThatCutMuchIsNotUsed() {
    long[] first = PLANNED.fit(CORNER, NONE);
    TransformedMoments payload =
        new TransformedMoments(4, 3, List.of(1.0, 1.0), 1.0, List.of(1.0, 1.0, 1.0));
    long[] tight = first.clone();
    tight[payload.boundAt()] /= 4;
    assertThat(rounds(after(tight, 1, CORNER))).isPositive();
  }

  @Test
  void brokenNumbersAreRefused() {
    long[] first = PLANNED.fit(CORNER, NONE);
    long[] noRounds = first.clone();
    noRounds[0] = 0;
    long[] old = first.clone();
    old[0] = (long) (-25 / TwoStageRelease.UNIT);
    long[] noBound = first.clone();
    noBound[1] = 0;
    long[] flat = first.clone();
    flat[2] = 0;
    for (long[] broken : List.of(noRounds, old, noBound, flat, Arrays.copyOf(first, 20))) {
      assertThatIllegalArgumentException().isThrownBy(() -> after(broken, 1, CORNER));
    }
  }
}
