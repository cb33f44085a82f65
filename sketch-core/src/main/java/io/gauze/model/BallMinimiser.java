package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.PositiveSystem;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Minimises {@code theta'M theta / 2 - m'theta + lambda/2 |theta|^2 + b'theta} in a ball. Systems
 * are solved in doubles, what they leave is computed in whole numbers and solved again, so that the
 * result is as near to the minimiser as is asked for, whatever the moments are.
 *
 * <p>The minimiser solves {@code (M + (lambda + nu) I) theta = m - b} for a multiplier nu that is 0
 * if theta is inside of the ball, and otherwise the one for which theta is on its boundary. After
 * J. Moré and D. Sorensen, <a href="https://doi.org/10.1137/0904038">Computing a trust region
 * step</a>, SIAM J. Sci. Stat. Comput. 4 (1983), section 3.
 */
// Coefficients and nu are whole multiples of 2^-128, so residuals of 2^-256 of a step. Let t be the
// tolerance in steps, T the trace of M + lambda I. A point is taken if its length is within
// d = t / 8T of R, or at most R + d where nu is 0, and its residual below t / 8. The point of the
// ball that is nearest to it minimises the objective whose b has another t / 4, as T d <= t / 8;
// minimisers are at most |b - b'| / lambda apart, and d <= t / (8 lambda). Together that is below
// t / (2 lambda); the other half of t pays for the rounding of b to a multiple of 2^-128.
// With beta = the largest |u|^2 in steps, t = 2^-30 beta and lambda >= 2^-10 beta, residuals must
// fall to 2^-79 beta for 2^33 rows. Rounding a coefficient changes one by at most 2^33 beta 2^-128.
final class BallMinimiser {
  /** Coefficients are in units of 2^-BITS. */
  static final int BITS = 128;

  private static final int NEWTON_STEPS = 12; // usual are three to seven; then halving, too
  private static final double LEAST_SHIFT = 0x1p-50;

  private final ExactSquares squares;
  private final int p;
  private final BigInteger ridge;
  private final double radius;
  private final BigInteger radiusSquare; // in units of 2^-2 BITS
  private final BigInteger margin; // of the square of a length on the boundary, R d
  private final double residual; // that is small enough for the search of nu, in steps
  private BigInteger[] target = {}; // m - b, in units of 2^-BITS

  /**
   * Prepares.
   *
   * @param ridge lambda in steps of the moments, above 0
   * @param radius R, in [2^-7, 64]
   * @param tolerance how far b may be off, in steps of the moments, in [2^-40, ridge]
   */
  BallMinimiser(ExactSquares squares, long ridge, double radius, double tolerance) {
    Checks.within("ridge", (double) ridge, 1, Double.MAX_VALUE);
    Checks.within("tolerance", tolerance, 0x1p-40, (double) ridge);
    this.squares = squares;
    this.p = squares.features();
    this.ridge = BigInteger.valueOf(ridge);
    this.radius = radius;
    BigInteger length = units(radius);
    double largest = squares.trace().add(this.ridge).doubleValue() * (1.0 + 0x1p-50);
    double distance = tolerance / (8.0 * largest);
    radiusSquare = length.multiply(length);
    margin = length.multiply(units(distance));
    residual = 0.125 * ridge * distance; // below tolerance / 8
  }

  private static BigInteger units(double value) {
    return new BigDecimal(Math.scalb(value, BITS)).toBigInteger();
  }

  private static double value(BigInteger units, int bits) {
    int extra = Math.max(0, units.bitLength() - 64); // what is below cannot be seen in a double
    return Math.scalb(units.shiftRight(extra).doubleValue(), extra - bits);
  }

  /** A point and its multiplier. */
  static final class Point {
    private final BigInteger[] theta;
    private final BigInteger[] residual; // in units of 2^-2 BITS
    private final BigInteger square; // of the norm of the residual

    private Point(BigInteger[] theta, BigInteger... residual) {
      this.theta = theta;
      this.residual = residual;
      this.square = square(residual);
    }

    BigInteger theta(int j) {
      return theta[j];
    }

    private double[] error() {
      return Arrays.stream(residual).mapToDouble(entry -> value(entry, 2 * BITS)).toArray();
    }
  }

  private static BigInteger square(BigInteger... vector) {
    BigInteger sum = BigInteger.ZERO;
    for (BigInteger entry : vector) {
      sum = sum.add(entry.multiply(entry));
    }
    return sum;
  }

  /**
   * Returns a point that is at most {@code tolerance / lambda} away from the minimiser.
   *
   * @param linear b, in steps of the moments
   * @throws CancellationException if the thread is interrupted
   */
  Point minimise(double... linear) {
    Checks.length("b", linear.length, p);
    target = new BigInteger[p];
    for (int j = 0; j < p; j++) {
      target[j] = BigInteger.valueOf(squares.product(j)).shiftLeft(BITS).subtract(units(linear[j]));
    }
    BigInteger low = BigInteger.ZERO; // the point is outside of the ball
    Solved here = solve(low, zeros());
    if (excess(here.point).compareTo(margin) <= 0) {
      return here.point;
    }
    // |theta| <= |m - b| / (lambda + nu)
    BigInteger high = units(value(square(target).sqrt(), BITS) / radius).add(BigInteger.ONE);
    for (int step = 1; excess(here.point).abs().compareTo(margin) > 0; step++) {
      BigInteger next = here.newton();
      boolean isInside = next.compareTo(low) > 0 && next.compareTo(high) < 0;
      if (!isInside || (step > NEWTON_STEPS && step % 2 == 0)) {
        next = low.add(high).shiftRight(1);
      }
      here = solve(next, here.point.theta);
      if (excess(here.point).signum() > 0) {
        low = next;
      } else {
        high = next;
      }
    }
    return here.point;
  }

  private BigInteger[] zeros() {
    BigInteger[] zeros = new BigInteger[p];
    Arrays.fill(zeros, BigInteger.ZERO);
    return zeros;
  }

  private BigInteger excess(Point point) {
    return square(point.theta).subtract(radiusSquare);
  }

  /** A point for a multiplier, and the system that it solves. */
  private final class Solved {
    private final BigInteger multiplier;
    private final Point point;
    private final PositiveSystem system;

    Solved(BigInteger multiplier, Point point, PositiveSystem system) {
      this.multiplier = multiplier;
      this.point = point;
      this.system = system;
    }

    // Newton's step for 1 / |theta(nu)| = 1 / R, whose left side is concave and nearly straight:
    //   d nu = |theta|^2 / (theta' A^-1 theta) (|theta| - R) / R.
    BigInteger newton() {
      double[] theta = Arrays.stream(point.theta).mapToDouble(e -> value(e, BITS)).toArray();
      double[] solved = system.solve(theta.clone());
      double square = 0.0;
      double curved = 0.0;
      for (int j = 0; j < p; j++) {
        square += theta[j] * theta[j];
        curved += theta[j] * solved[j];
      }
      double beyond = value(excess(point), 2 * BITS) / (radius * (radius + Math.sqrt(square)));
      double change = square / curved * beyond;
      return Double.isFinite(change) ? multiplier.add(units(change)) : multiplier;
    }
  }

  /** Solves the system of a multiplier so exactly that the length is known to a fraction of d. */
  // With a shift s added to the diagonal, a step multiplies the error by at most s / (s + lambda),
  // and the system can be solved in doubles if s is large enough.
  private Solved solve(BigInteger multiplier, BigInteger... start) {
    double trace = squares.trace().add(ridge).doubleValue() + value(multiplier, BITS);
    Point here = at(multiplier, start);
    double shift = 0.0;
    Optional<PositiveSystem> system = system(multiplier, shift);
    while (true) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("the thread was interrupted");
      }
      if (system.isPresent() && Math.sqrt(value(here.square, 4 * BITS)) <= residual) {
        return new Solved(multiplier, here, system.get());
      }
      Point from = here;
      Optional<Point> next = system.flatMap(factored -> next(multiplier, from, factored));
      if (next.isPresent()) {
        here = next.get();
      } else {
        shift = Math.max(2.0 * shift, LEAST_SHIFT * trace);
        system = system(multiplier, shift);
      }
    }
  }

  /** A step of iterative refinement; empty if it does not help. */
  private Optional<Point> next(BigInteger multiplier, Point here, PositiveSystem system) {
    double[] step = system.solve(here.error());
    BigInteger[] theta = here.theta.clone();
    for (int j = 0; j < p; j++) {
      if (!Double.isFinite(step[j])) {
        return Optional.empty();
      }
      theta[j] = theta[j].add(units(step[j]));
    }
    Point next = at(multiplier, theta);
    return next.square.compareTo(here.square) < 0 ? Optional.of(next) : Optional.empty();
  }

  private Point at(BigInteger multiplier, BigInteger... theta) {
    BigInteger diagonal = ridge.shiftLeft(BITS).add(multiplier);
    BigInteger[] left = new BigInteger[p];
    for (int j = 0; j < p; j++) {
      left[j] =
          target[j]
              .subtract(squares.times(j, theta))
              .shiftLeft(BITS)
              .subtract(diagonal.multiply(theta[j]));
    }
    return new Point(theta, left);
  }

  private Optional<PositiveSystem> system(BigInteger multiplier, double shift) {
    double diagonal = ridge.doubleValue() + value(multiplier, BITS) + shift;
    double[] upper = new double[p * p];
    for (int j = 0; j < p; j++) {
      for (int k = j; k < p; k++) {
        upper[j * p + k] = squares.moment(j, k) + (j == k ? diagonal : 0.0);
      }
    }
    return PositiveSystem.of(p, upper);
  }
}
