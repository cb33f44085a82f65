package io.gauze.audit;

import io.gauze.privacy.Entropy;
import io.gauze.privacy.RoundedLaplace;

/**
 * Independent Laplace noise on one of two states. The statistic is the log-likelihood ratio {@code
 * sum (|x_k - first_k| - |x_k - second_k|) / scale}.
 */
final class LaplaceTrial implements Trial {
  private final RoundedLaplace noise;
  private final long[] first;
  private final long[] second;

  /**
   * The trial.
   *
   * @param first the state of the first data set; as long as the second
   */
  LaplaceTrial(long[] first, long[] second, RoundedLaplace noise) {
    this.noise = noise;
    this.first = first.clone();
    this.second = second.clone();
  }

  /** Just below the largest ratio, which it has with a chance of one in two to the entries. */
  static double threshold(long[] first, long[] second, RoundedLaplace noise) {
    double distance = 0.0;
    for (int k = 0; k < first.length; k++) {
      distance += Math.abs(first[k] - second[k]);
    }
    return distance / noise.scale() * (1.0 - 1e-9);
  }

  @Override
  public double run(boolean inSecond, Entropy entropy) {
    long[] truth = inSecond ? second : first;
    long distance = 0;
    for (int k = 0; k < truth.length; k++) {
      long entry = truth[k] + noise.sample(entropy);
      distance += Math.abs(entry - first[k]) - Math.abs(entry - second[k]);
    }
    return distance / noise.scale();
  }
}
