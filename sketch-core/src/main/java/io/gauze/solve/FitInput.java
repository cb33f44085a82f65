package io.gauze.solve;

/**
 * What a regression is fitted on: second moments of encoded rows, exact or with known noise.
 *
 * <p>Column 0 is the intercept: the constant {@link #intercept} in every row (less where a row was
 * clipped, which scales all of it and so leaves a linear relation between its columns as it is).
 */
public sealed interface FitInput permits ExactMoments, ReleasedMoments, ReleasedRows {
  /**
   * Sums of products of columns, in encoded units; unbiased for the moments of the rows, not
   * necessarily positive semidefinite.
   */
  SymmetricMatrix moments();

  /** The constant c0 that rows carry at index 0. */
  double intercept();

  /** D: the number of columns, with the intercept. */
  default int dimension() {
    return moments().dimension();
  }
}
