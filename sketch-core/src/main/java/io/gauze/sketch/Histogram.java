package io.gauze.sketch;

import io.gauze.row.RowBatch;

/**
 * The number of rows in each cell of a public grid.
 *
 * <p>It is the baseline DPME (J. Lei, Differentially private M-estimators, NIPS 2011), which fits
 * on the centres of the cells. It suits few columns only, since the number of cells is a product
 * over the columns.
 *
 * <p>State: one long per cell. Error: a fit on the centres sees each entry with an error of up to
 * half a bin's width. Cost: O(axes) per update. The row's tag is not used.
 */
public final class Histogram extends LinearSketch<Histogram> {
  private final HistogramSpec spec;
  private final int[] columns;
  private final int[] bins;

  Histogram(HistogramSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.columns = spec.axes().stream().mapToInt(HistogramSpec.Axis::column).toArray();
    this.bins = spec.axes().stream().mapToInt(HistogramSpec.Axis::bins).toArray();
  }

  /** Creates an empty sketch. */
  public static Histogram create(HistogramSpec spec) {
    return spec.zero();
  }

  @Override
  public HistogramSpec spec() {
    return spec;
  }

  @Override
  public Histogram copy() {
    return new Histogram(spec, state.clone());
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    int cell = 0;
    for (int a = 0; a < columns.length; a++) {
      cell = cell * bins[a] + Cells.of(values[from + columns[a]], spec.grid(), bins[a]);
    }
    state[cell] += sign;
  }

  @Override
  void update(RowBatch batch) {
    for (int k = 0; k < batch.size(); k++) {
      update(0L, 0L, batch.values(), k * batch.dimension(), batch.signs()[k]);
    }
  }
}
