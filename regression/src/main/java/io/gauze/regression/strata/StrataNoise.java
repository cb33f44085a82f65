package io.gauze.regression.strata;

import io.gauze.regression.FitRandom;
import java.util.ArrayList;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Symmetric Gaussian noise in moments of strata: independent entries on and above the diagonal.
 *
 * <p>Where a release also holds the moments of all rows, with a noise of their own, each stratum is
 * corrected by its part of the difference between them and the sum of the strata; this is the best
 * linear estimate. Then the noises of two strata are not independent.
 *
 * @param sigma standard deviation on the diagonal of a stratum before the correction, sigma / sqrt
 *     2 off it; 0 for none
 * @param strata K
 * @param totalSigma the same of the moments of all rows; infinite if there are none
 */
public record StrataNoise(double sigma, int strata, double totalSigma) {
  /** The noise of the sum of all strata: standard deviation on the diagonal. */
  public double pooledSigma() {
    double sum = sigma * Math.sqrt(strata);
    return totalSigma == Double.POSITIVE_INFINITY
        ? sum
        : sum * totalSigma / Math.hypot(sum, totalSigma);
  }

  /** Returns the part of the difference by which a stratum is corrected. */
  public double correction() {
    double total = totalSigma * totalSigma;
    return sigma * sigma / (strata * sigma * sigma + total);
  }

  /** Draws the noise of all strata, corrected, as matrices of the given size. */
  List<DMatrixRMaj> sampleAll(int size, FitRandom random) {
    List<DMatrixRMaj> all = new ArrayList<>();
    for (int k = 0; k < strata; k++) {
      all.add(sample(sigma, size, random));
    }
    if (totalSigma < Double.POSITIVE_INFINITY) {
      correct(all, sample(totalSigma, size, random));
    }
    return all;
  }

  /** Corrects sums by those of all rows. */
  void correct(List<DMatrixRMaj> sums, DMatrixRMaj total) {
    DMatrixRMaj apart = total.copy();
    sums.forEach(sum -> CommonOps_DDRM.subtractEquals(apart, sum));
    sums.forEach(sum -> CommonOps_DDRM.addEquals(sum, correction(), apart));
  }

  /** Returns the edge of the spectrum of the noise of all strata together: Wigner's semicircle. */
  double edge(int size) {
    return pooledSigma() * Math.sqrt(2.0 * size);
  }

  /** Draws a noise matrix of the given size. */
  private static DMatrixRMaj sample(double sigma, int size, FitRandom random) {
    DMatrixRMaj noise = new DMatrixRMaj(size, size);
    for (int i = 0; i < size; i++) {
      noise.set(i, i, sigma * random.nextGaussian());
      for (int j = i + 1; j < size; j++) {
        double entry = Math.sqrt(0.5) * sigma * random.nextGaussian();
        noise.set(i, j, entry);
        noise.set(j, i, entry);
      }
    }
    return noise;
  }
}
