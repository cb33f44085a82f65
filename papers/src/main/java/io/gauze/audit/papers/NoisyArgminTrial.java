package io.gauze.audit.papers;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.papers.FrankWolfe;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedLaplace;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowTag;

/**
 * Draws the first vertex of Frank and Wolfe as published: each score has Laplace noise of scale
 * sensitivity over epsilon, and the best one is taken. A replaced row raises one score and lowers
 * another, each by the sensitivity.
 */
final class NoisyArgminTrial implements Trial {
  /** The vertex of x is drawn with probabilities 0.135 and 0.027. */
  static final int RUNS = 40_000;

  private static final int ONE = BOUND / 2;
  private static final int RESPONSE = 3;
  private static final int COPIES = 100; // the other vertices are far behind
  private static final int AHEAD = 6; // z is ahead of x, by so many rows
  private static final double GAP = 2.0; // in scales of the noise, if epsilon is 1

  private final FrankWolfe mechanism;
  private final RoundedLaplace noise;
  private final long[] first;
  private final long[] second;
  private final double ofX;
  private final double ofOthers;

  NoisyArgminTrial(FrankWolfe mechanism, double epsilon) {
    this.mechanism = mechanism;
    this.noise = RoundedLaplace.of(2.0 * ONE * (double) ONE / epsilon);
    this.first = state(Plans.row(0, ONE, -ONE, -ONE));
    this.second = state(Plans.row(0, ONE, -ONE, ONE));
    double before = exceeds(2.0 * GAP * epsilon);
    double after = exceeds(GAP * epsilon);
    this.ofX = Math.log(after / before);
    this.ofOthers = Math.log1p(-after) - Math.log1p(-before);
  }

  private long[] state(EncodedRow row) {
    RowTag tag = new RowTag();
    long[] x = Plans.state(mechanism.spec().zero(), tag, Plans.row(0, ONE, 0, ONE));
    long[] z = Plans.state(mechanism.spec().zero(), tag, Plans.row(0, 0, ONE, ONE));
    long[] state = Plans.state(mechanism.spec().zero(), tag, row);
    for (int i = 0; i < state.length; i++) {
      state[i] += COPIES * x[i] + (COPIES + AHEAD) * z[i];
    }
    return state;
  }

  /** The probability that the difference of two Laplace variables of scale 1 is above t. */
  private static double exceeds(double t) {
    return Math.exp(-t) * (2.0 + t) / 4.0;
  }

  /** Returns the log-likelihood ratio of the vertex. */
  @Override
  public double run(boolean inSecond, Entropy entropy) {
    int best = 0;
    long largest = Long.MIN_VALUE;
    for (int vertex = 0; vertex < 2 * RESPONSE; vertex++) {
      long gradient = (inSecond ? second : first)[mechanism.spec().index(vertex / 2, RESPONSE)];
      long score = (vertex % 2 == 0 ? gradient : -gradient) + noise.sample(entropy);
      if (score > largest) {
        best = vertex;
        largest = score;
      }
    }
    return best == 2 ? ofX : ofOthers;
  }
}
