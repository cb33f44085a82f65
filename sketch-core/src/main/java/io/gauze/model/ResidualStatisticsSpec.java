package io.gauze.model;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Grid;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * The public numbers of {@link ResidualStatistics}, and the noise that they decide. Of mu^2, for an
 * added row, the counts spend 3 %, the gradient 60 % and the Hessian 37 %; for a replaced row the
 * noise of each has these shares of its own largest change, and all of it is then as small as the
 * largest change of all three together allows.
 *
 * @param features p, the intercept included, in [1, 64]
 * @param featureBound B_x, in [1/64, 256]: no row's features are longer
 * @param mu of an epoch's statistics, in [0.003, 14]
 * @param neighbours the relation; under replace-one a row may also move to another cell
 */
public record ResidualStatisticsSpec(
    int features, double featureBound, double mu, Neighbours neighbours) implements Serializable {
  /** The largest number of features. */
  public static final int MOST_FEATURES = 64;

  public static final double LEAST_MU = 0.003;
  public static final double MOST_MU = 14.0;
  private static final double ROUNDED_UP = 1.0 + 0x1p-40;

  /** A count is a multiple of 2^-12. */
  public static final int COUNT_BITS = 12;

  /** Bits of a row's part of the gradient below the grid of the features. */
  static final int FINER_BITS = 12;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is out of range
   */
  public ResidualStatisticsSpec {
    Checks.within("features", features, 1, MOST_FEATURES);
    Checks.within("featureBound", featureBound, 0x1p-6, 0x1p8);
    Checks.within("mu", mu, LEAST_MU, MOST_MU);
    Objects.requireNonNull(neighbours, "neighbours");
  }

  /** Bits of the features after the binary point. */
  int gridBits() {
    return Grid.forRowBound(featureBound).fractionBits();
  }

  /** The step of an entry of the gradient, in the encoded scale. */
  public double gradientStep() {
    return Math.scalb(1.0, -gridBits() - FINER_BITS);
  }

  /** The step of an entry of the Hessian, in the encoded scale. */
  public double hessianStep() {
    return Math.scalb(1.0, -2 * gridBits());
  }

  private boolean replaces() {
    return neighbours == Neighbours.REPLACE_ONE;
  }

  /** The noise for mu = 1 if each part took its share of its own largest change. */
  private ResidualNoise apart() {
    double one = replaces() ? 2.0 : 1.0;
    return new ResidualNoise(
        features,
        Math.sqrt(one / Tuning.COUNTS),
        one * featureBound / Math.sqrt(Tuning.GRADIENT),
        featureBound * featureBound * Math.sqrt(one / Tuning.HESSIAN));
  }

  /** The noise, which is as wide as the largest change of all parts together needs. */
  public ResidualNoise noise() {
    double together =
        new ResidualSensitivity(featureBound, gradientStep(), Math.scalb(1.0, -gridBits()))
            .mu(neighbours, apart());
    return apart().times(ROUNDED_UP * together / mu);
  }

  /**
   * Returns the standard deviations of the noise in the entries of {@link
   * ResidualStatistics#numbers()}, in their steps.
   */
  public double[] sigmas() {
    ResidualNoise noise = noise();
    double[] sigmas = new double[entries()];
    Arrays.fill(sigmas, noise.hessian() / hessianStep() * Math.sqrt(0.5) * ROUNDED_UP);
    Arrays.fill(sigmas, 0, ResidualStatistics.BINS, Math.scalb(noise.counts(), COUNT_BITS));
    int from = ResidualStatistics.BINS + features;
    Arrays.fill(sigmas, ResidualStatistics.BINS, from, noise.gradient() / gradientStep());
    for (int row = 0; row < features; row++) {
      sigmas[from] = noise.hessian() / hessianStep();
      from += features - row;
    }
    return sigmas;
  }

  /** The number of entries that have noise. */
  public int entries() {
    return ResidualStatistics.BINS + features + triangle();
  }

  public int triangle() {
    return features * (features + 1) / 2;
  }
}
