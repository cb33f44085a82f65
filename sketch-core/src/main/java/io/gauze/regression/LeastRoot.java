package io.gauze.regression;

import org.apache.commons.math3.analysis.integration.gauss.GaussIntegrator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.InverseErfc;

/**
 * The law of the least root k1 of a test beside the second one, k2, where noise hides the
 * coefficients that the test leaves open: of density proportional to
 *
 * <pre>  exp(-k1 / 2) sqrt((k2 - k1) / k1),   0 &lt;= k1 &lt;= k2.</pre>
 *
 * <p>It is chi-square with one degree of freedom if k2 is infinite, and the smaller the smaller k2
 * is. With these quantiles the test has its level however many coefficients are left open (P.
 * Guggenberger, F. Kleibergen and S. Mavroeidis, A more powerful subvector Anderson Rubin test in
 * linear instrumental variables regression, Quantitative Economics 10, 2019, with as many scores as
 * coefficients; for the second root in place of the largest: Best feasible conditional critical
 * values for a more powerful subvector Anderson-Rubin test, arXiv 2601.17843, 2026).
 */
final class LeastRoot {
  /** Beyond so many deviations there is nothing of a normal law. */
  private static final double NOTHING = 9.0;

  /** Right to 11 digits. */
  private static final GaussIntegrator RULE = new GaussIntegratorFactory().legendre(24);

  /** From here on a tail and its normal quantile are computed with rounding errors alone. */
  private static final double LEAST_TAIL = 1e-250;

  private LeastRoot() {}

  /** Returns the probability that k1 exceeds a value, in [0, second]. */
  static double beyond(double least, double second) {
    double y = Math.sqrt(least);
    if (Double.isInfinite(second)) {
      return Erfc.value(y / Math.sqrt(2.0));
    }
    double tail = mass(y, y + Math.min(NOTHING, 5.0 * NOTHING / y), second);
    return tail / (mass(0.0, Math.min(y, NOTHING), second) + tail);
  }

  /**
   * Returns the value that the size of a normal variable exceeds as often as k1 exceeds its own.
   */
  static double distance(double least, double second) {
    double beyond = Double.isInfinite(second) ? 0.0 : beyond(least, second);
    return beyond > LEAST_TAIL ? Math.sqrt(2.0) * InverseErfc.value(beyond) : Math.sqrt(least);
  }

  // The integral of the density of y = sqrt(k1). With y = sqrt(k2) sin(angle) the root has no
  // infinite slope at the end.
  private static double mass(double from, double to, double second) {
    double most = Math.sqrt(second);
    double low = Math.asin(Math.min(1.0, from / most));
    double high = Math.asin(Math.min(1.0, to / most));
    double middle = 0.5 * (low + high);
    double half = 0.5 * (high - low);
    double sum = 0.0;
    for (int k = 0; k < RULE.getNumberOfPoints(); k++) {
      double sine = Math.sin(middle + half * RULE.getPoint(k));
      sum += RULE.getWeight(k) * Math.exp(-0.5 * second * sine * sine) * (1.0 - sine * sine);
    }
    return half * sum;
  }
}
