package io.gauze.regression.strata;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.Clipping;
import java.util.ArrayList;
import java.util.List;

/**
 * Estimates how much the rows of each stratum were shortened.
 *
 * <p>Shortened rows have the length of the bound, B, others are shorter: so a stratum contains at
 * least as many rows as the trace of its moments over B^2. The intercept column counts a shortened
 * row by f^2 only, f the factor by which it was shortened. If that count is smaller, the ratio of
 * both is an estimate of the mean of f^2.
 */
final class StratumClipping {
  private final ReleasedStrata input;
  private final Clipping clipping;

  private StratumClipping(ReleasedStrata input, Clipping clipping) {
    this.input = input;
    this.clipping = clipping;
  }

  /** Returns the ranges of the strata that can contain rows. */
  static List<StratumRange> ranges(ReleasedStrata input, Clipping clipping) {
    List<Integer> possible = input.possible();
    if (!Double.isFinite(clipping.bound())) {
      return possible.stream().map(input::range).toList();
    }
    StratumClipping lengths = new StratumClipping(input, clipping);
    double count = possible.stream().mapToDouble(lengths::count).sum();
    double length = possible.stream().mapToDouble(lengths::length).sum();
    double noise = Math.sqrt(possible.size()) * lengths.lengthNoise();
    boolean isShortened = length - count > 2.0 * noise && count > 0.0;
    double pooled = isShortened ? Math.max(Tuning.LEAST_SHARE, count / length) : 1.0;
    List<StratumRange> ranges = new ArrayList<>();
    for (int k : possible) {
      ranges.add(input.range(k).shortened(isShortened ? lengths.share(k, pooled) : 1.0));
    }
    return ranges;
  }

  private double share(int k, double pooled) {
    double length = Math.max(length(k), lengthNoise());
    if (!(length > 0.0)) {
      return pooled;
    }
    double deviation = Math.hypot(lengthNoise(), countNoise()) / length;
    double prior = Tuning.PRIOR_OF_SHARES * Tuning.PRIOR_OF_SHARES;
    double weight = prior / (prior + deviation * deviation);
    double share = count(k) / length;
    return Math.min(1.0, Math.max(Tuning.LEAST_SHARE, weight * share + (1.0 - weight) * pooled));
  }

  /** The number of rows by the intercept column. */
  private double count(int k) {
    return input.moments(k).get(0, 0) / (input.intercept() * input.intercept());
  }

  private double countNoise() {
    return input.sigma() / (input.intercept() * input.intercept());
  }

  /** The number of rows by their length, if all had that of the bound. */
  private double length(int k) {
    SymmetricMatrix moments = input.moments(k);
    double trace = 0.0;
    for (int j = 0; j < input.dimension(); j++) {
      trace += clipping.responses().contains(j) ? 0.0 : moments.get(j, j);
    }
    return trace / (clipping.bound() * clipping.bound());
  }

  private double lengthNoise() {
    int bounded = input.dimension() - clipping.responses().size();
    return input.sigma() * Math.sqrt(bounded) / (clipping.bound() * clipping.bound());
  }
}
