package io.gauze.audit.twostage;

import io.gauze.audit.Trial;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.descent.DescentPlan;
import io.gauze.mechanism.descent.RowGradient;
import io.gauze.mechanism.descent.RowWeight;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.noise.Entropy;

/**
 * Releases sums under transforms, a number of rounds, a unit of gradients and models that an
 * adversary chooses from what is public by then, and computes the log-likelihood ratio of all of
 * them. The rows (c, c) and (c, -c) become orthogonal ones of different norms, whose gradients are
 * opposite and longer than 1: all sums change by their whole sensitivity, whatever is chosen.
 */
final class DescentTrial implements Trial {
  /** What a broken mechanism chooses from sums without noise, and publishes. */
  enum Exact {
    /** Nothing: a sound mechanism. */
    NOTHING,
    TRANSFORM,
    /** The unit of gradients of squares, or the threshold of other losses. */
    UNIT,
    MODEL
  }

  // T (c, x) is (2, 4) and (2, -1) for x = c = 0.5 and x = -c, or with -3 (2, 1) and (2, -4). The
  // gradient is 2 (z - 2 b), beyond 1 on its side for |b| <= 0.2. The slope of the median is that
  // of its side beyond a threshold of 0.5, and times a feature of 2 that is shortened to 1 it is 1.
  private static final double INTERCEPT = 4.0;
  private static final double SHIFT = 3.0;
  private static final double SLOPE = 5.0;
  private static final double MODEL = 0.2;

  private final Neighbouring<DescentModel> both;
  private final Exact exact;
  private final boolean isSquared;

  /**
   * Creates a trial.
   *
   * @param both the second data set has the row (c, c), which the first one has not
   */
  DescentTrial(Neighbouring<DescentModel> both, Exact exact) {
    this.both = both;
    this.exact = exact;
    this.isSquared = both.mechanism().loss().isSquared();
  }

  @Override
  public double run(boolean inSecond, Entropy entropy) {
    RatedDescent sums = new RatedDescent(both, inSecond, entropy);
    SymmetricMatrix encoded = sums.first().encoded();
    boolean isRight = chosen(Exact.TRANSFORM, inSecond, encoded.get(0, 1) > 0.0);
    RowTransform transform = transform(isRight);
    int rounds = encoded.get(1, 1) > 0.0 ? 1 : 2;
    if (rounds == 2) {
      sums.first().norms(transform, 1);
      transform = transform(sums.first().moments(transform, 1, false)[1] > 0);
    }
    RowWeight any = new RowWeight.OfSquares(1.0);
    long[] counts = sums.sizes(new RowGradient(transform, DoubleVector.of(0.0), any));
    if (!isSquared) {
      sums.residuals(transform);
      counts = sums.residuals(transform);
    }
    boolean isSmall = chosen(Exact.UNIT, inSecond, counts[counts.length / 2] > 0);
    double unit = isSmall ? 0.5 : 1.0;
    RowWeight weight =
        isSquared ? new RowWeight.OfSquares(unit) : new RowWeight.OfQuantile(0.5, 0.5 * unit, 1.0);
    boolean isAbove = false;
    for (int step = 0; step < DescentPlan.stepCount(); step++) {
      DoubleVector model = DoubleVector.of(step == 0 ? 0.0 : isAbove ? MODEL : -MODEL);
      long[] sum = sums.gradient(new RowGradient(transform, model, weight), rounds);
      isAbove = chosen(Exact.MODEL, inSecond, sum[0] > 0);
    }
    return switch (exact) {
      case NOTHING -> sums.ratio();
      case TRANSFORM -> seen(isRight);
      case UNIT -> seen(isSmall);
      case MODEL -> seen(isAbove);
    };
  }

  /** What is chosen from noisy sums, or, without noise, from whether the row is there. */
  private boolean chosen(Exact what, boolean isThere, boolean noisy) {
    return exact == what ? isThere : noisy;
  }

  private static double seen(boolean choice) {
    return choice ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  private static RowTransform transform(boolean isRight) {
    return RowTransform.of(2, 1, INTERCEPT, isRight ? SHIFT : -SHIFT, SLOPE);
  }
}
