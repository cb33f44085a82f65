package io.gauze.mechanism.twostage;

import io.gauze.linalg.SymmetricMatrix;

/** Noisy sums over the rows of one release. Each call spends budget, and draws fresh noise. */
public interface RowSums {
  /** Returns the noisy second moments of the encoded rows, in the encoded scale; called once. */
  SymmetricMatrix encoded();

  /**
   * Returns the noisy numbers of transformed rows in {@link NormCells}, in units of a release;
   * called once a round.
   *
   * @param round from 1 on
   */
  long[] norms(RowTransform transform, int round);

  /**
   * Returns the noisy second moments of transformed rows that are shortened to norm 1, as an upper
   * triangle in units of a release; called once a round.
   *
   * @param round from 1 on
   * @param isLast whether they are those that are released
   */
  long[] moments(RowTransform transform, int round, boolean isLast);
}
