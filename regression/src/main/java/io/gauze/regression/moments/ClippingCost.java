package io.gauze.regression.moments;

import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Clipping;
import java.util.Optional;

/**
 * What the clipping of rows does to fits of a release of noisy moments, as far as these tell it.
 *
 * @param input the moments
 * @param clipping how their rows were clipped
 */
record ClippingCost(NoisyMomentsInput input, Clipping clipping) {
  /**
   * The share of the squared bound from which on many rows were probably shortened. Where columns
   * are skewed, 19 % were at .77, a slope came out a fifth too small, and its interval missed.
   */
  private static final double MANY = 0.7;

  /**
   * What clipping costs where it clips many rows and features explain nothing, as a relative
   * excess, divided by how far the logarithm of the least weight of a row is below 0. A release
   * does not show it: it was right within a factor of 3 for 29 of 36 fits of ten data sets.
   */
  private static final double OFTEN = 3e-4;

  /** So many deviations beyond the mean of squared norms, clipping costs half of that. */
  private static final double HALF = 3.0;

  // A clipped row has the weight (bound / norm)^2. Unequal weights move a fit by the part of the
  // response that is not linear, which is a part of its variance, and the more the smaller weights
  // can be. Squared norms have longer tails than a normal law, so the cost falls with a power of
  // the distance between their mean and the bound: the fourth fits the reference data.
  /**
   * Returns what clipping is expected to cost, as a relative excess where the features explain
   * nothing: 0 if no row can be clipped. It can be a few times that, or hardly anything.
   */
  double excess() {
    double bound = clipping.bound();
    double longest = clipping.longest();
    if (!Double.isFinite(bound) || clipping.ranges().size() != input.dimension()) {
      return clipping.excess();
    }
    double often = OFTEN * 2.0 * Math.log(longest / bound);
    double distance =
        SquaredNorms.of(input, clipping).deviations(bound * bound, longest * longest) / HALF;
    return distance > 0.0 ? often / (1.0 + Math.pow(distance, 4.0)) : often; // NaN: no rows
  }

  /**
   * Returns a warning if many of the rows of a release were probably shortened together with the
   * response.
   *
   * @param response the encoded column that is explained
   */
  Optional<Message> warning(int response) {
    double bound = clipping.bound();
    if (clipping.responses().contains(response) || !Double.isFinite(bound)) {
      return Optional.empty();
    }
    NoisyDiagonal diagonal = NoisyDiagonal.of(input, clipping.responses());
    double share = diagonal.meanSquare() / (bound * bound);
    double deviation = diagonal.deviation() / (bound * bound);
    return diagonal.countsRows() && share - 2.0 * deviation > MANY
        ? Optional.of(FitMessage.CUT.of(100.0 * Math.min(1.0, share)))
        : Optional.empty();
  }
}
