package io.gauze.mechanism.descent;

/**
 * By what the features of a row are multiplied: the slope of a loss at the row's residual, in a
 * public unit, or 1. A public function of one row.
 */
public sealed interface RowWeight {
  /**
   * Replaces residuals by weights. O(D) time for each row, in a fixed order.
   *
   * @param columns the features, and the residuals at the last place
   * @param rows their number
   */
  void apply(double[][] columns, int rows);

  /**
   * The residual: the slope of its square.
   *
   * @param unit of gradients, positive
   */
  record OfSquares(double unit) implements RowWeight {
    @Override
    public void apply(double[][] columns, int rows) {
      double[] residuals = columns[columns.length - 1];
      for (int lane = 0; lane < rows; lane++) {
        residuals[lane] /= unit;
      }
    }
  }

  /**
   * The same weight for all rows, whose features are then counted by their norm.
   *
   * @param unit of norms, positive
   */
  record OfNothing(double unit) implements RowWeight {
    @Override
    public void apply(double[][] columns, int rows) {
      double weight = 1.0 / unit;
      double[] residuals = columns[columns.length - 1];
      for (int lane = 0; lane < rows; lane++) {
        residuals[lane] = weight;
      }
    }
  }

  /**
   * The slope of the loss of a quantile q, round up to a threshold k: {@code 2q - 1 + r / k},
   * within [2q - 2, 2q], over its largest size. Rows with features that are longer than a bound
   * weigh less, by these features alone, so that the norm of no gradient is above 1.
   *
   * @param quantile q, in (0, 1)
   * @param threshold k, positive
   * @param bound of features, positive
   */
  record OfQuantile(double quantile, double threshold, double bound) implements RowWeight {
    @Override
    public void apply(double[][] columns, int rows) {
      int last = columns.length - 1;
      double[] squares = new double[rows];
      for (int k = 0; k < last; k++) {
        double[] column = columns[k];
        for (int lane = 0; lane < rows; lane++) {
          squares[lane] += column[lane] * column[lane];
        }
      }
      double tilt = 2.0 * quantile - 1.0;
      double largest = 1.0 + Math.abs(tilt);
      double[] residuals = columns[last];
      for (int lane = 0; lane < rows; lane++) {
        double slope = tilt + Math.max(-1.0, Math.min(1.0, residuals[lane] / threshold));
        residuals[lane] = slope / (largest * Math.max(bound, Math.sqrt(squares[lane])));
      }
    }
  }
}
