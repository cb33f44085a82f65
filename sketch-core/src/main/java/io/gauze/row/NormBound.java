package io.gauze.row;

import java.math.BigDecimal;

/**
 * Clips a row to the norm B and puts it on the grid, so that the norm of the integers is at most B
 * in exact arithmetic.
 *
 * <p>Only IEEE additions, multiplications, divisions and square roots in a fixed order: the same
 * integers on every machine.
 */
final class NormBound {
  // The computed norm may exceed the true one by D roundings, 2^-40 of it at most: such a row is
  // not clipped. The integer
  // check alone decides; at most one step is taken off.
  private static final double ROUNDING = 1.0 + 0x1p-40;

  private final double bound;
  private final double stepsPerUnit;
  private final long largestSquare;

  NormBound(double bound, Grid grid) {
    this.bound = bound;
    this.stepsPerUnit = 1.0 / grid.step();
    // exact: the bound in steps is a double at most 2^15
    this.largestSquare =
        new BigDecimal(bound * stepsPerUnit).pow(2).toBigInteger().longValueExact();
  }

  /** The largest squared norm of a row in grid steps: floor of (B * 2^g)^2. */
  long largestSquare() {
    return largestSquare;
  }

  /**
   * Fills {@code steps} from {@code row}; returns whether the row was longer than the bound. O(D).
   */
  boolean apply(double[] row, int[] steps) {
    double square = 0.0;
    for (double value : row) {
      square += value * value;
    }
    // No root for most rows: one of at most the bound's square is not above the bound either.
    boolean longer = square > bound * bound && StrictMath.sqrt(square) > bound * ROUNDING;
    double factor = longer ? bound / StrictMath.sqrt(square) : 1.0;
    long exact = 0;
    for (int i = 0; i < row.length; i++) {
      int q = (int) (row[i] * factor * stepsPerUnit); // toward zero
      steps[i] = q;
      exact += (long) q * q;
    }
    while (exact > largestSquare) { // the factor, or the norm, was rounded the wrong way
      exact -= shrinkLargest(steps);
    }
    return longer;
  }

  /**
   * Moves the entry of largest magnitude (the last of equals) one step toward zero; returns by how
   * much the square fell.
   */
  private static long shrinkLargest(int[] steps) {
    int largest = 0;
    for (int i = 1; i < steps.length; i++) {
      if (Math.abs(steps[i]) >= Math.abs(steps[largest])) {
        largest = i;
      }
    }
    long magnitude = Math.abs((long) steps[largest]);
    steps[largest] -= Integer.signum(steps[largest]);
    return 2 * magnitude - 1;
  }
}
