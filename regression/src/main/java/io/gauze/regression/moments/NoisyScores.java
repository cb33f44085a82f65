package io.gauze.regression.moments;

import io.gauze.linalg.Spectrum;
import io.gauze.regression.AndersonRubin;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The scores of noisy moments, which are noise at the coefficients of the rows, and their law.
 *
 * <p>Let G = M + E be the release, v the variance of the entries of E, and H = (G_xx + l P, G_xy).
 * The scores H u, u = (-b, 1), are E u where (M_xx + l P) b = M_xy. E is symmetric, so the noise of
 * G_xx is correlated with that of the scores in two ways. One is what the test of {@link
 * AndersonRubin} allows for. The other moves its least root where many directions have about the
 * size of the noise: on average the inverse of A + E is that of A - v tr((A + E)^-1) I. Direction k
 * of G_xx + l P, of eigenvalue g_k, gets its part of that back:
 *
 * <pre>  c_k = v sum over j /= k of 1 / (g_j + c_j).</pre>
 */
public final class NoisyScores {
  private static final int STEPS = 100;

  private final AdditiveLaw law;
  private final DMatrixRMaj raw;
  private final Spectrum spectrum; // of G_xx + l P
  private final double[] values; // g_k + c_k
  private final DMatrixRMaj matrix;

  /**
   * Creates the scores.
   *
   * @param raw the joint moments as they are released: projected to positive semidefinite ones the
   *     scores would not be 0 on average
   * @param ridge the diagonal of l P for a lambda that the user gave, else zeros
   */
  NoisyScores(AdditiveLaw law, DMatrixRMaj raw, double... ridge) {
    int features = ridge.length;
    this.law = law;
    this.raw = raw;
    this.matrix = CommonOps_DDRM.extract(raw, 0, features, 0, features + 1);
    for (int k = 0; k < features; k++) {
      matrix.add(k, k, ridge[k]);
    }
    this.spectrum = Spectrum.of(CommonOps_DDRM.extract(matrix, 0, features, 0, features));
    this.values = new double[features];
    double[] drift = drift();
    for (int k = 0; k < features; k++) {
      values[k] = spectrum.value(k) + drift[k];
      DMatrixRMaj direction = spectrum.vector(k);
      for (int i = 0; i < features; i++) {
        for (int j = 0; j < features; j++) {
          matrix.add(i, j, drift[k] * direction.get(i) * direction.get(j));
        }
      }
    }
  }

  private double variance() {
    return law.noise().offDiagonalVariance();
  }

  // The right side falls with the drift; half of each step keeps it from going to and fro.
  private double[] drift() {
    double least = Tuning.SCORE_DEVIATIONS * Math.sqrt(variance());
    double[] drift = new double[values.length];
    for (int step = 0; step < STEPS; step++) {
      double[] inverse = new double[drift.length];
      double sum = 0.0;
      for (int k = 0; k < drift.length; k++) {
        inverse[k] = variance() / Math.max(least, spectrum.value(k) + drift[k]);
        sum += inverse[k];
      }
      for (int k = 0; k < drift.length; k++) {
        drift[k] = 0.5 * (drift[k] + sum - inverse[k]);
      }
    }
    return drift;
  }

  /** Returns H with the drift, with a row for each feature. */
  DMatrixRMaj matrix() {
    return matrix;
  }

  // The covariance is v (|u|^2 I + b b') at the b of the rows. A fit draws b along a direction e
  // toward 0 where noise hides it. Without the ridge that a fit chooses, e'b is e'G_xy / (g + c),
  // with a standard deviation of sqrt(v) |u| / (g + c). It is taken for that and two deviations,
  // and for at most |u|.
  /**
   * Returns the covariance of the scores.
   *
   * @param weights u of the fit
   * @param residual the residual sum of squares
   */
  DMatrixRMaj covariance(DMatrixRMaj weights, double residual) {
    DMatrixRMaj covariance = law.covariance(raw, weights, residual);
    double norm2 = CommonOps_DDRM.dot(weights, weights);
    double[] free = free();
    double square = 1.0;
    for (double part : free) {
      square += part * part;
    }
    for (int k = 0; k < values.length; k++) {
      double most =
          Math.abs(free[k]) / Math.sqrt(square)
              + Tuning.SCORE_DEVIATIONS * Math.sqrt(variance()) / Math.abs(values[k]);
      double share = most < 1.0 ? most * most : 1.0; // of NaN, too
      DMatrixRMaj direction = spectrum.vector(k);
      double fitted = 0.0;
      for (int i = 0; i < values.length; i++) {
        fitted += direction.get(i) * weights.get(i);
      }
      double missing = Math.max(0.0, share * norm2 - fitted * fitted);
      CommonOps_DDRM.multAddTransB(variance() * missing, direction, direction, covariance);
    }
    return covariance;
  }

  /** Returns the coefficients without a ridge that the fit chose, along each direction. */
  private double[] free() {
    int features = values.length;
    double[] free = new double[features];
    for (int k = 0; k < features; k++) {
      DMatrixRMaj direction = spectrum.vector(k);
      for (int i = 0; i < features; i++) {
        free[k] += direction.get(i) * matrix.get(i, features) / values[k];
      }
    }
    return free;
  }
}
