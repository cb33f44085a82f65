package io.gauze.accounting.loss;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegrator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * The law of {@code T = ln(G / shape)}, where G is a standard gamma variable: the logarithm of half
 * a chi-square of {@code 2 shape} degrees of freedom over its mean. It computes the probability
 * that a privacy loss is above epsilon, weighted as in delta, as an integral of positive terms, so
 * that nothing cancels however small the result is. Compared to 40-digit arithmetic its deltas have
 * a relative error below 2e-14 where the start is known to all digits.
 */
public final class LogGammaLaw {
  /**
   * Terms that are smaller than the largest one by more than this, in natural logarithms, are left
   * out.
   */
  public static final double DROP = 40.0;

  private static final int NODES = 24;
  private static final int PANELS = 4;
  private static final int MOST_HALVINGS = 40;
  private static final double[] POINTS = new double[NODES];
  private static final double[] WEIGHTS = new double[NODES];

  static {
    GaussIntegrator rule = new GaussIntegratorFactory().legendre(NODES);
    for (int i = 0; i < NODES; i++) {
      POINTS[i] = rule.getPoint(i);
      WEIGHTS[i] = rule.getWeight(i);
    }
  }

  private final double shape;
  private final double peak;

  /**
   * Creates the law.
   *
   * @param shape at least 1/2
   */
  public LogGammaLaw(double shape) {
    this.shape = shape;
    peak = Math.sqrt(shape / (2.0 * Math.PI)) * Math.exp(-stirling(shape));
  }

  /** The density of T at 0, where it is largest. */
  public double peak() {
    return peak;
  }

  // G has density g^(a-1) e^-g / Gamma(a), so T, with g = a e^t, has the density
  //   a^a e^(a t - a e^t) / Gamma(a) = [a^a e^-a / Gamma(a)] e^(-a phi(t)),
  // where phi(t) = e^t - 1 - t, and the bracket is sqrt(a / 2 pi) e^-stirling(a). For a = 5e5 this
  // exponent is accurate to its last digits, while a ln g - g - ln Gamma(a) is not.

  /** Returns {@code exp(t) - 1 - t}, to a few units in the last place. */
  public static double phi(double t) {
    if (Math.abs(t) > 0.5) {
      return Math.expm1(t) - t;
    }
    double sum = 1.0;
    for (int k = 16; k >= 3; k--) {
      sum = 1.0 + sum * t / k;
    }
    return 0.5 * t * t * sum;
  }

  /**
   * Returns {@code E[(1 - exp(-excess(T - start))); T > start]}.
   *
   * @param excess the loss above epsilon at a distance from the start; 0 at 0, increasing
   */
  public double above(double start, DoubleUnaryOperator excess) {
    double reach = reach(Math.max(start, 0.0));
    double near = Math.max(start, -reach);
    return integral(start, 1.0, new Span(near - start, Math.log1p(reach) - start, false), excess);
  }

  /** Returns {@code E[(1 - exp(-excess(start - T))); T < start]}. */
  public double below(double start, DoubleUnaryOperator excess) {
    double reach = reach(Math.min(start, 0.0));
    double near = Math.min(start, Math.log1p(reach));
    return integral(start, -1.0, new Span(start - near, start + reach, false), excess);
  }

  /** Returns {@link #below} without the part below a floor, where the excess may be infinite. */
  double between(double floor, double start, DoubleUnaryOperator excess) {
    double reach = reach(Math.max(floor, Math.min(start, 0.0)));
    double near = Math.min(start, Math.log1p(reach));
    double far = Math.max(floor, -reach);
    return near <= far
        ? 0.0
        : integral(start, -1.0, new Span(start - near, start - far, far == floor), excess);
  }

  // With y = phi(top) + DROP / a and x = sqrt(2 y), phi(t) >= y
  // - from t = ln(1 + x + x^2/2) on, since e^x >= 1 + x + x^2/2;
  // - up to t = -(x + x^2/2), since ln(1 - x) <= -x - x^2/2.
  // Both are sharp for small and for large x.

  /**
   * Returns r = {@code x + x^2 / 2}: the part of the law below -r and the part above log1p(r) are
   * negligible.
   */
  private double reach(double top) {
    double far = phi(top) + DROP / shape;
    return far + Math.sqrt(2.0 * far);
  }

  /**
   * A range of distances from the start.
   *
   * @param near the least distance
   * @param far the largest distance
   * @param graded whether the far end needs short panels too
   */
  private record Span(double near, double far, boolean graded) {}

  // Gauss-Legendre in panels. The excess may rise from 0 within a short part of the span, so the
  // first panel is halved towards the start until the excess is small in the last part; it may
  // have a power-law corner at the far end (between), and is then halved towards that too.
  private double integral(double start, double sign, Span span, DoubleUnaryOperator excess) {
    double width = (span.far - span.near) / PANELS;
    double end = excess.applyAsDouble(span.near + width);
    int halvings = 0;
    for (; end > 2.0 && end < Double.POSITIVE_INFINITY && halvings < MOST_HALVINGS; halvings++) {
      end *= 0.5;
    }
    int more = span.graded ? (int) Math.ceil(45.0 / Math.max(1.5, Math.min(shape, 15.0))) : 0;
    double sum = 0.0;
    for (int i = -halvings; i < PANELS + more; i++) {
      double from = span.near + width * edge(i, halvings, more);
      double to = span.near + width * edge(i + 1, halvings, more);
      sum += panel(start, sign, new Span(from, to, false), excess);
    }
    return peak * sum;
  }

  /** Returns the near edge of a panel, in panel widths from the near end. */
  private static double edge(int panel, int halvings, int more) {
    if (panel == -halvings) {
      return 0.0;
    }
    if (panel <= 1) {
      return Math.scalb(1.0, panel - 1);
    }
    if (panel < PANELS) {
      return panel;
    }
    return panel == PANELS + more ? PANELS : PANELS - Math.scalb(1.0, PANELS - 1 - panel);
  }

  private double panel(double start, double sign, Span span, DoubleUnaryOperator excess) {
    double half = 0.5 * (span.far - span.near);
    double middle = span.near + half;
    double sum = 0.0;
    for (int i = 0; i < NODES; i++) {
      double distance = middle + half * POINTS[i];
      double weight = -Math.expm1(-excess.applyAsDouble(distance));
      sum += WEIGHTS[i] * weight * Math.exp(-shape * phi(start + sign * distance));
    }
    return sum * half;
  }

  /**
   * Returns {@code ln Gamma(a) - ((a - 1/2) ln a - a + ln(2 pi) / 2)}, absolute error below 1e-14.
   */
  static double stirling(double a) {
    if (a < 16.0) {
      return LogGamma.value(a) - ((a - 0.5) * Math.log(a) - a + 0.5 * Math.log(2.0 * Math.PI));
    }
    double s = 1.0 / (a * a);
    return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188)))) / a;
  }
}
