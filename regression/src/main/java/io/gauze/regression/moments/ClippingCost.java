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
  // A clipped row has the weight (bound / norm)^2. Unequal weights move a fit by the part of the
  // response that is not linear, which is a part of its variance, and the more the smaller weights
  // can be. Squared norms have longer tails than a normal law, so the cost falls with a power of
  // the distance between their mean and the bound.
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
    double often = Tuning.CLIPPING_COST * 2.0 * Math.log(longest / bound);
    double distance =
        SquaredNorms.of(input, clipping).deviations(bound * bound, longest * longest)
            / Tuning.CLIPPING_HALF;
    return distance > 0.0
        ? often / (1.0 + Math.pow(distance, Tuning.CLIPPING_POWER))
        : often; // NaN: no rows
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
    return diagonal.countsRows() && share - 2.0 * deviation > Tuning.MANY_SHORTENED
        ? Optional.of(FitMessage.CUT.of(100.0 * Math.min(1.0, share)))
        : Optional.empty();
  }
}
