package io.gauze.accounting;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** delta = E (1 - exp(epsilon - L))+ by simulation of the privacy loss L. */
final class SimulatedLoss {
  static final int DRAWS = 1_000_000;

  /** An estimate of delta and its standard error. */
  record Estimate(double mean, double error) {
    /** How many standard errors a delta is below the estimate. */
    double z(double delta) {
      return (mean - delta) / error;
    }

    static Estimate larger(Estimate one, Estimate other) {
      return one.mean > other.mean ? one : other;
    }
  }

  private SimulatedLoss() {}

  static Estimate delta(double epsilon, long seed, ToDoubleFunction<SplittableRandom> loss) {
    SplittableRandom random = new SplittableRandom(seed);
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < DRAWS; i++) {
      double excess = Math.max(0.0, -Math.expm1(epsilon - loss.applyAsDouble(random)));
      sum += excess;
      squares += excess * excess;
    }
    double mean = sum / DRAWS;
    return new Estimate(mean, Math.sqrt((squares / DRAWS - mean * mean) / DRAWS));
  }

  /** A chi-square variable: squares up to two degrees of freedom, else Marsaglia and Tsang. */
  static double chiSquare(int freedom, SplittableRandom random) {
    if (freedom <= 2) {
      double first = random.nextGaussian();
      double second = freedom == 2 ? random.nextGaussian() : 0.0;
      return first * first + second * second;
    }
    double d = 0.5 * freedom - 1.0 / 3.0;
    while (true) {
      double z = random.nextGaussian();
      double root = 1.0 + z / Math.sqrt(9.0 * d);
      double cube = root * root * root;
      if (root > 0.0
          && Math.log(1.0 - random.nextDouble())
              < 0.5 * z * z + d - d * cube + d * Math.log(cube)) {
        return 2.0 * d * cube;
      }
    }
  }
}
