package io.gauze.audit;

import io.gauze.mechanism.Mechanism;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedLaplace;
import java.util.Arrays;

/**
 * Runs independent Laplace noise, rounded to whole numbers, on one of two states. The statistic is
 * the log-likelihood ratio.
 */
// round(X) is k with probability sinh(h) e^(-|k| / s), h = 1 / 2s, for k other than 0. It is 0 with
// probability 1 - e^-h, which is 2 / (e^h + 1) of the formula's value at k = 0. So the ratio is the
// sum of (|x - first| - |x - second|) / s, and of ln(2 / (e^h + 1)) for each number that equals
// the second state's, less those that equal the first's.
public final class LaplaceTrial implements Trial {
  private final AdditiveTrial.Noise noise;
  private final double scale;
  private final double atZero;
  private final long[] first;
  private final long[] second;
  private final long[] release;

  private LaplaceTrial(long[] first, long[] second, double scale, AdditiveTrial.Noise noise) {
    this.noise = noise;
    this.scale = scale;
    this.first = first.clone();
    this.second = second.clone();
    this.release = new long[first.length];
    double half = 0.5 / scale;
    this.atZero = Math.log(2.0) - half - Math.log1p(Math.exp(-half));
  }

  /**
   * Creates a trial with noise of one law in every entry.
   *
   * @param first the state of the first data set
   * @param second the state of the second data set, of the same length
   * @param noise the noise
   */
  public static LaplaceTrial of(long[] first, long[] second, RoundedLaplace noise) {
    return new LaplaceTrial(
        first,
        second,
        noise.scale(),
        (state, entropy) -> {
          for (int k = 0; k < state.length; k++) {
            state[k] += noise.sample(entropy);
          }
        });
  }

  /**
   * Creates a trial with the noise of a mechanism as shipped.
   *
   * @param first the states of one or more cells (group and epoch), one after the other
   * @param second the states on the second data set, of the same length
   * @param mechanism the mechanism
   * @param scale of its noise
   */
  public static LaplaceTrial of(long[] first, long[] second, Mechanism mechanism, double scale) {
    int length = mechanism.spec().stateLength();
    return new LaplaceTrial(
        first,
        second,
        scale,
        (state, entropy) -> {
          for (int from = 0; from < state.length; from += length) {
            long[] cell = Arrays.copyOfRange(state, from, from + length);
            mechanism.addNoise(cell, 0, entropy);
            System.arraycopy(cell, 0, state, from, length);
          }
        });
  }

  /** Returns a threshold just below the largest ratio. */
  public static double threshold(long[] first, long[] second, double scale) {
    double distance = 0.0;
    for (int k = 0; k < first.length; k++) {
      distance += Math.abs(first[k] - second[k]);
    }
    return distance / scale * (1.0 - 1e-9);
  }

  @Override
  public double run(boolean inSecond, Entropy entropy) {
    System.arraycopy(inSecond ? second : first, 0, release, 0, release.length);
    noise.add(release, entropy);
    long distance = 0;
    int hits = 0;
    for (int k = 0; k < release.length; k++) {
      long toFirst = Math.abs(release[k] - first[k]);
      long toSecond = Math.abs(release[k] - second[k]);
      distance += toFirst - toSecond;
      hits += (toSecond == 0 ? 1 : 0) - (toFirst == 0 ? 1 : 0);
    }
    return distance / scale + hits * atZero;
  }
}
