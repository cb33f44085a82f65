package io.gauze.accounting;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.AllowedSolution;
import org.apache.commons.math3.analysis.solvers.BracketingNthOrderBrentSolver;

/** Finds the noise that a delta needs: the root of a falling function, rounded to the safe side. */
final class ConservativeRootFinder {
  /**
   * A bound on the relative error of a computed delta. All upper bounds are larger than the
   * computed delta by this much.
   */
  static final double SLACK = 1e-11;

  private static final double SMALLEST_LOG = -1e3;

  private ConservativeRootFinder() {}

  /**
   * Returns the least noise at which the computed delta, with its error added, is at most the
   * wanted delta.
   *
   * @param delta falls with the noise, from at least {@code wanted} to 0
   * @param wanted the wanted delta
   * @param guess above 0; a good guess saves time
   */
  static double least(DoubleUnaryOperator delta, double wanted, double guess) {
    // In logarithms on both axes the curve is nearly straight, whatever the sizes.
    UnivariateFunction excess =
        x -> {
          double ratio = delta.applyAsDouble(Math.exp(x)) * (1.0 + SLACK) / wanted;
          return Math.max(SMALLEST_LOG, Math.log(ratio));
        };
    double low = Math.log(guess);
    double high = low;
    if (excess.value(low) > 0.0) {
      for (double step = 0.05; excess.value(high) > 0.0; step *= 2.0) {
        low = high;
        high += step;
      }
    } else {
      for (double step = 0.05; !(excess.value(low) > 0.0); step *= 2.0) {
        high = low;
        low -= step;
      }
    }
    double root =
        new BracketingNthOrderBrentSolver(1e-15, 1e-13, 1e-13, 5)
            .solve(200, excess, low, high, AllowedSolution.BELOW_SIDE);
    double noise = Math.exp(root);
    while (delta.applyAsDouble(noise) * (1.0 + SLACK) > wanted) {
      noise *= 1.0 + 0x1p-45;
    }
    return noise;
  }
}
