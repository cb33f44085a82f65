package io.gauze.model;

import io.gauze.accounting.Budget;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import java.io.Serializable;
import java.util.Objects;

/**
 * The public numbers of a private iteratively reweighted fit. Immutable.
 *
 * @param features p, the intercept included, in [1, 512]
 * @param featureBound B_x, in [1/64, 256]: no row's features are longer
 * @param responseBound B_y, in [B_x / 16, 16 B_x] and at most 256: responses are clamped to it
 * @param threshold tau, in [2^-20, 2^10]: a row of residual r weighs {@code tau / max(tau, |r|)}
 * @param rounds J, in [1, 100]; the first has weights of 1, so that one round is least squares
 * @param noise its law, and the promise
 */
public record IrlsSpec(
    int features,
    double featureBound,
    double responseBound,
    double threshold,
    int rounds,
    IrlsNoise noise)
    implements Serializable {
  /** The default number of rounds. */
  public static final int ROUNDS = 3;

  /** The default threshold, in the encoded scale of the response. */
  public static final double THRESHOLD = 0.1;

  private static final double LARGEST_BOUND = 256.0;
  private static final double LARGEST_RATIO = 16.0;
  private static final int MOST_FEATURES = Math.min(512, Dimensions.MOST_CELLS);
  private static final int MOST_ROUNDS = 100;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is out of range
   */
  public IrlsSpec {
    Checks.within("features", features, 1, MOST_FEATURES);
    Checks.within("featureBound", featureBound, 0x1p-6, LARGEST_BOUND);
    Checks.within(
        "responseBound",
        responseBound,
        featureBound / LARGEST_RATIO,
        Math.min(LARGEST_BOUND, LARGEST_RATIO * featureBound));
    Checks.within("threshold", threshold, ModelLoss.LEAST_THRESHOLD, 1024.0);
    Checks.within("rounds", rounds, 1, MOST_ROUNDS);
    Objects.requireNonNull(noise, "noise");
  }

  /**
   * Returns the defaults: Gaussian noise, three rounds, a threshold of 0.1, responses in [-1, 1].
   *
   * @param features p, the intercept included
   * @param featureBound B_x; {@link ObjectiveSpec#defaultFeatureBound} serves here too
   */
  public static IrlsSpec of(int features, double featureBound, Budget budget) {
    return new IrlsSpec(
        features, featureBound, 1.0, THRESHOLD, ROUNDS, new IrlsNoise.Gaussian(budget));
  }

  /** Returns a copy with other noise. */
  public IrlsSpec withNoise(IrlsNoise other) {
    return new IrlsSpec(features, featureBound, responseBound, threshold, rounds, other);
  }

  /** Returns a copy with another number of rounds. */
  public IrlsSpec withRounds(int other) {
    return new IrlsSpec(features, featureBound, responseBound, threshold, other, noise);
  }

  /** Returns a copy with another threshold. */
  public IrlsSpec withThreshold(double other) {
    return new IrlsSpec(features, featureBound, responseBound, other, rounds, noise);
  }
}
