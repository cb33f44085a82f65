package io.gauze.sketch;

import io.gauze.row.RangeGrid;
import io.gauze.row.RowBatch;

/**
 * The number of rows in each cell of {@link RangeGrid}, for each of several columns apart.
 *
 * <p>State: column by column, one long for each cell, in units of 2^-16 rows. A missing value is in
 * no cell. Cost: O(columns) per update. The row's tag is not used.
 */
public final class RangeCounts extends LinearSketch<RangeCounts> {
  private final RangeCountsSpec spec;
  private final int[] columns;
  private final int fractionBits;

  RangeCounts(RangeCountsSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.columns = spec.columns().stream().mapToInt(Integer::intValue).toArray();
    this.fractionBits = spec.grid().fractionBits();
  }

  /** Creates an empty sketch. */
  public static RangeCounts create(RangeCountsSpec spec) {
    return spec.zero();
  }

  @Override
  public RangeCountsSpec spec() {
    return spec;
  }

  @Override
  public RangeCounts copy() {
    return new RangeCounts(spec, state.clone());
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    for (int c = 0; c < columns.length; c++) {
      int position = position(values[from + columns[c]]);
      if (position > 0) {
        int cell = Math.min(position, RangeGrid.CELLS) - 1;
        state[c * RangeGrid.CELLS + cell] += (long) sign << RangeCountsSpec.ROW_BITS;
      }
    }
  }

  /** Returns the whole position nearest to an encoded one. */
  private int position(int value) {
    long twice = 2L * value * RangeGrid.CELLS + (1L << fractionBits);
    return (int) (twice >> (fractionBits + 1));
  }

  @Override
  void update(RowBatch batch) {
    for (int k = 0; k < batch.size(); k++) {
      update(0L, 0L, batch.values(), k * batch.dimension(), batch.signs()[k]);
    }
  }
}
