package io.gauze.model;

import io.gauze.linalg.DoubleVector;
import java.util.function.Consumer;

/**
 * The moments of rows that are weighted by their residuals under a public model, in exact integers.
 *
 * <p>A row's weight is {@code w = tau / max(tau, |y - u'theta|)}. Its entries are multiplied by
 * {@code sqrt w} and rounded toward zero on the grid, and the integer products of the result are
 * added up. So what a row adds is positive semidefinite and of rank one, and the row behind it is
 * nowhere longer than the row itself. How exactly the weight is computed does not matter: it is in
 * [0, 1] and depends on the row and on public numbers alone.
 */
final class WeightedMoments {
  private final IrlsSpec spec;
  private final int gridBits;

  WeightedMoments(IrlsSpec spec, int gridBits) {
    this.spec = spec;
    this.gridBits = gridBits;
  }

  /**
   * Returns the upper triangle of features and response, row by row, in steps of {@code 4^-bits}.
   * O(n p^2) time.
   *
   * @param model the public model; all weights are 1 where the threshold is infinite
   * @param threshold tau
   */
  // An entry is at most 2^15 steps, a sum of 2^31 products 2^61; noise is below 2^50.
  long[] of(ModelRows rows, DoubleVector model, double threshold) {
    Sum sum = new Sum(rows.gridBits(), model, threshold);
    rows.forEach(sum);
    return sum.upper;
  }

  private final class Sum implements Consumer<ModelRows.Block> {
    private final int p = spec.features();
    private final long[] upper = new long[(p + 1) * (p + 2) / 2];
    private final long[] row = new long[p + 1];
    private final double[] theta;
    private final double threshold;
    private final double featureStep;
    private final double toGrid;
    private final double responseToGrid = Math.scalb(1.0, gridBits - FixedPointScore.BITS);
    private final long largest = (long) Math.floor(spec.responseBound() * FixedPointScore.UNITS);

    Sum(int rowBits, DoubleVector model, double threshold) {
      this.theta = model.toArray();
      this.threshold = threshold;
      featureStep = Math.scalb(1.0, -rowBits);
      toGrid = Math.scalb(1.0, gridBits - rowBits);
    }

    @Override
    public void accept(ModelRows.Block block) {
      for (int i = 0; i < block.rows(); i++) {
        long response = Math.max(-largest, Math.min(largest, block.responses[i]));
        double residual = response / FixedPointScore.UNITS;
        for (int j = 0; j < p; j++) {
          residual -= block.features[i * p + j] * featureStep * theta[j];
        }
        double root = root(Math.abs(residual), threshold);
        for (int j = 0; j < p; j++) {
          row[j] = (long) (root * block.features[i * p + j] * toGrid);
        }
        row[p] = (long) (root * response * responseToGrid);
        addSquare(upper, row);
      }
    }
  }

  /** Returns the root of a weight, in [0, 1] whatever the residual. */
  static double root(double residual, double threshold) {
    return residual > threshold ? Math.min(1.0, Math.sqrt(threshold / residual)) : 1.0;
  }

  private static void addSquare(long[] upper, long... row) {
    int next = 0;
    for (int i = 0; i < row.length; i++) {
      long factor = row[i];
      for (int j = i; j < row.length; j++) {
        upper[next++] += factor * row[j];
      }
    }
  }
}
