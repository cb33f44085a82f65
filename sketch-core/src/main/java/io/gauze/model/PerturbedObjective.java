package io.gauze.model;

import io.gauze.linalg.DoubleVector;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * {@code sum of losses + lambda/2 |theta - theta_0|^2 + b'theta} over rows. Its gradient is
 * computed in integers and is exact, up to the error of a score that is not; its Hessian in
 * doubles. O(n p) time for a gradient, O(n p^2) with the Hessian.
 */
// For features of norm up to 2^15 steps and coefficients of norm up to 2^16, i.e. 2^46 units of
// 2^-30, u'theta is below 2^61 by Cauchy and Schwarz; a response is below 2^(8 + 30 + 21). The low
// parts give less than 2^(15 + 30) sqrt p. A score of at most 2^(17 - g) is 2^47 units, so its
// product with an entry is at most 2^62. Products are added in halves of 32 bits, of blocks of 2^12
// rows each.
final class PerturbedObjective {
  /** Bits after the binary point of a gradient. */
  static final int GRADIENT_BITS = 120;

  /** Coefficients of a larger norm cannot be evaluated. */
  static final double LARGEST_NORM = 0x1p16;

  private static final double LARGEST_LONG = 0x1p62;
  private static final int HALF = 32;
  private static final long HALF_MASK = (1L << HALF) - 1L;

  private final ModelRows rows;
  private final FixedPointScore score;
  private final double lambda;
  private final BigInteger lambdaUnits;
  private final FixedVector centre;
  private final BigInteger[] linear;

  /**
   * Creates an objective.
   *
   * @param lambda a multiple of 2^-30
   * @param centre theta_0, rounded to 2^-60
   * @param linear b, rounded to 2^-60
   */
  PerturbedObjective(
      ModelRows rows, FixedPointScore score, double lambda, double[] centre, double[] linear) {
    this.rows = rows;
    this.score = score;
    this.lambda = lambda;
    this.lambdaUnits = units(lambda, FixedPointScore.BITS);
    this.centre = FixedVector.of(centre);
    this.linear = new BigInteger[linear.length];
    for (int i = 0; i < linear.length; i++) {
      this.linear[i] = units(linear[i], FixedVector.FRACTION_BITS);
    }
  }

  /** The number nearest to {@code value} in units of 2^-bits. */
  static BigInteger units(double value, int bits) {
    double scaled = Math.scalb(value, bits); // exact; from 2^53 on it is whole
    return Math.abs(scaled) < LARGEST_LONG
        ? BigInteger.valueOf(Math.round(scaled))
        : new BigDecimal(scaled).toBigIntegerExact();
  }

  FixedVector centre() {
    return centre;
  }

  /** Gradient and Hessian at a point. */
  record Derivatives(Gradient gradient, Supplier<double[]> hessian) {}

  /** The gradient at a point whose norm is at most {@link #LARGEST_NORM}. */
  Gradient gradient(FixedVector theta) {
    Scores scores = new Scores(theta);
    rows.forEach(scores::add);
    return total(theta, scores.sums);
  }

  /** The Hessian at a point, p x p row-major, upper triangle; lambda on the diagonal. */
  double[] hessian(FixedVector theta) {
    double[] point = point(theta);
    double[] sum = new double[point.length * point.length];
    rows.forEach(block -> addSquares(block, point, sum));
    return total(sum);
  }

  /** The gradient, and the Hessian that is computed only where it is asked for. */
  Derivatives gradientFirst(FixedVector theta) {
    return new Derivatives(gradient(theta), () -> hessian(theta));
  }

  /** Both in one pass, if each pass reads the rows again. */
  Derivatives derivatives(FixedVector theta) {
    if (rows.isHeld()) {
      return gradientFirst(theta);
    }
    Scores scores = new Scores(theta);
    double[] point = point(theta);
    double[] sum = new double[point.length * point.length];
    rows.forEach(
        block -> {
          scores.add(block);
          addSquares(block, point, sum);
        });
    double[] hessian = total(sum);
    return new Derivatives(total(theta, scores.sums), () -> hessian);
  }

  /** The sum of scores times features, in integers. */
  private final class Scores {
    private final FixedVector theta;
    private final BigInteger[] sums;
    private final long[] upper;
    private final long[] middle;
    private final long[] lower;
    private final long[] out = new long[2];

    Scores(FixedVector theta) {
      int p = theta.size();
      this.theta = theta;
      sums = new BigInteger[p];
      Arrays.fill(sums, BigInteger.ZERO);
      upper = new long[p];
      middle = new long[p];
      lower = new long[p];
    }

    void add(ModelRows.Block block) {
      int p = sums.length;
      for (int i = 0; i < block.rows(); i++) {
        scoreOf(theta, block, i, out);
        for (int j = 0; j < p; j++) {
          long entry = block.features[i * p + j];
          long product = out[0] * entry;
          upper[j] += product >> HALF;
          middle[j] += product & HALF_MASK;
          lower[j] += out[1] * entry;
        }
      }
      for (int j = 0; j < p; j++) {
        sums[j] = sums[j].add(joined(upper[j], middle[j], lower[j]));
        upper[j] = 0L;
        middle[j] = 0L;
        lower[j] = 0L;
      }
    }
  }

  private static BigInteger joined(long upper, long middle, long lower) {
    return BigInteger.valueOf(upper)
        .shiftLeft(HALF)
        .add(BigInteger.valueOf(middle))
        .shiftLeft(FixedPointScore.BITS)
        .add(BigInteger.valueOf(lower));
  }

  /** Adds ridge and b to the sum of scores, whose unit is 2^(-60 - 2g). */
  private Gradient total(FixedVector theta, BigInteger... sums) {
    BigInteger[] gradient = new BigInteger[sums.length];
    for (int j = 0; j < sums.length; j++) {
      BigInteger ridge = theta.units(j).subtract(centre.units(j)).multiply(lambdaUnits);
      gradient[j] =
          linear[j]
              .shiftLeft(GRADIENT_BITS - FixedVector.FRACTION_BITS)
              .add(
                  ridge.shiftLeft(GRADIENT_BITS - FixedVector.FRACTION_BITS - FixedPointScore.BITS))
              .subtract(
                  sums[j].shiftLeft(
                      GRADIENT_BITS - FixedVector.FRACTION_BITS - 2 * rows.gridBits()));
    }
    return new Gradient(gradient);
  }

  /** Computes the residual of a row, exactly, and its score. */
  private void scoreOf(FixedVector theta, ModelRows.Block block, int row, long[] out) {
    long[] thetaHigh = theta.high();
    long[] thetaLow = theta.low();
    int p = thetaHigh.length;
    long response = block.responses[row];
    long high = score.origin(response) << rows.gridBits();
    long low = 0L;
    for (int j = 0; j < p; j++) {
      long entry = block.features[row * p + j];
      high -= entry * thetaHigh[j];
      low -= entry * thetaLow[j];
    }
    score.score(
        response,
        high + (low >> FixedPointScore.BITS),
        low & FixedPointScore.MASK,
        rows.gridBits(),
        out);
  }

  /** The coefficients times a grid step of features, as doubles. */
  private double[] point(FixedVector theta) {
    double step = Math.scalb(1.0, -rows.gridBits());
    double[] point = new double[theta.size()];
    for (int j = 0; j < point.length; j++) {
      point[j] = theta.high()[j] / FixedPointScore.UNITS * step;
    }
    return point;
  }

  /** Adds the squares of features, times the second derivatives of their losses, to a sum. */
  // No object holds these arrays: where one did, whose allocation the compiler of OpenJDK 17.0.15
  // removes, the JVM crashed.
  private void addSquares(ModelRows.Block block, double[] point, double[] sum) {
    int p = point.length;
    double step = Math.scalb(1.0, -rows.gridBits());
    for (int i = 0; i < block.rows(); i++) {
      double residual = score.origin(block.responses[i]) / FixedPointScore.UNITS;
      for (int j = 0; j < p; j++) {
        residual -= block.features[i * p + j] * point[j];
      }
      double weight = score.curvature(residual) * step * step;
      if (weight > 0.0) {
        addSquare(sum, p, weight, block.features, i * p);
      }
    }
  }

  /** Adds the ridge to the Hessian of the losses. */
  private double[] total(double... squares) {
    int p = linear.length;
    for (int j = 0; j < p; j++) {
      squares[j * p + j] += lambda;
    }
    return squares;
  }

  private static void addSquare(double[] sum, int p, double weight, int[] rows, int from) {
    for (int i = 0; i < p; i++) {
      double factor = weight * rows[from + i];
      for (int j = i; j < p; j++) {
        sum[i * p + j] += factor * rows[from + j];
      }
    }
  }

  /** A gradient in units of 2^-120, with its nearest doubles. */
  static final class Gradient {
    private final BigInteger square;
    private final double[] values;

    Gradient(BigInteger... exact) {
      values = new double[exact.length];
      BigInteger sum = BigInteger.ZERO;
      for (int j = 0; j < exact.length; j++) {
        values[j] = Math.scalb(exact[j].doubleValue(), -GRADIENT_BITS);
        sum = sum.add(exact[j].multiply(exact[j]));
      }
      square = sum;
    }

    /** Whether the exact norm is at most a double above 2^-60. */
    boolean isWithin(double norm) {
      BigInteger bound = units(norm, GRADIENT_BITS); // whole: no bit is lost
      return square.compareTo(bound.multiply(bound)) <= 0;
    }

    double norm() {
      return Math.sqrt(dot(values));
    }

    double dot(double... direction) {
      return DoubleVector.dot(values, direction);
    }

    double[] negative() {
      double[] negative = new double[values.length];
      for (int j = 0; j < values.length; j++) {
        negative[j] = -values[j];
      }
      return negative;
    }
  }
}
