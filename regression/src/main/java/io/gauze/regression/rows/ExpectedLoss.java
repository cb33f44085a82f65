package io.gauze.regression.rows;

import io.gauze.regression.Loss;
import org.apache.commons.numbers.gamma.Erfc;

/**
 * The expected loss of a residual N(m, v) with v > 0, and its derivatives in m. The derivatives in
 * v follow from the heat equation: one in v is half of two in m.
 */
public abstract class ExpectedLoss {
  private static final double SQRT_HALF = Math.sqrt(0.5);
  private static final double DENSITY = 1.0 / Math.sqrt(2.0 * Math.PI);

  /**
   * The expected loss and its first four derivatives in the mean.
   *
   * @param value the expected loss
   * @param first its first derivative
   * @param second its second derivative
   * @param third its third derivative
   * @param fourth its fourth derivative
   */
  public record Derivatives(
      double value, double first, double second, double third, double fourth) {}

  public abstract Derivatives at(double mean, double variance);

  /** Returns the expected square of the loss's derivative. */
  public abstract double scoreSquare(double mean, double variance);

  /** Returns the expected loss of an absolute, quantile or Huber loss. */
  public static ExpectedLoss of(Loss loss) {
    return loss.accept(
        new Loss.Reader<>() {
          @Override
          public ExpectedLoss squared() {
            throw new IllegalArgumentException(
                "loss must be a quantile's or Huber's. Provided value: " + loss);
          }

          @Override
          public ExpectedLoss quantile(Loss.Quantile quantile) {
            return new Check(quantile.tau());
          }

          @Override
          public ExpectedLoss huber(Loss.Huber huber) {
            return new Huber(huber.threshold());
          }

          @Override
          public ExpectedLoss logistic() {
            throw RowsFit.notFitted();
          }
        });
  }

  /**
   * Bounds an argument of the normal density, which is 0 in double precision beyond 40 and stays 0
   * after multiplication by the bounded argument.
   */
  private static double bounded(double z) {
    return Math.max(-100.0, Math.min(100.0, z));
  }

  static double distribution(double z) {
    return 0.5 * Erfc.value(-SQRT_HALF * z);
  }

  static double density(double z) {
    return DENSITY * Math.exp(-0.5 * z * z);
  }

  /**
   * The loss {@code scale (|u| + (2 tau - 1) u)}: the check loss for a scale of 1/2, twice it for
   * 1.
   */
  private static final class Check extends ExpectedLoss {
    private final double scale;
    private final double tilt;

    private Check(double tau) {
      this.scale = tau == 0.5 ? 1.0 : 0.5;
      this.tilt = 2.0 * tau - 1.0;
    }

    // s = sqrt v, z = m/s:  E|N(m, v)| = s (2 phi(z) + z (2 Phi(z) - 1))
    @Override
    public Derivatives at(double mean, double variance) {
      double s = Math.sqrt(variance);
      double z = bounded(mean / s);
      double phi = density(z);
      double balance = 1.0 - Erfc.value(SQRT_HALF * z); // 2 Phi(z) - 1
      return new Derivatives(
          scale * (2.0 * s * phi + mean * (balance + tilt)),
          scale * (balance + tilt),
          scale * 2.0 * phi / s,
          scale * -2.0 * z * phi / variance,
          scale * 2.0 * (z * z - 1.0) * phi / (s * variance));
    }

    @Override
    public double scoreSquare(double mean, double variance) {
      double above = distribution(mean / Math.sqrt(variance));
      double up = scale * (1.0 + tilt);
      double down = scale * (1.0 - tilt);
      return up * up * above + down * down * (1.0 - above);
    }
  }

  /** Huber's loss: {@code u^2 / 2} up to c, {@code c (|u| - c / 2)} beyond. */
  private static final class Huber extends ExpectedLoss {
    private final double c;

    private Huber(double threshold) {
      this.c = threshold;
    }

    // a = (c - m)/s and e = (-c - m)/s are the bends; inside, E over (-c, c):
    //   P = Phi(a) - Phi(e), E1 = m P + s (phi(e) - phi(a)),
    //   E2 = (m^2 + v) P + v (e phi(e) - a phi(a)) + 2 m s (phi(e) - phi(a));
    // outside, |r| has the mean m (1 - Phi(a)) + s phi(a) - m Phi(e) + s phi(e).
    @Override
    public Derivatives at(double mean, double variance) {
      double s = Math.sqrt(variance);
      double a = bounded((c - mean) / s);
      double e = bounded((-c - mean) / s);
      double above = distribution(-a);
      double below = distribution(e);
      double inside = 1.0 - above - below;
      double tails = mean * (above - below) + s * (density(a) + density(e));
      double second = square(mean, variance, a, e, inside);
      return new Derivatives(
          0.5 * second + c * tails - 0.5 * c * c * (above + below),
          mean * inside + s * (density(e) - density(a)) + c * (above - below),
          inside,
          (density(e) - density(a)) / s,
          (e * density(e) - a * density(a)) / variance);
    }

    private static double square(double mean, double variance, double a, double e, double inside) {
      double step = density(e) - density(a);
      return (mean * mean + variance) * inside
          + variance * (e * density(e) - a * density(a))
          + 2.0 * mean * Math.sqrt(variance) * step;
    }

    @Override
    public double scoreSquare(double mean, double variance) {
      double s = Math.sqrt(variance);
      double a = bounded((c - mean) / s);
      double e = bounded((-c - mean) / s);
      double outside = distribution(-a) + distribution(e);
      return square(mean, variance, a, e, 1.0 - outside) + c * c * outside;
    }
  }
}
