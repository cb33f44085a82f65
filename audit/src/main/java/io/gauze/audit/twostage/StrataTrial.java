package io.gauze.audit.twostage;

import io.gauze.audit.Trial;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.ResidualWeights;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.noise.Entropy;

/**
 * Releases sums under a transform, a bound and a model of the residual that an adversary chooses
 * from what is public by then, and computes the log-likelihood ratio of all of them. The rows (c,
 * c) and (c, -c) become orthogonal ones of different norms, both longer than their bound, and are
 * in different strata: all sums change by their whole sensitivity, whatever is chosen.
 */
final class StrataTrial implements Trial {
  /** What a broken mechanism chooses from sums without noise, and publishes. */
  enum Exact {
    /** Nothing: a sound mechanism. */
    NOTHING,
    TRANSFORM,
    BOUND,
    MODEL
  }

  private final Neighbouring<TwoStageStrata> both;
  private final Exact exact;

  /**
   * Creates a trial.
   *
   * @param both the second data set has the row (c, c), which the first one has not
   */
  StrataTrial(Neighbouring<TwoStageStrata> both, Exact exact) {
    this.both = both;
    this.exact = exact;
  }

  @Override
  public double run(boolean inSecond, Entropy entropy) {
    RatedStrata sums = new RatedStrata(both, inSecond, entropy);
    SymmetricMatrix encoded = sums.moments().encoded();
    boolean isRight = chosen(Exact.TRANSFORM, inSecond, encoded.get(0, 1) > 0.0);
    RowTransform transform = ChosenTrial.transform(isRight, 1.0);
    int rounds = encoded.get(1, 1) > 0.0 ? 1 : 2;
    if (rounds == 2) {
      sums.moments().norms(transform, 1);
      transform = ChosenTrial.transform(sums.moments().moments(transform, 1, false)[1] > 0, 1.0);
    }
    long[] norms = sums.moments().norms(transform, rounds);
    boolean isTight = chosen(Exact.BOUND, inSecond, norms[norms.length / 2] > 0);
    transform = ChosenTrial.transform(isRight, isTight ? 2.0 : 1.0);
    long[] moments = sums.moments().moments(transform, rounds, true);
    boolean isUp = chosen(Exact.MODEL, inSecond, moments[1] > 0);
    long weight = Math.round((isUp ? 2.0 : -2.0) / TwoStageRelease.UNIT);
    sums.strata(transform, ResidualWeights.of(both.mechanism().strata(), 0, weight));
    return switch (exact) {
      case NOTHING -> sums.ratio();
      case TRANSFORM -> ChosenTrial.seen(isRight);
      case BOUND -> ChosenTrial.seen(isTight);
      case MODEL -> ChosenTrial.seen(isUp);
    };
  }

  /** What is chosen from noisy sums, or, without noise, from whether the row is there. */
  private boolean chosen(Exact what, boolean isThere, boolean noisy) {
    return exact == what ? isThere : noisy;
  }
}
