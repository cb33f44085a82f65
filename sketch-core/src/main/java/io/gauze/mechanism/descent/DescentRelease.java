package io.gauze.mechanism.descent;

import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.twostage.NormCounts;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.mechanism.twostage.WhitenedRows;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The order of the parts of a release: noisy sums lead to a public transform of rows, a public
 * bound, of some losses a public threshold, and public models, under which the next sums are made.
 * Nothing else of the rows has a part in it.
 *
 * @param features their number, with the constant
 * @param noise the deviations of all noise
 * @param intercept the constant of encoded rows
 * @param loss that is asked for, squared or of a quantile
 */
public record DescentRelease(
    int features, FitMethod.Steps noise, double intercept, FittedLoss loss) {
  /** Numbers are rounded to multiples of 2^-32; they are public by then. */
  private static final int OUTPUT_BITS = 32;

  /** The unit of a release's numbers. */
  public static final double OUTPUT_UNIT = Math.scalb(1.0, -OUTPUT_BITS);

  private static final double LARGEST = 0x1p30;

  /** Residuals are taken for at least so much of what they are under the first model. */
  static final double LEAST_RESIDUAL = 0.05;

  /** Returns the numbers of a release of these sums. O(D^3) time beside that of the sums. */
  public long[] numbers(DescentSums sums) {
    WhitenedRows white =
        WhitenedRows.of(sums.first(), features + 1, intercept, noise.rounds(), noise.counts());
    double deviation = noise.steps().get(white.rounds() - 1);
    DescentChoice choice =
        loss.isSquared()
            ? SquaredChoice.of(
                white,
                sizes(sums, white, new RowWeight.OfSquares(white.norm())),
                features,
                deviation)
            : round(sums, white, deviation);
    DescentPath path = path(sums, white, choice);
    return joined(coefficients(white, path.mean()), choice.told(path));
  }

  private RoundChoice round(DescentSums sums, WhitenedRows white, double deviation) {
    NormCounts sizes = sizes(sums, white, new RowWeight.OfNothing(white.norm()));
    double[] residuals = TwoStageRelease.values(sums.residuals(white.transform()));
    // As with the curvature, the largest number that is likely makes steps short.
    double unseen = noise.counts() * Math.sqrt(residuals.length);
    double rows = Math.max(white.rows(), sizes.rows()) + unseen;
    ResidualLaw law = ResidualLaw.of(residuals, noise.counts(), rows);
    double[] responses = TwoStageRelease.values(sums.residuals(white.responses(intercept)));
    ResidualLaw ofResponses = ResidualLaw.of(responses, noise.counts(), rows);
    RoundLoss asked = new RoundLoss(loss.quantile(), loss.threshold() * white.ofResponse());
    return RoundChoice.of(white, features, rows, sizes, law, ofResponses, asked, deviation);
  }

  private NormCounts sizes(DescentSums sums, WhitenedRows white, RowWeight weight) {
    DoubleVector none = DoubleVector.generate(features, k -> 0.0);
    long[] counted = sums.sizes(new RowGradient(white.transform(), none, weight));
    return new NormCounts(TwoStageRelease.values(counted), noise.counts());
  }

  /** Makes the steps. */
  private DescentPath path(DescentSums sums, WhitenedRows white, DescentChoice choice) {
    double whole = choice.whole() * DescentPlan.UNIT;
    RowWeight weight = choice.weight();
    double[] model = new double[features];
    model[0] = choice.start();
    List<double[]> points = new ArrayList<>();
    for (int step = 0; step < Tuning.STEPS; step++) {
      RowGradient gradient = new RowGradient(white.transform(), DoubleVector.of(model), weight);
      long[] sum = sums.gradient(gradient, white.rounds());
      double[] point = new double[features];
      for (int k = 0; k < features; k++) {
        point[k] = model[k] + whole * sum[k];
        model[k] += Tuning.LENGTH * whole * sum[k];
      }
      points.add(point);
    }
    return DescentPath.of(points.subList(Tuning.UNUSED, Tuning.STEPS));
  }

  // The residual of a row is that of the transform less b'x: a row of entries of the encoded row,
  // of which that of the response is not changed by b.
  private double[] coefficients(WhitenedRows white, DoubleVector model) {
    var matrix = white.transform().matrix();
    double ofResponse = matrix.get(features, features);
    double[] coefficients = new double[features];
    for (int j = 0; j < features; j++) {
      double sum = matrix.get(features, j);
      for (int k = j; k < features; k++) {
        sum -= model.get(k) * matrix.get(k, j);
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
