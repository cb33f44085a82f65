package io.gauze.mechanism.descent;

import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;

/** Noisy sums over the rows of one release. Each call spends budget, and draws fresh noise. */
public interface DescentSums {
  /** The sums that say where rows lie. */
  RowSums first();

  /**
   * Returns the noisy numbers of rows by the norm of their gradients, in the cells of {@link
   * io.gauze.mechanism.twostage.NormCells} and in units of two-stage-moments; called once.
   */
  long[] sizes(RowGradient gradient);

  /**
   * Returns the noisy numbers of rows by the last entry under a transform, in the cells of {@link
   * ResidualCells} and in units of two-stage-moments; called twice, for losses that are not
   * squared.
   */
  long[] residuals(RowTransform transform);

  /**
   * Returns the noisy sum of gradients that are shortened to norm 1, in units of {@link
   * DescentPlan#UNIT}; called once a step.
   *
   * @param rounds that were made before, which decide the noise
   */
  long[] gradient(RowGradient gradient, int rounds);
}
