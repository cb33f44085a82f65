package io.gauze.regression.papers;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.regression.quantile.WeightedRows;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Corrects coefficients for the shrinkage that noise in the features causes, as far as it is
 * determined, and estimates the spread of the result over places in buckets and noise.
 */
final class L1Correction {
  private static final double MEAN_ABSOLUTE = Math.sqrt(2.0 / Math.PI);
  private static final double NEGLIGIBLE = 1e-13;

  private final DoubleVector coefficients;
  private final Spectrum spectrum;
  private final DMatrixRMaj scores;
  private final double noise;

  // Normal sums x and residuals r of standard deviation s_l in level l have
  //   E sign(r) x = sqrt(2/pi) E[r x] / s_l,
  // so the fit b solves A b = sum w x y / s_l with A = sum w x x' / s_l. The noise part of A is
  // C = c I, c = sigma^2 sum w / s_l. Without noise, (A - C) b0 = A b. An eigenvalue a of A is
  // treated as at most twice a - c: beyond that noise covers the signal.
  /**
   * Corrects the coefficients.
   *
   * @param rows the buckets, level by level
   * @param fit the coefficients on these rows
   * @param level number of buckets in a level
   * @param sigma of the noise in every entry
   */
  L1Correction(WeightedRows rows, DoubleVector fit, int level, double sigma) {
    int p = rows.columns();
    DMatrixRMaj a = new DMatrixRMaj(p, p);
    this.scores = new DMatrixRMaj(p, p);
    double c = 0.0;
    DMatrixRMaj x = new DMatrixRMaj(p, 1);
    for (int from = 0; from < rows.rows(); from += level) {
      double deviation = deviation(rows, fit, from, from + level);
      for (int k = from; k < from + level; k++) {
        for (int i = 0; i < p; i++) {
          x.set(i, rows.feature(k, i));
        }
        double weight = rows.weight(k);
        CommonOps_DDRM.multAddTransB(weight / deviation, x, x, a);
        CommonOps_DDRM.multAddTransB(weight * weight, x, x, scores);
        c += sigma * sigma * weight / deviation;
      }
    }
    this.noise = c;
    this.spectrum = Spectrum.of(a);
    DMatrixRMaj b = new DMatrixRMaj(p, 1);
    DMatrixRMaj factor = spectrum.map(value -> value > least() ? value / signal(value) : 1.0);
    CommonOps_DDRM.mult(factor, new DMatrixRMaj(fit.toArray()), b);
    this.coefficients = DoubleVector.of(b.getData());
  }

  private static double deviation(WeightedRows rows, DoubleVector fit, int from, int to) {
    double sum = 0.0;
    for (int k = from; k < to; k++) {
      double residual = rows.response(k);
      for (int i = 0; i < rows.columns(); i++) {
        residual -= fit.get(i) * rows.feature(k, i);
      }
      sum += Math.abs(residual);
    }
    return Math.max(sum / (to - from) / MEAN_ABSOLUTE, 1e-150);
  }

  private double signal(double value) {
    return Math.max(value - noise, 0.5 * value);
  }

  private double least() {
    return NEGLIGIBLE * Math.max(0.0, spectrum.largest());
  }

  DoubleVector coefficients() {
    return coefficients;
  }

  /** Returns the number of directions in which at least half of the buckets' spread is noise. */
  int weak() {
    return noise > 0.0 ? spectrum.below(2.0 * noise) : 0;
  }

  // H^-1 V H^-1, H = sqrt(2/pi) (A - C), V = sum w^2 x x' of the scores of absolute deviations.
  DMatrixRMaj covariance() {
    DMatrixRMaj inverse =
        spectrum.map(value -> value > least() ? 1.0 / (MEAN_ABSOLUTE * signal(value)) : 0.0);
    DMatrixRMaj half = new DMatrixRMaj(inverse.getNumRows(), inverse.getNumCols());
    DMatrixRMaj covariance = new DMatrixRMaj(inverse.getNumRows(), inverse.getNumCols());
    CommonOps_DDRM.mult(inverse, scores, half);
    CommonOps_DDRM.mult(half, inverse, covariance);
    return covariance;
  }

  double condition() {
    return spectrum.smallest() > least()
        ? spectrum.largest() / spectrum.smallest()
        : Double.POSITIVE_INFINITY;
  }
}
