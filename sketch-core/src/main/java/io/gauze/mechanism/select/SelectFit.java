package io.gauze.mechanism.select;

import io.gauze.accounting.BoundedRange;
import io.gauze.mechanism.ExactStateMechanism;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Entropy;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.math.BigInteger;
import java.util.Map;

/**
 * A few columns, selected by how much they explain of one response, and their second moments with
 * Gaussian noise. With many columns of which few matter, the noise of the moments of all of them
 * drowns a fit; that of a few columns does not.
 *
 * <p>Scores are absolute products of a column and the residual, exact integers: coefficients of the
 * model between rounds are on a grid.
 *
 * <p>After D. Kifer, A. Smith and A. Thakurta, <a
 * href="https://proceedings.mlr.press/v23/kifer12.html">Private convex empirical risk minimization
 * and high-dimensional regression</a>, COLT 2012, and T. Dick, J. Gillenwater and M. Joseph, <a
 * href="https://arxiv.org/abs/2208.07353">Better private linear regression through better private
 * feature selection</a>, NeurIPS 2023. Differs from both: scores are products of columns and
 * residual from moments, and columns are selected in rounds; selection and noise compose exactly,
 * see {@link BoundedRange}.
 *
 * @param spec the exact moments
 * @param bounds of the rows
 * @param stepSize a step of the moments in the encoded scale squared
 * @param plan the draws and the noise
 */
public record SelectFit(
    SecondMomentsSpec spec, SelectionBounds bounds, double stepSize, SelectionPlan plan)
    implements ExactStateMechanism, SelectFitMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "select-fit";

  private static final int FRACTION_BITS = SelectionRounds.FRACTION_BITS;

  // Draws. If neighbours change each score by at most d, the exponential mechanism of scale
  // 2 d / r has bounded range r. The model between rounds is post-processing of noisy moments; the
  // bound d depends on it, and on nothing else.
  //
  // Moments. The entries of a row in the selected columns have norm at most B' <= B, and change the
  // moments as in NoisyMoments.
  //
  // Two cells. A replaced row may move to another group or epoch. In each cell one row is then
  // added or removed: each score changes by d / 2, so the range of each draw is r / 2. Two cells
  // spend 2 (mu_i / 2)^2, half of what the draw has. Moments are as in NoisyMoments.
  //
  // A unit of k rows changes cell i by those of its m_i rows there, before and after: each score by
  // at most the part m_i / k of d (add-remove), or (m_i + m_i') / 2k (replace-one). The squares of
  // these parts add up to at most 1. Moments are as in StreamRequest.
  static SelectFit of(StreamRequest stream, int response, int selected, int rounds, double mu) {
    RowSchema schema = stream.schema();
    SelectionBounds bounds = SelectionBounds.of(stream, response);
    double unit = schema.grid().momentUnit();
    String name = schema.encodedNames().get(response);
    SelectionShares shares =
        SelectionShares.planned(stream, bounds, selected, rounds, mu, bounds.score(Map.of()));
    return new SelectFit(
        new SecondMomentsSpec(schema.dimension()),
        bounds,
        unit,
        SelectionPlan.of(name, selected, rounds, mu, shares, bounds::moments, size -> unit));
  }

  /** Returns a copy with other draws or noise. */
  public SelectFit with(SelectionPlan other) {
    return new SelectFit(spec, bounds, stepSize, other);
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    return new SelectionRounds(new State(state), plan).release(stepSize, entropy);
  }

  /** The factor of scores in the first round, in steps of the moments, in the exponent. */
  public double rate() {
    return 1.0 / Math.scalb(scale(Map.of()).doubleValue(), -FRACTION_BITS);
  }

  /** Returns the scale of the exponential mechanism, in units of the scores, rounded up. */
  private BigInteger scale(Map<Integer, Double> theta) {
    return SelectionRounds.scale(
        bounds.score(theta), plan.range(), Math.scalb(stepSize, -FRACTION_BITS));
  }

  /** Returns the upper triangle of the moments of these columns. */
  public long[] upper(long[] state, int... columns) {
    long[] upper = new long[columns.length * (columns.length + 1) / 2];
    int next = 0;
    for (int i = 0; i < columns.length; i++) {
      for (int j = i; j < columns.length; j++) {
        upper[next++] = state[spec.index(columns[i], columns[j])];
      }
    }
    return upper;
  }

  /** The exact moments of all columns. */
  private final class State implements SelectionRounds.Sums {
    private final long[] state;

    State(long[] state) {
      this.state = state;
    }

    @Override
    public int response() {
      return bounds.response();
    }

    @Override
    public BigInteger[] scores(Map<Integer, Double> theta) {
      BigInteger[] scores = new BigInteger[spec.dimension()];
      for (int column = 0; column < scores.length; column++) {
        scores[column] = score(theta, column);
      }
      return scores;
    }

    /** Returns the absolute product of a column and the residual, in steps of 2^-20. */
    private BigInteger score(Map<Integer, Double> theta, int column) {
      BigInteger sum =
          BigInteger.valueOf(state[spec.index(column, bounds.response())]).shiftLeft(FRACTION_BITS);
      for (Map.Entry<Integer, Double> each : theta.entrySet()) {
        long weight = (long) Math.scalb(each.getValue(), FRACTION_BITS); // whole: on the grid
        sum =
            sum.subtract(
                BigInteger.valueOf(state[spec.index(column, each.getKey())])
                    .multiply(BigInteger.valueOf(weight)));
      }
      return sum.abs();
    }

    @Override
    public BigInteger scale(Map<Integer, Double> theta) {
      return SelectFit.this.scale(theta);
    }

    @Override
    public long[] upper(int... columns) {
      return SelectFit.this.upper(state, columns);
    }
  }
}
