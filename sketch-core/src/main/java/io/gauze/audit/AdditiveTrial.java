package io.gauze.audit;

import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import java.util.Arrays;

/**
 * Independent Gaussian noise on one of two states. The statistic is the log-likelihood ratio {@code
 * sum d_k (x_k - mean_k) / sigma_k^2}, d the difference of the states and mean their mean; that of
 * the noise before it is rounded, which differs by less than a thousandth.
 */
final class AdditiveTrial implements Trial {
  /** Adds fresh noise to a state. */
  @FunctionalInterface
  interface Noise {
    void add(long[] state, Entropy entropy);
  }

  private final Noise noise;
  private final long[][] states;
  private final double[] weights;
  private final double shift;
  private final long[] release;

  /**
   * The trial.
   *
   * @param first the state of the first data set; as long as the second
   * @param scales the standard deviation of the noise in each entry
   */
  private AdditiveTrial(long[] first, long[] second, double[] scales, Noise noise) {
    this.noise = noise;
    this.states = new long[][] {first, second};
    this.weights = new double[first.length];
    this.release = new long[first.length];
    double sum = 0.0;
    for (int k = 0; k < weights.length; k++) {
      weights[k] = (second[k] - first[k]) / (scales[k] * scales[k]);
      sum += 0.5 * weights[k] * (first[k] + second[k]);
    }
    shift = sum;
  }

  /** Noise of these standard deviations, of several releases perhaps, one after the other. */
  static AdditiveTrial of(long[] first, long[] second, double[] scales, Noise noise) {
    return new AdditiveTrial(first, second, scales, noise);
  }

  /** Noise of one law in every entry. */
  static AdditiveTrial of(long[] first, long[] second, RoundedGaussian gaussian) {
    double[] scales = new double[first.length];
    Arrays.fill(scales, gaussian.sigma());
    return new AdditiveTrial(
        first,
        second,
        scales,
        (state, entropy) -> {
          for (int k = 0; k < state.length; k++) {
            state[k] += gaussian.sample(entropy);
          }
        });
  }

  /** The noise of a mechanism that ships. */
  static AdditiveTrial of(long[] first, long[] second, AdditiveMechanism mechanism) {
    double[] scales = new double[first.length];
    for (int k = 0; k < scales.length; k++) {
      scales[k] = mechanism.noiseScale(k);
    }
    return new AdditiveTrial(
        first, second, scales, (state, entropy) -> mechanism.addNoise(state, 0, entropy));
  }

  @Override
  public double run(boolean second, Entropy entropy) {
    long[] truth = states[second ? 1 : 0];
    System.arraycopy(truth, 0, release, 0, release.length);
    noise.add(release, entropy);
    double ratio = -shift;
    for (int k = 0; k < release.length; k++) {
      ratio += weights[k] * release[k];
    }
    return ratio;
  }
}
