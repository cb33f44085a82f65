package io.gauze.audit;

import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import java.util.Arrays;

/**
 * Runs independent Gaussian noise on one of two states. The statistic is the log-likelihood ratio
 * {@code sum d_k (x_k - mean_k) / sigma_k^2}, where d is the difference of the states and mean
 * their mean. It is that of the noise before rounding, which differs by less than a thousandth.
 */
public final class AdditiveTrial implements Trial {
  /** Adds fresh noise to a state. */
  @FunctionalInterface
  public interface Noise {
    void add(long[] state, Entropy entropy);
  }

  private final Noise noise;
  private final long[][] states;
  private final double[] weights;
  private final double shift;
  private final long[] release;

  /**
   * Creates the trial.
   *
   * @param first the state of the first data set
   * @param second the state of the second data set, of the same length
   * @param scales the standard deviation of the noise in each entry
   * @param noise adds the noise
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

  /**
   * Creates a trial with noise of these standard deviations; the states may be those of several
   * releases, one after the other.
   */
  public static AdditiveTrial of(long[] first, long[] second, double[] scales, Noise noise) {
    return new AdditiveTrial(first, second, scales, noise);
  }

  /** As above, with noise of one standard deviation in all entries. */
  public static AdditiveTrial of(long[] first, long[] second, double sigma, Noise noise) {
    double[] scales = new double[first.length];
    Arrays.fill(scales, sigma);
    return new AdditiveTrial(first, second, scales, noise);
  }

  /** Creates a trial with noise of one law in every entry. */
  public static AdditiveTrial of(long[] first, long[] second, RoundedGaussian gaussian) {
    return of(
        first,
        second,
        gaussian.sigma(),
        (state, entropy) -> {
          for (int k = 0; k < state.length; k++) {
            state[k] += gaussian.sample(entropy);
          }
        });
  }

  /** Creates a trial with the noise of a mechanism as shipped. */
  public static AdditiveTrial of(long[] first, long[] second, AdditiveMechanism mechanism) {
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
