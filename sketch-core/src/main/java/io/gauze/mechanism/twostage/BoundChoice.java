package io.gauze.mechanism.twostage;

/**
 * Chooses the bound to which transformed rows are shortened: the least sum of what noise and what
 * shortening are expected to add to the mean square of the residuals of a fit. Noise adds its
 * variance, which grows with the bound's fourth power; {@link NormCounts#cost} falls.
 */
final class BoundChoice {
  /** The cell whose upper edge is the least bound: 0.35 of the mean square. */
  private static final int LEAST = 1;

  private BoundChoice() {}

  /**
   * Returns the squared bound, in the unit of {@link NormCells}.
   *
   * @param step the transform's last step
   * @param rows an estimate of their number
   * @param deviation of the noise in moments of rows of norm 1, on the diagonal
   */
  static double square(NormCounts counts, Whitening.Step step, double rows, double deviation) {
    double best = NormCells.upper(LEAST);
    double least = Double.POSITIVE_INFINITY;
    for (int cell = LEAST; cell < NormCells.COUNT - 1; cell++) {
      double bound = NormCells.upper(cell);
      double noise = deviation * bound * step.square() / (2.0 * rows);
      double cost = noise * noise * step.coefficients() + counts.cost(bound) * step.columns();
      if (cost < least) {
        least = cost;
        best = bound;
      }
    }
    return best;
  }
}
