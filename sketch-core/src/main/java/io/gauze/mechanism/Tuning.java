package io.gauze.mechanism;

/** The constants of this package that were chosen on data. They decide plans and predictions. */
final class Tuning {
  /**
   * The square of a row bound over the mean square of rows, about.
   *
   * <p>Unit: none, at least 1. Data: the bounds that are planned for the six data sets of
   * benchmarks/results/excess.md, whose kappa is from 1.15 to 3. Chosen: by hand. Figure: none is
   * kept; the excess that {@code advise} predicts with it for ridge is within a factor of 4 of the
   * real one in half of the lines (benchmarks/results/predictions.md).
   */
  static final double BOUND_OVER_SQUARES = 1.3;

  /**
   * The least share of the room in a row bound that columns of numbers have beside codes.
   *
   * <p>Unit: none, in (0, 1). Data: none. Chosen: by hand, as a guard where codes alone fill the
   * bound. Figure: none is kept.
   */
  static final double LEAST_OF_NUMBERS = 0.05;

  private Tuning() {}
}
