package io.gauze.sketch;

import io.gauze.row.ColumnBatch;
import io.gauze.row.RowBatch;

/**
 * The sum of {@code a a'} over the rows a, which determines every quadratic loss without error.
 *
 * <p>State: the upper triangle, row by row ({@link SecondMomentsSpec#index}), D (D + 1) / 2 longs
 * in squared grid steps; an entry off the diagonal is stored once and not doubled. Exact for up to
 * {@link io.gauze.row.Grid#MAX_ROWS} rows. Cost: O(D^2) per update; large batches take a third of
 * the time, and sparse ones O(cells^2). The row's tag is not used.
 */
public final class SecondMoments extends LinearSketch<SecondMoments> {
  private final SecondMomentsSpec spec;
  private final MomentBatches batches;

  SecondMoments(SecondMomentsSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.batches = new MomentBatches(spec.dimension(), 1);
  }

  /** Creates an empty sketch. */
  public static SecondMoments create(SecondMomentsSpec spec) {
    return spec.zero();
  }

  @Override
  public SecondMomentsSpec spec() {
    return spec;
  }

  @Override
  public SecondMoments copy() {
    return new SecondMoments(spec, state.clone());
  }

  /**
   * Inserts the rows of a batch. The result equals that of {@link #add(RowBatch)}, to the last bit.
   *
   * @param batch rows of the spec's dimension in whole grid steps, as {@link
   *     io.gauze.row.RowClipper#clip(ColumnBatch)} leaves them; lanes without a row are overwritten
   * @throws IllegalArgumentException if the dimension differs
   */
  public void add(ColumnBatch batch) {
    checkDimension(batch.dimension());
    batches.add(batch, state);
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    MomentKernel.addRow(values, from, spec.dimension(), sign, state, 0);
  }

  @Override
  void update(RowBatch batch) {
    int[] groups = batches.groups(batch.size());
    for (int k = 0; k < batch.size(); k++) {
      groups[k] = batch.signs()[k] < 0 ? 1 : 0;
    }
    batches.add(batch, state);
  }

  @Override
  void updateSparse(RowBatch batch) {
    for (int k = 0; k < batch.size(); k++) {
      MomentKernel.addCells(batch, k, state, 0);
    }
  }
}
