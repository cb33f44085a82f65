package io.gauze.sketch;

import io.gauze.row.RowBatch;

/**
 * {@link SecondMoments} of the rows of each stratum. The public range of a column, the response of
 * later fits, is cut into K equal parts, and a row is added to the stratum of its value. The sum of
 * the strata is the second moments of all rows; the single strata show how losses change along the
 * response, which least absolute deviations and quantiles need. Not from the literature.
 *
 * <p>State: K upper triangles of D (D + 1) / 2 longs, stratum by stratum, in squared grid steps.
 * Exact like {@link SecondMoments}. Cost: O(D^2) per update; large batches take less. The row's tag
 * is not used.
 */
public final class StratifiedMoments extends LinearSketch<StratifiedMoments> {
  private final StratifiedMomentsSpec spec;
  private final MomentBatches batches;

  StratifiedMoments(StratifiedMomentsSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.batches = new MomentBatches(spec.dimension(), spec.strata());
  }

  /** Creates an empty sketch. */
  public static StratifiedMoments create(StratifiedMomentsSpec spec) {
    return spec.zero();
  }

  @Override
  public StratifiedMomentsSpec spec() {
    return spec;
  }

  @Override
  public StratifiedMoments copy() {
    return new StratifiedMoments(spec, state.clone());
  }

  /** Returns the second moments of all rows, which are the sum of the strata. */
  public SecondMoments total() {
    SecondMoments total = spec.moments().zero();
    for (int i = 0; i < state.length; i++) {
      total.state[i % total.state.length] += state[i];
    }
    return total;
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    int stratum = spec.stratum(values[from + spec.column()]);
    int at = stratum * (state.length / spec.strata());
    MomentKernel.addRow(values, from, spec.dimension(), sign, state, at);
  }

  @Override
  void update(RowBatch batch) {
    int[] groups = batches.groups(batch.size());
    for (int k = 0; k < batch.size(); k++) {
      int value = batch.values()[k * spec.dimension() + spec.column()];
      groups[k] = 2 * spec.stratum(value) + (batch.signs()[k] < 0 ? 1 : 0);
    }
    batches.add(batch, state);
  }

  @Override
  void updateSparse(RowBatch batch) {
    int length = state.length / spec.strata();
    for (int k = 0; k < batch.size(); k++) {
      int stratum = spec.stratum(batch.entry(k, spec.column()));
      MomentKernel.addCells(batch, k, state, stratum * length);
    }
  }
}
