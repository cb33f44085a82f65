package io.gauze.sketch;

import io.gauze.row.RowBatch;

/**
 * {@link SecondMoments} of the rows of each stratum, where a weighted sum of the row's entries
 * decides the stratum: the residual of a public linear model, in units that place most residuals in
 * [-1, 1]. That interval is cut into K equal parts; smaller and larger sums are in the first and
 * last part. Not from the literature.
 *
 * <p>State: K upper triangles of D (D + 1) / 2 longs, stratum by stratum, in squared grid steps.
 * Exact like {@link SecondMoments}: the weighted sum is computed in doubles in the order of the
 * entries, so that equal rows are in equal strata on all machines. Cost: O(D^2) per update; large
 * batches take less. The row's tag is not used.
 */
public final class ResidualStrata extends LinearSketch<ResidualStrata> {
  private final ResidualStrataSpec spec;
  private final MomentBatches batches;
  private final double[] weights; // in parts per grid step

  ResidualStrata(ResidualStrataSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.batches = new MomentBatches(spec.dimension(), spec.strata());
    double scale = 0.5 * spec.strata() * spec.grid().step();
    this.weights = spec.weights().stream().mapToDouble(weight -> weight * scale).toArray();
  }

  /** Creates an empty sketch. */
  public static ResidualStrata create(ResidualStrataSpec spec) {
    return spec.zero();
  }

  @Override
  public ResidualStrataSpec spec() {
    return spec;
  }

  @Override
  public ResidualStrata copy() {
    return new ResidualStrata(spec, state.clone());
  }

  /** Returns the stratum of the row whose entries start at {@code from}. */
  private int stratum(int[] values, int from) {
    double part = 0.5 * spec.strata();
    for (int i = 0; i < weights.length; i++) {
      part += weights[i] * values[from + i];
    }
    return Math.max(0, Math.min(spec.strata() - 1, (int) Math.floor(part)));
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    int at = stratum(values, from) * (state.length / spec.strata());
    MomentKernel.addRow(values, from, spec.dimension(), sign, state, at);
  }

  @Override
  void update(RowBatch batch) {
    int[] groups = batches.groups(batch.size());
    for (int k = 0; k < batch.size(); k++) {
      int stratum = stratum(batch.values(), k * spec.dimension());
      groups[k] = 2 * stratum + (batch.signs()[k] < 0 ? 1 : 0);
    }
    batches.add(batch, state);
  }
}
