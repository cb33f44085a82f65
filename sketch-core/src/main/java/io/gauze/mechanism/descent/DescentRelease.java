package io.gauze.mechanism.descent;

import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.twostage.NormCounts;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.mechanism.twostage.WhitenedRows;
import io.gauze.payload.FitMethod;
import java.util.Arrays;

/**
 * The order of the parts of a release: noisy sums lead to a public transform of rows, a public
 * bound of gradients and public models, under which the next sums are made. Nothing else of the
 * rows has a part in it.
 *
 * @param features their number, with the constant
 * @param noise the deviations of all noise
 * @param intercept the constant of encoded rows
 */
public record DescentRelease(int features, FitMethod.Steps noise, double intercept) {
  /** Numbers are rounded to multiples of 2^-32; they are public by then. */
  private static final int OUTPUT_BITS = 32;

  /** The unit of a release's numbers. */
  public static final double OUTPUT_UNIT = Math.scalb(1.0, -OUTPUT_BITS);

  private static final double LARGEST = 0x1p30;

  /** Residuals are taken for at least so much of what they are under the first model. */
  private static final double LEAST_RESIDUAL = 0.05;

  /** Returns the numbers of a release of these sums. O(D^3) time beside that of the sums. */
  public long[] numbers(DescentSums sums) {
    WhitenedRows white =
        WhitenedRows.of(sums.first(), features + 1, intercept, noise.rounds(), noise.counts());
    double unit = Math.sqrt(white.square());
    DoubleVector start = DoubleVector.generate(features, k -> 0.0);
    long[] counted = sums.sizes(new RowGradient(white.transform(), start, unit));
    NormCounts sizes = new NormCounts(TwoStageRelease.values(counted), noise.counts());
    double step = noise.steps().get(white.rounds() - 1);
    double rows = Math.max(white.rows(), sizes.rows());
    ClipChoice clip = ClipChoice.of(sizes, features, step / rows);
    double[] mean = mean(sums, white, unit * clip.bound(), rows);
    double moved = white.square() * clip.variance();
    double residual = residual(mean, moved);
    double noise = features * moved / residual;
    double cut = white.square() * clip.cut() * clip.cut() / residual;
    double response = white.response() / residual;
    double most = white.isClear() ? noise + cut : Math.max(noise + cut, response - 1.0);
    double[] told = {excess(noise + Tuning.PULL * cut), excess(most), response};
    return joined(coefficients(white, mean), told);
  }

  /** The relative excess of the root mean square by a mean square over that of residuals. */
  private static double excess(double square) {
    return Math.sqrt(1.0 + square) - 1.0;
  }

  // The gradient of the sum of squares, over the number of rows, is Newton's step for white rows.
  /** Makes the steps, and returns the mean of the points that whole ones would lead to. */
  private double[] mean(DescentSums sums, WhitenedRows white, double bound, double rows) {
    double whole = bound * DescentPlan.UNIT / rows;
    double[] model = new double[features];
    double[] mean = new double[features];
    for (int step = 0; step < Tuning.STEPS; step++) {
      RowGradient gradient = new RowGradient(white.transform(), DoubleVector.of(model), bound);
      long[] sum = sums.gradient(gradient, white.rounds());
      for (int k = 0; k < features; k++) {
        double point = model[k] + whole * sum[k];
        mean[k] += step < Tuning.UNUSED ? 0.0 : point / (Tuning.STEPS - Tuning.UNUSED);
        model[k] += Tuning.LENGTH * whole * sum[k];
      }
    }
    return mean;
  }

  /** The variance of residuals of the released model, over that of the first one's. */
  private static double residual(double[] model, double moved) {
    double explained = 0.0;
    for (double each : model) {
      explained += each * each - moved;
    }
    return Math.max(LEAST_RESIDUAL, 1.0 - Math.max(0.0, explained));
  }

  // The residual of a row is that of the transform less b'x: a row of entries of the encoded row,
  // of which that of the response is not changed by b.
  private double[] coefficients(WhitenedRows white, double... model) {
    var matrix = white.transform().matrix();
    double ofResponse = matrix.get(features, features);
    double[] coefficients = new double[features];
    for (int j = 0; j < features; j++) {
      double sum = matrix.get(features, j);
      for (int k = j; k < features; k++) {
        sum -= model[k] * matrix.get(k, j);
      }
      coefficients[j] = -sum / ofResponse;
    }
    return coefficients;
  }

  private static long[] joined(double[] coefficients, double... told) {
    double[] all = Arrays.copyOf(coefficients, coefficients.length + told.length);
    System.arraycopy(told, 0, all, coefficients.length, told.length);
    return Arrays.stream(all)
        .mapToLong(value -> Math.round(Math.max(-LARGEST, Math.min(LARGEST, value)) / OUTPUT_UNIT))
        .toArray();
  }
}
