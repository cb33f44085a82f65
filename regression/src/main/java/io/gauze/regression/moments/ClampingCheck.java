package io.gauze.regression.moments;

import io.gauze.regression.RangeEnd;
import java.util.function.Predicate;
import org.ejml.data.DMatrixRMaj;

/**
 * Finds columns with many values near an end of their range, which happens if values are clamped.
 * It uses the release alone, and cannot distinguish clamped values from a law that is skewed toward
 * that end.
 */
// Let W >= 0 be the distance of a value from the end. If the density of W is w g(w) with a
// log-concave g, as that of a ramp or of a bell's tail, then E[W^2] <= 3/2 E[W]^2: the moments M_p
// of g over Gamma(p + 1) are log-concave in p (R. Barlow, A. Marshall, F. Proschan, Annals of
// Mathematical Statistics 34 (1963)), so (M_2 / 2)^2 >= M_1 M_3 / 6, and E[W] = M_2 / M_1,
// E[W^2] = M_3 / M_1. The Gamma law of shape 2 attains it, a uniform law has 4/3, a bell inside
// the range near 1. A share p of all values at the end itself divides the ratio of the others by
// 1 - p: a uniform law and a bell that the end cuts off have a ratio above 3/2 from a share of a
// ninth on, the tail of an exponential law from a fifth. Laws with a longer tail away from the end
// have a larger ratio without any value at the end, too: a lognormal distance has exp(s^2).
//
// Noise: let B, A and N be the sums of W^2, W and 1 over the rows. B / s + s N >= 2 sqrt(B N), with
// equality at s = sqrt(B / N). So B N <= r A^2 if and only if, for some s,
//   B - 2 sqrt(r) s A + s^2 N = sum (W - sqrt(r) s)^2 - (r - 1) s^2 sum 1 <= 0.
// These are two quadratic forms in a row, whose noise every NoiseLaw knows. A column is reported if
// this is above LEVEL standard deviations for all s. For a law as above, this happens for a single
// s with a probability of at most 3.2e-5 (Gaussian noise). s takes steps of a factor
// q = 10^(1/30), so that the best of them is within sqrt q of the best s, and r is 3/2 times
// ((sqrt q + 1 / sqrt q) / 2)^2. The least s is a tenth of the range: if the values are on the
// whole nearer to the end than that, the column is reported whatever their law is.
public final class ClampingCheck implements Predicate<RangeEnd> {
  /** The ratio r: 3/2, with slack for the steps of s. */
  private static final double RATIO = 1.5023;

  /** The least share of either value in a column with two values, both of them ends. */
  private static final double OTHER_VALUE = 0.05;

  private static final double LEVEL = 4.0;
  private static final double LEAST = 0.1; // of the width
  private static final int STEPS = 30;

  private final Moments moments;
  private final Laws laws;
  private final double intercept;

  /** The law of the error of the moments of some columns. */
  @FunctionalInterface
  public interface Laws {
    /** Returns the law of columns of these indexes. */
    NoiseLaw of(int... columns);
  }

  /** The moments of some columns. */
  @FunctionalInterface
  public interface Moments {
    /** Returns the moments of columns of these indexes, in this order. */
    DMatrixRMaj of(int... columns);
  }

  public ClampingCheck(Moments moments, Laws laws, double intercept) {
    this.moments = moments;
    this.laws = laws;
    this.intercept = intercept;
  }

  @Override
  public boolean test(RangeEnd end) {
    return at(end.column(), end);
  }

  /** Checks an end of a column that has another index in these moments. */
  public boolean at(int column, RangeEnd end) {
    DMatrixRMaj pair = moments.of(0, column);
    return isNear(pair, column, end) && !isTwoValued(pair, column, end);
  }

  /** Whether all values are ends of the range, and enough of them either: a code such as 0 or 1. */
  // (z - lower) (upper - z) = (width / 2)^2 - (z - middle)^2
  private boolean isTwoValued(DMatrixRMaj pair, int column, RangeEnd end) {
    double half = 0.5 * end.width();
    Sum rows = sum(pair, column, 1.0, 0.0);
    Sum squares = sum(pair, column, -end.middle(), 1.0);
    double between = half * half * rows.value() - squares.value();
    double mean = pair.get(0, 1) / intercept - end.middle() * rows.value();
    return between <= LEVEL * (half * half * rows.deviation() + squares.deviation())
        && Math.abs(mean) <= (1.0 - 2.0 * OTHER_VALUE) * half * rows.value();
  }

  private boolean isNear(DMatrixRMaj pair, int column, RangeEnd end) {
    double side = end.upper() ? 1.0 : -1.0; // W = distance - side z
    Sum rows = sum(pair, column, 1.0, 0.0);
    for (int k = 0; k <= STEPS; k++) {
      double s = end.width() * Math.pow(LEAST, (double) k / STEPS);
      Sum squares = sum(pair, column, end.distance() - Math.sqrt(RATIO) * s, -side);
      double factor = (RATIO - 1.0) * s * s;
      double excess = squares.value() - factor * rows.value();
      if (!(excess > LEVEL * (squares.deviation() + factor * rows.deviation()))) {
        return false;
      }
    }
    return true;
  }

  private record Sum(double value, double deviation) {}

  /** Returns the sum over rows of {@code (constant + factor z)^2}. */
  private Sum sum(DMatrixRMaj pair, int column, double constant, double factor) {
    double first = constant / intercept;
    double value =
        first * first * pair.get(0, 0)
            + 2.0 * first * factor * pair.get(0, 1)
            + factor * factor * pair.get(1, 1);
    DMatrixRMaj weights = new DMatrixRMaj(2, 1, true, first, factor);
    NoiseLaw law = laws.of(0, column);
    return new Sum(value, law.deviation(Math.max(0.0, value), weights));
  }
}
