package io.gauze.accounting.loss;

/**
 * The exact deltas between {@code tau + 1/c} and {@code tau}, where tau is a chi-square variable.
 */
// tau = 2 a e^T, a = m/2, T of LogGammaLaw. Both losses are of the form (a - 1) ln(...), so the
// loss above epsilon is (a - 1) times the logarithm of a ratio of two such terms, one at the bound
// where the loss is epsilon. The ratio minus 1 is formed without subtracting nearly equal numbers.
public final class ShiftedChiSquare {
  private final double a;
  private final double c;
  private final LogGammaLaw law;

  /**
   * Creates the pair.
   *
   * @param freedom m, at least 3
   * @param scale c, above 0
   */
  public ShiftedChiSquare(int freedom, double scale) {
    a = 0.5 * freedom;
    c = scale;
    law = new LogGammaLaw(a);
  }

  // L1 = 1/(2c) - (a - 1) ln(1 + 1/(c tau)) > epsilon iff tau > tau1, 1/(c tau1) = e^q - 1,
  // q = (1/(2c) - epsilon) / (a - 1); never if q <= 0. With tau = tau1 e^u
  //   L1 - epsilon = (a - 1) ln((1 + 1/(c tau1)) / (1 + 1/(c tau)))
  //                = (a - 1) ln(1 + (e^u - 1) / (c tau + 1)).

  /** Returns delta if the row is present: {@code E[(1 - exp(epsilon - L1))+]}. */
  public double present(double epsilon) {
    double q = (0.5 / c - epsilon) / (a - 1.0);
    if (!(q > 0.0)) {
      return 0.0;
    }
    double bound = 1.0 / Math.expm1(q); // c tau1
    if (bound == 0.0) {
      return 1.0;
    }
    return law.above(
        log(bound), u -> (a - 1.0) * Math.log1p(Math.expm1(u) / (bound * Math.exp(u) + 1.0)));
  }

  // L2 = -1/(2c) - (a - 1) ln(1 - 1/(c tau)) > epsilon iff tau < tau2, 1/(c tau2) = 1 - e^-p,
  // p = (1/(2c) + epsilon) / (a - 1). With tau = tau2 e^-u
  //   L2 - epsilon = (a - 1) ln((1 - 1/(c tau2)) / (1 - 1/(c tau)))
  //                = (a - 1) ln(1 + (1 - e^-u) / (c tau - 1)),  infinite for c tau <= 1.

  /** Returns delta if the row is absent: {@code E[(1 - exp(epsilon - L2))+]}. */
  public double absent(double epsilon) {
    double p = (0.5 / c + epsilon) / (a - 1.0);
    if (!(p > 0.0)) { // every loss is above epsilon, and e^-loss is 1 on average
      return -Math.expm1(epsilon);
    }
    double bound = -1.0 / Math.expm1(-p); // c tau2
    double floor = log(1.0);
    double certain = law.below(floor, u -> Double.POSITIVE_INFINITY);
    return certain + law.between(floor, log(bound), u -> lossBelow(bound, u));
  }

  private double lossBelow(double bound, double u) {
    double rest = bound * Math.exp(-u) - 1.0;
    return rest > 0.0 ? (a - 1.0) * Math.log1p(-Math.expm1(-u) / rest) : Double.POSITIVE_INFINITY;
  }

  /** Returns the T at which c tau has this value. */
  private double log(double scaled) {
    return Math.log(scaled / (2.0 * a * c));
  }
}
