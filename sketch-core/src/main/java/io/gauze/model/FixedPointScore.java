package io.gauze.model;

/**
 * The negative derivative of a loss in {@code u'theta}, in fixed point. A number is {@code high
 * 2^-30 + low 2^-60}, low in [0, 2^30), times a power of two that the caller keeps in mind: the
 * grid of the features.
 */
public abstract class FixedPointScore {
  /** 2^30. */
  public static final double UNITS = 0x1p30;

  static final int BITS = 30;
  static final long MASK = (1L << BITS) - 1L;

  /** What the residual is counted from, in units of 2^-30: the response, or 0. */
  abstract long origin(long response);

  /** A bound on the error of a computed score; 0 if it is exact. */
  abstract double error();

  /**
   * Computes the score of one row.
   *
   * @param response the row's, in units of 2^-30
   * @param high of the residual {@code origin - u'theta}, in units of 2^-30 of the grid's step
   * @param low the rest, in units of 2^-60 of the step, in [0, 2^30)
   * @param gridBits of the features
   * @param out receives high and low of the score, in the same units
   */
  abstract void score(long response, long high, long low, int gridBits, long[] out);

  /** Returns the second derivative of the loss. */
  abstract double curvature(double residual);

  /** The score of a loss. */
  static FixedPointScore of(ModelLoss loss) {
    if (loss instanceof ModelLoss.Huber huber) {
      return new Clipped((long) (huber.threshold() * UNITS));
    }
    return new Logistic();
  }

  /** {@code clip(r, -k, k)}, exact. */
  private static final class Clipped extends FixedPointScore {
    private final long threshold;

    Clipped(long threshold) {
      this.threshold = threshold;
    }

    @Override
    long origin(long response) {
      return response;
    }

    @Override
    double error() {
      return 0.0;
    }

    @Override
    void score(long response, long high, long low, int gridBits, long[] out) {
      long most = threshold << gridBits;
      if (high >= most) {
        out[0] = most;
        out[1] = 0L;
      } else if (high < -most) {
        out[0] = -most;
        out[1] = 0L;
      } else {
        out[0] = high;
        out[1] = low;
      }
    }

    @Override
    double curvature(double residual) {
      return Math.abs(residual) < threshold / UNITS ? 1.0 : 0.0;
    }
  }

  /** With y = 1 the score is s(r), r = -u'theta and s(r) = 1 / (1 + exp(-r)); else s(r) - 1. */
  // The residual in a double is off by 2^-52 |r| and s by s'(r) |r| 2^-52 < 2^-54; StrictMath.exp
  // by one ulp of a number that counts at most a quarter of itself, the sum and the quotient by an
  // ulp each, the cut to 2^-60 by less: below 2^-51 in all.
  private static final class Logistic extends FixedPointScore {
    @Override
    long origin(long response) {
      return 0L;
    }

    @Override
    double error() {
      return 0x1p-50;
    }

    private static double share(double residual) {
      double small = StrictMath.exp(-Math.abs(residual));
      return (residual >= 0.0 ? 1.0 : small) / (1.0 + small);
    }

    @Override
    void score(long response, long high, long low, int gridBits, long[] out) {
      double residual = Math.scalb(high + low / UNITS, -BITS - gridBits);
      double steps = Math.scalb(share(residual), BITS + gridBits);
      double whole = Math.floor(steps);
      out[0] = (long) whole - (response > 0L ? 0L : 1L << (BITS + gridBits));
      out[1] = (long) ((steps - whole) * UNITS);
    }

    @Override
    double curvature(double residual) {
      double share = share(-Math.abs(residual));
      return share * (1.0 - share);
    }
  }
}
