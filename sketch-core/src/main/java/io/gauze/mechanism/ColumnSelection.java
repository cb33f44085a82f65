package io.gauze.mechanism;

import io.gauze.sketch.SecondMomentsSpec;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/**
 * Selects the columns that explain a response from exact second moments. In each round, columns are
 * drawn one after the other by the exponential mechanism, with the absolute products of a column
 * and the residual for scores. Between rounds, a ridge regression of noisy moments of the columns
 * selected so far is the model of the residual.
 *
 * <p>Scores are exact integers: coefficients of the model are rounded to a grid.
 *
 * @param spec the exact moments
 * @param bounds of the rows
 * @param size the number of columns to select
 * @param range of each draw, see {@link io.gauze.accounting.BoundedRange}
 * @param fits the noise of the moments between rounds, by round; empty for one round
 * @param momentUnit a step of the moments in the encoded scale squared
 */
public record ColumnSelection(
    SecondMomentsSpec spec,
    SelectionBounds bounds,
    int size,
    double range,
    List<SymmetricNoise> fits,
    double momentUnit)
    implements Serializable {
  private static final int FRACTION_BITS = SelectionRounds.FRACTION_BITS;

  /** Copies the noise. */
  public ColumnSelection {
    fits = List.copyOf(fits);
  }

  /** Returns a copy with another range of each draw. */
  public ColumnSelection withRange(double other) {
    return new ColumnSelection(spec, bounds, size, other, fits, momentUnit);
  }

  /** The factor of scores in the first round, in steps of the moments, in the exponent. */
  public double rate() {
    return 1.0 / Math.scalb(scale(Map.of()).doubleValue(), -FRACTION_BITS);
  }

  /** Returns the scale of the exponential mechanism, in units of the scores, rounded up. */
  private BigInteger scale(Map<Integer, Double> theta) {
    return SelectionRounds.scale(
        bounds.score(theta), range, Math.scalb(momentUnit, -FRACTION_BITS));
  }

  /** The selection from a state without noise, in O(D (D + size)) time. */
  SelectionRounds of(long[] state) {
    return new SelectionRounds(new State(state), size, fits);
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
      return ColumnSelection.this.scale(theta);
    }

    @Override
    public long[] upper(int... columns) {
      return ColumnSelection.this.upper(state, columns);
    }
  }
}
