package io.gauze.audit.papers;

/**
 * The log-likelihood ratio of r independent rows {@code N(0, diag(v))}, for two values of v. The
 * sums of squares of the columns are sufficient.
 */
final class CovarianceLoss {
  private final double[] weights;
  private final double shift;

  /**
   * Creates the ratio.
   *
   * @param rows r
   * @param first the variances of the columns on the first data set
   * @param second the variances on the second data set, equally many
   */
  CovarianceLoss(int rows, double[] first, double[] second) {
    weights = new double[first.length];
    double sum = 0.0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 0.5 * (1.0 / first[i] - 1.0 / second[i]);
      sum += 0.5 * rows * Math.log(second[i] / first[i]);
    }
    shift = sum;
  }

  /** Returns {@code ln(P2 / P1)}, given the sum of squares of each column. */
  double ratio(double... squares) {
    double ratio = -shift;
    for (int i = 0; i < squares.length; i++) {
      ratio += weights[i] * squares[i];
    }
    return ratio;
  }

  /** Returns {@code ln(P2 / P1)} of rows of two columns, one after the other. */
  double ratioOfRows(double[] rows) {
    double left = 0.0;
    double right = 0.0;
    for (int k = 0; k < rows.length; k += 2) {
      left += rows[k] * rows[k];
      right += rows[k + 1] * rows[k + 1];
    }
    return ratio(left, right);
  }
}
