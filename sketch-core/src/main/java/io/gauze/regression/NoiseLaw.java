package io.gauze.regression;

import org.ejml.data.DMatrixRMaj;

/**
 * The law of the error E = G - M of released moments G around the moments M of the rows: mean 0,
 * symmetric. Any columns of the release have a law of the same kind.
 *
 * <p>Everything a fit says about the release's error follows from two covariances, those of {@code
 * E u} and of {@code u'E u} for a fixed vector u.
 */
sealed interface NoiseLaw permits AdditiveLaw, BucketLaw, InverseLaw {
  /**
   * The size of the part of the error that does not shrink with the moments: sigma sqrt m if that
   * part is N(0, sigma^2) on the diagonal and N(0, sigma^2 / 2) off it.
   *
   * @param size m, the number of columns
   */
  double unit(int size);

  /** Where the eigenvalues of E end if there are no rows at all, for E of the given size. */
  double edge(int size);

  /** What the largest eigenvalue of E exceeds once in a thousand if there are no rows at all. */
  double reach(int size);

  /**
   * The covariance of the first p entries of E u where u = (-b, 1) and b was fitted to G.
   *
   * @param moments M or an estimate, (p + 1) x (p + 1), positive semidefinite
   * @param u a column of p + 1 numbers
   * @param value u'M u or an estimate, at least 0
   */
  DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u, double value);

  /**
   * The standard deviation of u'E u.
   *
   * @param value u'M u or an estimate, at least 0
   * @param u a column
   */
  double deviation(double value, DMatrixRMaj u);

  /**
   * The rows' residual sum of squares.
   *
   * @param noisy u'G u for u = (-b, 1), b fitted to G
   * @param norm2 |u|^2
   */
  default double residual(double noisy, double norm2, int features) {
    return noisy;
  }

  /** One draw of E around the moments M, positive semidefinite. */
  DMatrixRMaj sample(DMatrixRMaj moments, FitRandom random);
}
