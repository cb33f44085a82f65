package io.gauze.mechanism.descent;

import io.gauze.mechanism.twostage.NormCounts;
import io.gauze.mechanism.twostage.WhitenedRows;

/**
 * Steps down the gradient of least squares.
 *
 * @param white where rows lie
 * @param clip of gradients
 * @param features their number
 * @param rows an estimate of theirs
 */
record SquaredChoice(WhitenedRows white, ClipChoice clip, int features, double rows)
    implements DescentChoice {
  /**
   * Chooses the bound of gradients.
   *
   * @param sizes of gradients over the expected norm
   * @param deviation of the noise in an entry of a step
   */
  static SquaredChoice of(WhitenedRows white, NormCounts sizes, int features, double deviation) {
    double rows = Math.max(white.rows(), sizes.rows());
    return new SquaredChoice(
        white, ClipChoice.ofGradients(sizes, features, deviation / rows), features, rows);
  }

  private double bound() {
    return white.norm() * clip.bound();
  }

  @Override
  public RowWeight weight() {
    return new RowWeight.OfSquares(bound());
  }

  // The gradient of the sum of squares, over the number of rows, is Newton's step for white rows.
  @Override
  public double whole() {
    return bound() / rows;
  }

  @Override
  public double start() {
    return 0.0;
  }

  @Override
  public double[] told(DescentPath path) {
    double moved = white.square() * clip.variance();
    double explained = path.moved(0.0, moved);
    double residual = Math.max(DescentRelease.LEAST_RESIDUAL, 1.0 - explained);
    double noise = features * moved / residual;
    double cut = white.square() * clip.cut() * clip.cut() / residual;
    double response = white.response() / residual;
    double most = white.isClear() ? noise + cut : Math.max(noise + cut, response - 1.0);
    return new double[] {excess(noise + Tuning.PULL * cut), excess(most), response};
  }

  /** The relative excess of the root mean square by a mean square over that of residuals. */
  private static double excess(double square) {
    return Math.sqrt(1.0 + square) - 1.0;
  }
}
