package io.gauze.accounting;

import io.gauze.accounting.PldComposition.Term;
import io.gauze.internal.Bisection;
import java.util.List;

/**
 * A plan for computing a sum of losses near one epsilon: the lattice, the window and the tilt. It
 * decides accuracy and cost, not validity. Immutable.
 *
 * @param step of the lattice
 * @param most losses of single mechanisms above this count as infinite
 * @param tilt theta, above 0: masses at a loss x are multiplied by {@code exp(theta x)}
 * @param epsilon near which delta is wanted
 * @param bottom the least loss in the window
 * @param top the largest loss in the window
 * @param tail the s of the Chernoff bound on the mass above the window
 */
// delta(epsilon) = (1 / 2 pi i) int e^(K(s) - s epsilon) / (s (s + 1)) ds over a line of constant
// real part theta > 0, K = ln E e^(s L). The best theta is the saddle point on the real line, where
// K'(theta) - 1/theta - 1/(theta + 1) = epsilon; the left side rises with theta.
record PldDiscretization(
    double step, double most, double tilt, double epsilon, double bottom, double top, double tail) {
  /** The largest number of points in the window. */
  private static final int MOST_POINTS = 1 << 18;

  /** The relative amount that the lattice may add to delta, see {@link PrivacyLossDistribution}. */
  private static final double ERROR = 1e-4;

  private static final double COARSE_ERROR = 0.05;
  private static final double LONGEST_STEP = 0.5;

  /**
   * The mass outside of the window is below the result by at least this much, in natural
   * logarithms.
   */
  private static final double MARGIN = 20.0;

  /** The range in which the tilt is searched, in units of the reciprocal size of the sum. */
  private static final double STEEPEST = 200.0;

  private static final double FLATTEST = 0.01;

  /**
   * A tilt that is steep enough for the bulk of the sum, in units of the reciprocal size of the
   * sum.
   */
  private static final double STEEP = 6.0;

  private static final int ROUNDS = 8;
  private static final int BISECTIONS = 12;

  /** Creates a plan for deltas near an epsilon of at least 0. */
  static PldDiscretization atEpsilon(PldComposition sum, double epsilon) {
    return of(sum, mostAt(sum, epsilon), saddle -> saddle.epsilon() < epsilon);
  }

  /** Creates a plan for epsilons near a delta in (0, 1). */
  static PldDiscretization atDelta(PldComposition sum, double delta) {
    return of(
        sum,
        Double.POSITIVE_INFINITY,
        saddle -> Math.exp(saddle.logDelta()) + saddle.infinite() > delta);
  }

  /** Checks whether a new plan, made for the other epsilon, would be more accurate there. */
  boolean isFarFrom(PldComposition sum, double other) {
    return Math.abs(other - epsilon) * Math.max(tilt, STEEP / sum.size()) > 1.0
        || (most == Double.POSITIVE_INFINITY && sum.largest() > mostAt(sum, other));
  }

  // Wishart noise, alone among the supported laws, may have a tail so heavy that no tilt suits both
  // the tail and the bulk. A loss L far above epsilon acts like an infinite one, up to a share of
  // e^(epsilon - L - the sum of the others), and that sum is hardly below -3 size. So counting such
  // losses as infinite increases their part of delta by about 3e-4 of it at most.
  private static double mostAt(PldComposition sum, double epsilon) {
    return epsilon + 8.0 + 3.0 * sum.size();
  }

  private interface Before {
    boolean test(Saddle saddle);
  }

  private static PldDiscretization of(PldComposition sum, double most, Before before) {
    double flat = 1.0 / sum.size();
    double least = Math.min(LONGEST_STEP, sum.shortestStep(most));
    double step = Math.min(LONGEST_STEP, step(COARSE_ERROR, sum.splits(), flat));
    step = Math.max(least, step);
    for (int round = 1; ; round++) {
      List<Term> terms = sum.lattices(step, most);
      Saddle saddle = solve(terms, flat, before);
      double wanted = Math.max(least, step(COARSE_ERROR, sum.splits(), saddle.tilt()));
      if (step <= 2.0 * wanted || round == ROUNDS) {
        return window(sum, most, terms, saddle, least);
      }
      step = wanted;
    }
  }

  /** Returns the step at which all splits together add at most {@code error} to the log-moment. */
  private static double step(double error, int splits, double tilt) {
    return Math.sqrt(8.0 * error / (splits * tilt * (tilt + 1.0)));
  }

  private static Saddle solve(List<Term> terms, double flat, Before before) {
    double low = flat;
    double high = flat;
    while (high < STEEPEST * flat && before.test(Saddle.of(terms, high))) {
      low = high;
      high *= 2.0;
    }
    while (low > Math.min(FLATTEST, flat / STEEPEST) && !before.test(Saddle.of(terms, low))) {
      high = low;
      low *= 0.5;
    }
    Bisection ends =
        new Bisection(low, high)
            .narrowLog(BISECTIONS, wide -> true, tilt -> !before.test(Saddle.of(terms, tilt)));
    return Saddle.of(terms, ends.holds());
  }

  // Chernoff: P(L > x) <= e^(K(s) - s x) for s > 0, and under the tilt
  // P(L < x) <= e^(K(s) - K(theta) + (theta - s) x) for s < theta. The bounds are solved for the x
  // at which they have a given value; the best s of a grid is used.
  private static PldDiscretization window(
      PldComposition sum, double most, List<Term> terms, Saddle saddle, double least) {
    double tilt = saddle.tilt();
    double bound = saddle.logDelta() - MARGIN;
    double tilted = bound + tilt * saddle.epsilon();
    double bottom = Double.NEGATIVE_INFINITY;
    double top = Double.POSITIVE_INFINITY;
    double end = Double.POSITIVE_INFINITY;
    double tail = tilt;
    for (double d = tilt / 16.0; d < 32.0 * tilt; d *= 1.4) {
      double moment = logMoments(terms, tilt + d)[0];
      if ((moment - bound) / (tilt + d) < top) {
        top = (moment - bound) / (tilt + d);
        tail = tilt + d;
      }
      end = Math.min(end, (moment - tilted) / d);
      bottom = Math.max(bottom, (tilted - logMoments(terms, tilt - d)[0]) / d);
    }
    double epsilon = saddle.epsilon();
    double steep = Math.max(tilt, STEEP / sum.size());
    double step = Math.min(LONGEST_STEP, step(ERROR, sum.splits(), steep));
    bottom = Math.min(bottom, epsilon) - 2.0 * step;
    // Mass above epsilon + width wraps around to losses above epsilon.
    top = Math.max(Math.max(top, epsilon), bottom + end - epsilon) + 2.0 * step;
    step = Math.max(step, Math.max(least, (top - bottom) / MOST_POINTS));
    double aligned = 2.0 * sum.pure() / Math.ceil(2.0 * sum.pure() / step);
    // a smaller step would be too short for the other losses
    if (aligned >= Math.max(least, 0.5 * step)) {
      step = aligned;
    }
    return new PldDiscretization(step, most, tilt, epsilon, bottom, top, tail);
  }

  /** The number of points in the window: a power of two. */
  int points() {
    int points = 2;
    while (points < MOST_POINTS * 2 && points * step < top - bottom) {
      points *= 2;
    }
    return points;
  }

  /** Returns {@code ln E[e^(s L)]} of the sum over finite losses, and its first two derivatives. */
  static double[] logMoments(List<Term> terms, double s) {
    double[] sum = new double[3];
    for (Term term : terms) {
      double[] each = term.law().logMoments(s);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += term.copies() * each[i];
      }
    }
    return sum;
  }

  /** Returns the probability that one of the losses is infinite. */
  static double infinite(List<Term> terms) {
    double log = 0.0;
    for (Term term : terms) {
      log += term.copies() * Math.log1p(-Math.min(1.0, term.law().infinite()));
    }
    return -Math.expm1(log);
  }

  /**
   * The epsilon whose saddle point is at this tilt, and the saddle-point approximation of delta.
   */
  private record Saddle(double tilt, double epsilon, double logDelta, double infinite) {
    static Saddle of(List<Term> terms, double tilt) {
      double[] moments = logMoments(terms, tilt);
      double first = 1.0 / tilt;
      double second = 1.0 / (tilt + 1.0);
      double epsilon = moments[1] - first - second;
      double curvature = moments[2] + first * first + second * second;
      double log =
          moments[0]
              - tilt * epsilon
              - Math.log(tilt)
              - Math.log1p(tilt)
              - 0.5 * Math.log(2.0 * Math.PI * curvature);
      return new Saddle(tilt, epsilon, log, PldDiscretization.infinite(terms));
    }
  }
}
