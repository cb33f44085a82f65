package io.gauze.benchmarks.papers;

import java.util.SplittableRandom;

/**
 * The functional mechanism as A. Dandekar, D. Basu and S. Bressan (2018) describe it, for a broken
 * reference: columns are scaled by the data and the penalty is chosen on the data, so that it is
 * NOT private; each of the d^2 coefficients has noise of its own.
 */
final class PublishedFunctional {
  /** A penalty lambda (alpha |t|_2^2 + (1 - alpha) |t|_1); alpha is NaN for none. */
  record Penalty(String name, double alpha) {
    boolean isNone() {
      return Double.isNaN(alpha);
    }
  }

  private static final int SWEEPS = 300;
  private static final double BOX = 10; // where a fit without a minimum ends

  private PublishedFunctional() {}

  /** Returns the moments of an objective with Laplace noise of scale 2 (d + 1)^2 / epsilon. */
  static double[][] noisy(double[][] moments, double epsilon, SplittableRandom random) {
    int d = moments.length - 1;
    double scale = 2.0 * (d + 1) * (d + 1) / epsilon;
    double[][] noisy = Matrix.copy(moments);
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        double noise = 0.5 * laplace(scale, random); // only (N + N') / 2 enters the objective
        noisy[i][j] += noise;
        noisy[j][i] += noise;
      }
      double linear = 0.5 * laplace(scale, random); // of -2 X'y
      noisy[i][d] += linear;
      noisy[d][i] += linear;
    }
    return noisy;
  }

  static double laplace(double scale, SplittableRandom random) {
    double magnitude = -scale * Math.log1p(-random.nextDouble());
    return random.nextBoolean() ? magnitude : -magnitude;
  }

  /** Returns the stationary point, or what coordinate descent in a box finds if there is an l1. */
  static double[] fit(double[][] moments, Penalty penalty, double lambda) {
    if (penalty.isNone()) {
      return Matrix.regression(moments);
    }
    if (penalty.alpha() == 1) {
      double[][] ridged = Matrix.plusDiagonal(moments, lambda);
      return Matrix.regression(ridged);
    }
    return descend(moments, lambda * penalty.alpha(), lambda * (1 - penalty.alpha()));
  }

  private static double[] descend(double[][] moments, double square, double absolute) {
    int d = moments.length - 1;
    double[] theta = new double[d];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      double moved = 0;
      for (int j = 0; j < d; j++) {
        double slope = moments[j][d];
        for (int k = 0; k < d; k++) {
          slope -= k == j ? 0 : moments[j][k] * theta[k];
        }
        double next = best(moments[j][j] + square, slope, 0.5 * absolute);
        moved = Math.max(moved, Math.abs(next - theta[j]));
        theta[j] = next;
      }
      if (moved < 1e-9) {
        break;
      }
    }
    return theta;
  }

  /** Minimises a t^2 - 2 s t + 2 c |t| over the box. */
  private static double best(double a, double s, double c) {
    double inside = Math.max(0, Math.abs(s) - c) / a;
    double size = a > 0 ? Math.min(BOX, inside) : BOX;
    return Math.signum(s) * size;
  }
}
