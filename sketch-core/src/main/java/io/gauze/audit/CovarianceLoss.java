package io.gauze.audit;

/**
 * The log-likelihood ratio of r independent rows {@code N(0, diag(v))}, for two v. The sums of
 * squares of the columns are sufficient.
 */
final class CovarianceLoss {
  private final double[] weights;
  private final double shift;

  /**
   * The ratio.
   *
   * @param rows r
   * @param first the variances of the columns on the first data set; as many as the second's
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

  /** {@code ln(P2 / P1)}, given the sum of squares of each column. */
  double ratio(double... squares) {
    double ratio = -shift;
    for (int i = 0; i < squares.length; i++) {
      ratio += weights[i] * squares[i];
    }
    return ratio;
  }

  /** {@code ln(P2 / P1)} of rows of two columns, one after the other. */
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
