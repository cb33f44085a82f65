package io.gauze.mechanism.twostage;

import java.util.Arrays;
import java.util.List;

/**
 * Where noisy sums of one or two rounds say that rows lie, and a transform of them. Its features
 * are centred and white, as far as the noise lets them be, and its last column is the residual of a
 * first model, of variance 1. A function of these sums alone.
 *
 * @param transform of encoded rows, the response at the last place
 * @param rows an estimate of their number, low if long ones were shortened
 * @param square the expected squared norm of the transformed features, with the constant
 * @param constant the constant of transformed rows
 * @param response the variance of the response over that of the residual
 * @param rounds their number
 * @param isClear whether no direction of the rows is hidden by the noise of the last round
 */
public record WhitenedRows(
    RowTransform transform,
    double rows,
    double square,
    double constant,
    double response,
    int rounds,
    boolean isClear) {
  /**
   * Makes rounds until the noise hides little of the rows. O(D^3) time beside that of the sums.
   *
   * @param dimension D, the response being the last column
   * @param intercept the constant of encoded rows
   * @param deviations of the noise in the moments of each round that there may be
   * @param ofCounts the deviation of the noise in a count of norms
   */
  public static WhitenedRows of(
      RowSums sums, int dimension, double intercept, List<Double> deviations, double ofCounts) {
    RowTransform same = RowTransform.identity(dimension, dimension - 1);
    FirstStage first = FirstStage.of(sums, same, intercept, deviations, ofCounts);
    Whitening.Step step = first.whitening().ofResponse(1.0);
    RowTransform transform = first.transform().then(step.map()).times(Math.sqrt(step.square()));
    return new WhitenedRows(
        transform,
        first.whitening().rows(),
        step.square() - 1.0,
        transform.constant(intercept),
        first.whitening().lastSquare(step),
        first.rounds(),
        first.whitening().seesAll());
  }

  /** The expected norm of the transformed features, with the constant. */
  public double norm() {
    return Math.sqrt(square);
  }

  /** By what the response is multiplied in the residual of a transformed row. */
  public double ofResponse() {
    int last = transform.dimension() - 1;
    return transform.matrix().get(last, last);
  }

  /**
   * The transform whose last entry is the response, less its mean, over its deviation; the others
   * are as before. A function of this one.
   *
   * @param intercept the constant of encoded rows
   */
  // Whitened rows have the mean (c, 0, ..., 0): that of encoded ones solves a triangular system.
  public RowTransform responses(double intercept) {
    var matrix = transform.matrix();
    int last = transform.dimension() - 1;
    double[] mean = new double[last + 1];
    for (int i = 0; i <= last; i++) {
      double sum = i == 0 ? constant : 0.0;
      for (int j = 0; j < i; j++) {
        sum -= matrix.get(i, j) * mean[j];
      }
      mean[i] = sum / matrix.get(i, i);
    }
    double scale = ofResponse() / Math.sqrt(Math.max(1.0, response));
    double[] lower = transform.entries();
    int from = lower.length - last - 1;
    Arrays.fill(lower, from, lower.length, 0.0);
    lower[from] = -scale * mean[last] / intercept;
    lower[lower.length - 1] = scale;
    return transform.of(lower);
  }
}
