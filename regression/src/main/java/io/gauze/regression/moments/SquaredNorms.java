package io.gauze.regression.moments;

import io.gauze.regression.Clipping;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The law of the squared norms of the rows of a release, as far as second moments tell it: for
 * normal columns, but no entry of a row is beyond the end of its range. So the square of a code,
 * whose values are the ends, does not vary.
 *
 * @param mean of the part of a row that is clipped together
 * @param deviation the standard deviation
 */
public record SquaredNorms(double mean, double deviation) {
  public static SquaredNorms of(NoisyMomentsInput input, Clipping clipping) {
    int[] columns = new int[input.dimension() - clipping.responses().size()];
    int next = 0;
    for (int i = 0; i < input.dimension(); i++) {
      if (!clipping.responses().contains(i)) {
        columns[next++] = i;
      }
    }
    double rows = input.moments().get(0, 0) / (input.intercept() * input.intercept());
    DMatrixRMaj squares = input.moments().select(columns);
    CommonOps_DDRM.scale(1.0 / rows, squares);
    double[] shares = new double[columns.length];
    for (int i = 1; i < columns.length; i++) {
      double square = squares.get(i, i);
      double most =
          square * Math.max(0.0, clipping.ranges().get(columns[i]).largestSquare() - square);
      double normal = covariance(squares, i, i);
      shares[i] = normal > most ? Math.sqrt(most / normal) : 1.0;
    }
    double variance = 0.0;
    for (int i = 1; i < columns.length; i++) {
      for (int j = 1; j < columns.length; j++) {
        variance += shares[i] * shares[j] * covariance(squares, i, j);
      }
    }
    return new SquaredNorms(CommonOps_DDRM.trace(squares), Math.sqrt(variance));
  }

  // Of squares of normal variables with means m and covariance c:
  //   Cov(x^2, y^2) = 2 c^2 + 4 m_x m_y c.
  private static double covariance(DMatrixRMaj squares, int i, int j) {
    double means = squares.get(0, i) * squares.get(0, j) / squares.get(0, 0);
    double c = squares.get(i, j) - means;
    return 2.0 * c * c + 4.0 * means * c;
  }

  /**
   * Returns how many standard deviations a squared norm is above the mean, for a law that ends at
   * the longest row: infinitely many there.
   */
  double deviations(double square, double longest) {
    double above = (square - mean) / deviation;
    return above / Math.max(0.0, 1.0 - (square - mean) / (longest - mean));
  }
}
