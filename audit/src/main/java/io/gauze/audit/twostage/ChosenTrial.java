package io.gauze.audit.twostage;

import io.gauze.audit.Trial;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.noise.Entropy;

/**
 * Releases sums under transforms, bounds and a number of rounds that an adversary chooses from what
 * is public by then, and computes the log-likelihood ratio of all of them. The rows (c, c) and (c,
 * -c) become orthogonal ones of different norms, both longer than their bound: all sums change by
 * their whole sensitivity, whatever is chosen.
 */
final class ChosenTrial implements Trial {
  /** What a broken mechanism chooses from sums without noise, and publishes. */
  enum Exact {
    /** Nothing: a sound mechanism. */
    NOTHING,
    TRANSFORM,
    BOUND,
    ROUNDS
  }

  // T (c, x) = c (4, 3 + 5) or c (4, 3 - 5) for x = c and x = -c, or with -3 the other way round
  private static final double INTERCEPT = 4.0;
  private static final double SHIFT = 3.0;
  private static final double SLOPE = 5.0;

  private final Neighbouring<TwoStageMoments> both;
  private final Exact exact;

  /**
   * Creates a trial.
   *
   * @param both the second data set has the row (c, c), which the first one has not
   */
  ChosenTrial(Neighbouring<TwoStageMoments> both, Exact exact) {
    this.both = both;
    this.exact = exact;
  }

  @Override
  public double run(boolean inSecond, Entropy entropy) {
    RatedSums sums = TwoStageAudit.sums(both, inSecond, entropy);
    SymmetricMatrix encoded = sums.encoded();
    boolean isRight = chosen(Exact.TRANSFORM, inSecond, encoded.get(0, 1) > 0.0);
    RowTransform transform = transform(isRight, 1.0);
    long[] norms = sums.norms(transform, 1);
    boolean isTight = chosen(Exact.BOUND, inSecond, norms[norms.length / 2] > 0);
    boolean isLast = chosen(Exact.ROUNDS, inSecond, encoded.get(1, 1) > 0.0);
    long[] moments = sums.moments(transform(isRight, isTight ? 2.0 : 1.0), 1, isLast);
    if (!isLast) {
      RowTransform next = transform(moments[1] > 0, 1.0);
      sums.norms(next, 2);
      sums.moments(next, 2, true);
    }
    return switch (exact) {
      case NOTHING -> sums.ratio();
      case TRANSFORM -> seen(isRight);
      case BOUND -> seen(isTight);
      case ROUNDS -> seen(isLast);
    };
  }

  /** What is chosen from noisy sums, or, without noise, from whether the row is there. */
  private boolean chosen(Exact what, boolean isThere, boolean noisy) {
    return exact == what ? isThere : noisy;
  }

  /** The log-likelihood ratio of a choice that shows whether the row is there. */
  static double seen(boolean choice) {
    return choice ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  /**
   * Returns a transform under which the rows are orthogonal, one of which is longer.
   *
   * @param isRight whether that is (c, c)
   */
  static RowTransform transform(boolean isRight, double factor) {
    double shift = isRight ? SHIFT : -SHIFT;
    return RowTransform.of(2, 1, factor * INTERCEPT, factor * shift, factor * SLOPE);
  }
}
