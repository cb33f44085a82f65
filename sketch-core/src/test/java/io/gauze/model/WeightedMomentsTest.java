package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WeightedMomentsTest {
  private static final IrlsSpec SPEC =
      new IrlsSpec(
          2,
          1.0,
          1.0,
          0.25,
          3,
          new IrlsNoise.Gaussian(new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE)));

  private static long[] of(int bits, DoubleVector model, double[]... rows) {
    ModelRows list = ModelRows.create(2, 1.0);
    for (double[] row : rows) {
      list.add(new double[] {row[0], row[1]}, row[2]);
    }
    return new WeightedMoments(SPEC, bits).of(list, model, SPEC.threshold());
  }

  /** A residual of 1 under a threshold of 1/4: the weight is 1/4, the row is halved. */
  @Test
  void rowsAreMultipliedByTheRootOfTheirWeight() {
    DoubleVector model = DoubleVector.of(1.0, 0.0);
    double[] far = {-0.5, 0.25, 0.5};
    double[] near = {0.5, -0.5, 0.625};

    assertThat(of(4, model, far)).containsExactly(16, -8, -16, 4, 8, 16);
    assertThat(of(4, model, near)).containsExactly(64, -64, 80, 64, -80, 100);
    assertThat(of(4, model, far, near)).containsExactly(80, -72, 64, 68, -72, 116);
    assertThat(of(4, model)).containsOnly(0L);
  }

  /** The row is rounded toward zero, and its products are whole: of rank one, not nearly. */
  @Test
  void entriesAreRoundedTowardZeroBeforeTheyAreMultiplied() {
    DoubleVector model = DoubleVector.of(0.0, 0.0);
    long[] upper = of(3, model, new double[] {0.7, -0.6, 0.2});
    assertThat(upper).containsExactly(25, -20, 5, 16, -4, 1);
  }

  /** Responses beyond their bound are clamped; a model may be as large as it likes. */
  @ParameterizedTest
  @ValueSource(doubles = {0.0, 1e9, -1e300, Double.MAX_VALUE})
  void farResponsesAndWildModelsCannotAddMoreThanARow(double coefficient) {
    long[] upper =
        of(10, DoubleVector.of(coefficient, -coefficient), new double[] {0.6, 0.8, 200.0});
    assertThat(upper[5]).isBetween(0L, 1L << 20);
    assertThat(upper[0] + upper[3]).isBetween(0L, 1L << 20);
    assertThat(of(10, DoubleVector.of(0.0, 0.0), new double[] {0.0, 0.0, -200.0})[5])
        .isEqualTo(1L << 18);
  }

  @Test
  void rootsAreInTheUnitInterval() {
    assertThat(WeightedMoments.root(0.0, 0.25)).isEqualTo(1.0);
    assertThat(WeightedMoments.root(0.25, 0.25)).isEqualTo(1.0);
    assertThat(WeightedMoments.root(1.0, 0.25)).isEqualTo(0.5);
    assertThat(WeightedMoments.root(Math.nextUp(0.3), 0.3)).isLessThanOrEqualTo(1.0);
    assertThat(WeightedMoments.root(Double.POSITIVE_INFINITY, 0.25)).isZero();
    assertThat(WeightedMoments.root(Double.NaN, 0.25)).isEqualTo(1.0);
    assertThat(WeightedMoments.root(3.0, 0.25)).isCloseTo(Math.sqrt(1.0 / 12.0), within(1e-15));
  }
}
