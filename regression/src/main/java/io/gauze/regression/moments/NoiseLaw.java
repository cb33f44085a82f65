package io.gauze.regression.moments;

import io.gauze.regression.FitRandom;
import org.ejml.data.DMatrixRMaj;

/**
 * The law of the error E = G - M of released moments G around the moments M of the rows: mean 0,
 * symmetric. Any columns of the release have a law of the same kind.
 *
 * <p>All statements of a fit about the error of the release follow from two covariances, those of
 * {@code E u} and of {@code u'E u} for fixed vectors u.
 */
public sealed interface NoiseLaw permits AdditiveLaw, BucketLaw, InverseLaw, TransformedLaw {
  /**
   * Returns the size of the part of the error that does not shrink with the moments: sigma sqrt m
   * if that part is N(0, sigma^2) on the diagonal and N(0, sigma^2 / 2) off it.
   *
   * @param size m, the number of columns
   */
  double unit(int size);

  /** Returns the edge of the spectrum of E without any rows, for E of the given size. */
  double edge(int size);

  /**
   * Returns the value that the largest eigenvalue of E exceeds with probability 0.001 without any
   * rows.
   */
  double reach(int size);

  /**
   * Returns moments in coordinates in which the noise has no direction, where {@link #edge} and
   * {@link #reach} hold: the moments themselves unless a transform gave it one.
   *
   * @param moments of the first columns of the law
   */
  default DMatrixRMaj isotropic(DMatrixRMaj moments) {
    return moments;
  }

  /**
   * Returns the covariance of the first p entries of E u where u = (-b, 1) and b was fitted to G.
   *
   * @param moments M or an estimate, (p + 1) x (p + 1), positive semidefinite
   * @param u a column of p + 1 numbers
   * @param value u'M u or an estimate, at least 0
   */
  DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u, double value);

  /**
   * Returns the standard deviation of u'E u.
   *
   * @param value u'M u or an estimate, at least 0
   * @param u a column
   */
  default double deviation(double value, DMatrixRMaj u) {
    return Math.sqrt(formCovariance(u, u, value));
  }

  /**
   * Returns the covariance of u'E u and v'E v.
   *
   * @param u a column
   * @param v a column
   * @param value u'M v or an estimate
   */
  double formCovariance(DMatrixRMaj u, DMatrixRMaj v, double value);

  /**
   * Returns the residual sum of squares of the rows.
   *
   * @param noisy u'G u for u = (-b, 1), b fitted to G
   * @param norm2 |u|^2
   * @param features p
   */
  default double residual(double noisy, double norm2, int features) {
    return noisy;
  }

  /** Draws E around the moments M and returns a positive semidefinite matrix. */
  DMatrixRMaj sample(DMatrixRMaj moments, FitRandom random);
}
