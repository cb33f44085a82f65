package io.gauze.regression.strata;

import io.gauze.linalg.Spectrum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Estimates the covariance of the rows of each stratum of a residual from noisy ones.
 *
 * <p>The prior is the mean covariance V within strata, times a number of each stratum: rows of
 * large residuals often spread more in all columns. What remains is seen in the units of V, where
 * noise is large along the directions in which V is small, and each entry keeps the share that its
 * noise leaves. One share for all entries fills the small directions with noise, which is most of
 * the error of a fit.
 */
final class StrataCovariances {
  private final DMatrixRMaj common;
  private final int column;
  private final double[] rows;
  private final double sigma;
  private final double[] uniform; // the variance of a uniform law on each stratum
  private final Spectrum spectrum;
  private final int size;
  private final DMatrixRMaj in; // the axes of V over the roots of its eigenvalues, as columns
  private final DMatrixRMaj out; // the axes of V times the roots of its eigenvalues, as columns

  /**
   * Creates the prior.
   *
   * @param shape of the sums, whose axis is a residual
   * @param common V, m x m; row and column 0 are 0, the other eigenvalues positive
   * @param rows of each stratum, not below what its noise can be told from
   */
  StrataCovariances(StrataShrinkage.Shape shape, DMatrixRMaj common, double... rows) {
    this.common = common;
    this.column = shape.column();
    this.rows = rows.clone();
    this.sigma = shape.sigma();
    this.uniform = shape.ranges().stream().mapToDouble(StratumRange::uniformVariance).toArray();
    int columns = common.getNumRows();
    this.spectrum = Spectrum.of(CommonOps_DDRM.extract(common, 1, columns, 1, columns));
    this.size = columns - 1;
    this.in = new DMatrixRMaj(size, size);
    this.out = new DMatrixRMaj(size, size);
    for (int k = 0; k < size; k++) {
      DMatrixRMaj axis = spectrum.vector(k);
      double length = Math.sqrt(spectrum.value(k));
      for (int j = 0; j < size; j++) {
        in.set(j, k, axis.get(j) / length);
        out.set(j, k, axis.get(j) * length);
      }
    }
  }

  /** Returns the covariances of all strata, given noisy ones. */
  List<DMatrixRMaj> of(List<DMatrixRMaj> noisy) {
    double[] factors = factors(noisy);
    List<DMatrixRMaj> priors = new ArrayList<>();
    List<DMatrixRMaj> apart = new ArrayList<>();
    for (int k = 0; k < rows.length; k++) {
      double own = variance(k, noisy.get(k).get(column, column)) / common.get(column, column);
      DMatrixRMaj prior = scaled(Math.sqrt(factors[k]), Math.sqrt(own));
      DMatrixRMaj difference = new DMatrixRMaj(size + 1, size + 1);
      CommonOps_DDRM.subtract(noisy.get(k), prior, difference);
      priors.add(prior);
      apart.add(inUnits(difference));
    }
    double spread = spread(apart);
    List<DMatrixRMaj> covariances = new ArrayList<>();
    for (int k = 0; k < rows.length; k++) {
      covariances.add(mixed(k, priors.get(k), apart.get(k), spread));
    }
    return covariances;
  }

  /** The variance of the noise of an entry off the diagonal, in units of V. */
  private double noise(int k, int i, int j) {
    double deviation = sigma / rows[k];
    return 0.5 * deviation * deviation / (spectrum.value(i) * spectrum.value(j));
  }

  // With X the features' block of V, |X|^-2 <X, S_k> is the factor of stratum k, under noise of
  // deviation sigma / (n_k |X|). The factors' spread beyond the noise decides what is kept.
  private double[] factors(List<DMatrixRMaj> noisy) {
    double square = 0.0;
    double[] factors = new double[rows.length];
    for (int i = 1; i <= size; i++) {
      for (int j = 1; j <= size; j++) {
        double entry = i == column || j == column ? 0.0 : common.get(i, j);
        square += entry * entry;
        for (int k = 0; k < rows.length; k++) {
          factors[k] += entry * noisy.get(k).get(i, j);
        }
      }
    }
    if (square == 0.0) {
      Arrays.fill(factors, 1.0); // there is no other column
      return factors;
    }
    double spread = 0.0;
    double weights = 0.0;
    double[] noise = new double[rows.length];
    for (int k = 0; k < rows.length; k++) {
      factors[k] = factors[k] / square - 1.0;
      noise[k] = sigma * sigma / (rows[k] * rows[k] * square);
      spread += rows[k] * (factors[k] * factors[k] - noise[k]);
      weights += rows[k];
    }
    for (int k = 0; k < rows.length; k++) {
      factors[k] =
          Math.max(Tuning.LEAST_COVARIANCE, 1.0 + share(spread / weights, noise[k]) * factors[k]);
    }
    return factors;
  }

  // Residuals have a density that hardly changes within a stratum, so their variance is that of a
  // uniform law, which is better known than the noisy one. An open stratum has more of it, by what
  // is above the noise: d is kept by the share 1 - e^2 / d^2.
  private double variance(int k, double noisy) {
    double more = noisy - uniform[k];
    double noise = sigma / rows[k];
    boolean open = k == 0 || k == rows.length - 1;
    return open && more > noise ? uniform[k] + more - noise * noise / more : uniform[k];
  }

  private static double share(double spread, double noise) {
    return noise == 0.0 ? 1.0 : Math.max(0.0, spread) / (Math.max(0.0, spread) + noise);
  }

  /** Returns V with the features and the residual multiplied by a number each. */
  private DMatrixRMaj scaled(double features, double own) {
    DMatrixRMaj scaled = common.copy();
    for (int i = 1; i <= size; i++) {
      for (int j = 1; j <= size; j++) {
        double times = (i == column ? own : features) * (j == column ? own : features);
        scaled.set(i, j, times * common.get(i, j));
      }
    }
    return scaled;
  }

  /** Returns a matrix in the axes and units of V. */
  private DMatrixRMaj inUnits(DMatrixRMaj matrix) {
    DMatrixRMaj block = CommonOps_DDRM.extract(matrix, 1, size + 1, 1, size + 1);
    DMatrixRMaj half = new DMatrixRMaj(size, size);
    DMatrixRMaj whole = new DMatrixRMaj(size, size);
    CommonOps_DDRM.multTransA(in, block, half);
    CommonOps_DDRM.mult(half, in, whole);
    return whole;
  }

  // Entries on the diagonal have twice the variance, of the noise too. An entry counts the less,
  // the more its noise exceeds V.
  private double spread(List<DMatrixRMaj> apart) {
    double spread = 0.0;
    double weights = 0.0;
    for (int k = 0; k < rows.length; k++) {
      for (int i = 0; i < size; i++) {
        for (int j = 0; j <= i; j++) {
          double noise = noise(k, i, j);
          double weight = rows[k] / ((1.0 + noise) * (1.0 + noise));
          double entry = apart.get(k).get(i, j);
          spread += weight * ((i == j ? 0.5 : 1.0) * entry * entry - noise);
          weights += weight;
        }
      }
    }
    return spread / weights;
  }

  private DMatrixRMaj mixed(int k, DMatrixRMaj prior, DMatrixRMaj apart, double spread) {
    DMatrixRMaj kept = inUnits(prior);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        kept.add(i, j, share(spread, noise(k, i, j)) * apart.get(i, j));
      }
    }
    DMatrixRMaj positive = Spectrum.of(kept).map(value -> Math.max(value, Tuning.LEAST_COVARIANCE));
    DMatrixRMaj half = new DMatrixRMaj(size, size);
    DMatrixRMaj block = new DMatrixRMaj(size, size);
    CommonOps_DDRM.mult(out, positive, half);
    CommonOps_DDRM.multTransB(half, out, block);
    DMatrixRMaj covariance = new DMatrixRMaj(size + 1, size + 1);
    CommonOps_DDRM.insert(block, covariance, 1, 1);
    return covariance;
  }
}
