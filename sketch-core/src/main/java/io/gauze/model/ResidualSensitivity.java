package io.gauze.model;

import io.gauze.accounting.Neighbours;
import java.util.Objects;

/**
 * How far one row moves the statistics of {@link ResidualStatistics}, in standard deviations of
 * their noise: the mu of all of them together. PROOF-residual-sensitivity.md has the proof.
 *
 * @param featureBound B_x
 * @param gradientStep the step of a row's part of the gradient, in the encoded scale
 * @param featureStep the step of a row whose product is added to the Hessian
 */
record ResidualSensitivity(double featureBound, double gradientStep, double featureStep) {
  private static final double ROUNDED_UP = 1.0 + 0x1p-40;

  /** A bound on what rounding toward zero takes from an entry, in steps. */
  private static final double STEPS = 1.0 + 0x1p-20;

  /** Returns the mu of one row under noise. */
  // c, a and b are the squares of what an added row moves counts, gradient and Hessian by.
  double mu(Neighbours neighbours, ResidualNoise noise) {
    Objects.requireNonNull(neighbours, "neighbours");
    double square = featureBound * featureBound;
    double c = 1.0 / (noise.counts() * noise.counts());
    double a = square / (noise.gradient() * noise.gradient());
    double b = square * square / (noise.hessian() * noise.hessian());
    if (neighbours == Neighbours.ADD_REMOVE) {
      return ROUNDED_UP * Math.sqrt(c + a + b);
    }
    double inOneCell = Math.sqrt(2.0 * c + replaced(a, b)) + rounding(noise);
    double inTwoCells = Math.sqrt(2.0 * (c + a + b));
    return ROUNDED_UP * Math.max(inOneCell, inTwoCells);
  }

  // With x the cosine of the angle between the features of both rows,
  //   max over x in [0, 1] of 2 a (1 + x) + b max(1, 2 (1 - x^2)).
  // The first form of the maximum of 2 a (1 + x) + 2 b (1 - x^2) is at x = a / 2 b.
  private static double replaced(double a, double b) {
    double between = a < 2.0 * b ? 2.0 * a + 2.0 * b + 0.5 * a * a / b : 4.0 * a;
    return Math.max(4.0 * a + b, between);
  }

  /** What rounding adds to the distance, since it turns both rows a little. */
  private double rounding(ResidualNoise noise) {
    double root = STEPS * Math.sqrt(noise.features());
    return 2.0 * root * gradientStep / noise.gradient()
        + 4.0 * root * featureBound * featureStep / noise.hessian();
  }
}
