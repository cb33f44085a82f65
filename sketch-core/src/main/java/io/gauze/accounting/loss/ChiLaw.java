package io.gauze.accounting.loss;

/**
 * The law of {@code v = sqrt(G)}, where G is a standard gamma variable of half-integer shape a. Its
 * density {@code 2 v^(2a-1) e^(-v^2) / Gamma(a)} is analytic at 0 too, and its standard deviation
 * is about 1/2 whatever the shape.
 */
// ln(G / a) = t has density peak e^(-a phi(t)), see LogGammaLaw, and dt = 2 dv / v. With
// x = sqrt(2 DROP / a), a phi >= DROP from t_hi = ln(1 + x + x^2/2) on and up to
// t_lo = -(x + x^2/2). The density of t is log-concave, of slope a |e^t - 1| there, so the mass
// beyond is at most e^-DROP peak / (a |e^t - 1|) < e^-DROP: peak <= sqrt(a / 2 pi), and
// a (1 - e^t_lo) is at least 0.49 for a = 1/2 and grows with a, as sqrt(2 DROP a) does.
final class ChiLaw {
  /** The width over which 8 points follow the change of the density. */
  static final double PANEL = 0x1p-4;

  private final double a;
  private final double root;
  private final double peak;

  ChiLaw(double shape) {
    a = shape;
    root = Math.sqrt(shape);
    peak = new LogGammaLaw(shape).peak();
  }

  double low() {
    double x = Math.sqrt(2.0 * LossLaw.DROP / a);
    return root * Math.exp(-0.5 * (x + 0.5 * x * x));
  }

  double high() {
    double x = Math.sqrt(2.0 * LossLaw.DROP / a);
    return root * Math.sqrt(1.0 + x + 0.5 * x * x);
  }

  double density(double v) {
    double t = 2.0 * Math.log(v / root);
    return 2.0 * peak / v * Math.exp(-a * LogGammaLaw.phi(t));
  }
}
