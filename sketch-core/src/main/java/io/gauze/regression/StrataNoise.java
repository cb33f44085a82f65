package io.gauze.regression;

import org.ejml.data.DMatrixRMaj;

/**
 * Symmetric Gaussian noise in moments of strata: independent entries on and above the diagonal.
 *
 * @param sigma standard deviation on the diagonal, sigma / sqrt 2 off it; 0 for none
 */
record StrataNoise(double sigma) {
  /** Returns the edge of the spectrum: Wigner's semicircle. */
  double edge(int size) {
    return sigma * Math.sqrt(2.0 * size);
  }

  /** Draws a noise matrix of the given size. */
  DMatrixRMaj sample(int size, FitRandom random) {
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
