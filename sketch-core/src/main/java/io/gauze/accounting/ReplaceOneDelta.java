package io.gauze.accounting;

import io.gauze.accounting.loss.LogGammaLaw;
import io.gauze.internal.Bisection;

/** The exact delta of a projection if one row is replaced by an orthogonal one. */
// Under the first data set half the sums of squares along the old and the new row are
// (1 + lambda) G1 and G2, with G1 and G2 independent Gamma(a), a = r/2, and the privacy loss is
//   L = lambda G1 - kappa G2,   kappa = lambda / (1 + lambda).
// Given G2 = a e^t it is above epsilon iff G1/a > epsilon / (a lambda) + e^t / (1 + lambda). The
// inner expectation over G1 is LogGammaLaw.above; with chi-squares it is, Y = 2 G2,
//   Fbar_r(x0) - e^(epsilon + kappa Y/2) (1 + lambda)^(-r/2) Fbar_r((1 + lambda) x0),
//   x0 = (2 epsilon + kappa Y) / lambda.
// The outer integrand is analytic on the whole line of t and falls off at both ends, so the
// trapezoid rule converges faster than any power of the step.
final class ReplaceOneDelta {
  private static final int POINTS = 64;
  private static final double LONGEST_STEP = 0.25;

  private final LogGammaLaw law;
  private final double a;
  private final double epsilon;
  private final double lambda;

  ReplaceOneDelta(LogGammaLaw law, double a, double epsilon, double lambda) {
    this.law = law;
    this.a = a;
    this.epsilon = epsilon;
    this.lambda = lambda;
  }

  double delta() {
    double mode = mode();
    double low = drop(mode, -1.0);
    double high = drop(mode, 1.0);
    int steps = (int) Math.max(POINTS, Math.ceil((high - low) / LONGEST_STEP));
    double step = (high - low) / steps;
    double sum = 0.0;
    for (int i = 0; i <= steps; i++) {
      double t = low + i * step;
      double slope = epsilon + lambda / (1.0 + lambda) * a * Math.exp(t);
      double inner = law.above(start(t), u -> slope * Math.expm1(u));
      sum += Math.exp(-a * LogGammaLaw.phi(t)) * inner;
    }
    return law.peak() * step * sum;
  }

  /**
   * Returns the start of the range in which the loss is above epsilon, given the other direction.
   */
  private double start(double t) {
    double shift = epsilon / (a * lambda);
    return ProjectionPrivacy.log(
        shift + Math.exp(t) / (1.0 + lambda), shift + (Math.expm1(t) - lambda) / (1.0 + lambda));
  }

  // Up to factors that vary slowly the outer integrand is exp(-a h(t)),
  //   h(t) = phi(t) + phi(max(start(t), 0)):
  // the density of G2 times the highest density of G1 above its bound. As a
  // function of e^t both parts are convex, so h falls to one minimum, at t <= 0, and rises.

  private double height(double t) {
    return LogGammaLaw.phi(t) + LogGammaLaw.phi(Math.max(start(t), 0.0));
  }

  private double mode() {
    double high = 0.0;
    double low = -1.0;
    while (rises(low)) {
      high = low;
      low *= 2.0;
    }
    return new Bisection(low, high).narrow(60, this::rises).holds();
  }

  /** Checks whether h rises at t: the sign of dh/de^t, 1 - e^-t + (1 - e^-start) / (1 + lambda). */
  private boolean rises(double t) {
    return -Math.expm1(-t) - Math.expm1(-Math.max(start(t), 0.0)) / (1.0 + lambda) > 0.0;
  }

  /** Returns the point on one side of the mode beyond which the integrand is negligible. */
  private double drop(double mode, double side) {
    double limit = height(mode) + LogGammaLaw.DROP / a;
    double out = 1.0 / Math.sqrt(a);
    while (height(mode + side * out) < limit) {
      out *= 2.0;
    }
    Bisection ends = new Bisection(0.0, out).narrow(20, far -> height(mode + side * far) >= limit);
    return mode + side * ends.holds();
  }
}
