package io.gauze.mechanism.twostage;

/** Noisy sums over the rows of one release. Each call spends budget, and draws fresh noise. */
public interface StrataSums {
  /** The sums of the moments of all rows. */
  RowSums moments();

  /**
   * Returns the noisy second moments of the rows of each stratum, of transformed rows that are
   * shortened to norm 1, as upper triangles in units of a release; called once.
   */
  long[] strata(RowTransform transform, ResidualWeights weights);
}
