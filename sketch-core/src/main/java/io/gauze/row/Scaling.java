package io.gauze.row;

import java.util.Arrays;

/**
 * Maps the numbers of clamped rows to [-1, 1] and leaves their other entries unchanged: several
 * rows in one loop, which the compiler turns into vector instructions. Immutable.
 *
 * <p>An entry is encoded by the {@link ColumnScale} of its column; with 0, 2 and 0 it is the entry
 * itself, to the last bit.
 */
final class Scaling {
  private static final int BLOCK_ENTRIES = 512; // four arrays of this length fit in the L1 cache

  private final double[] low; // of the rows of a block, one after the other; so are the others
  private final double[] width;
  private final double[] less;

  /** Creates the scaling of rows with all entries. */
  Scaling(RowSchema schema) {
    this(schema, RowLayout.ofEntries(schema));
  }

  Scaling(RowSchema schema, RowLayout layout) {
    int dimension = layout.length();
    int entries = blockRows(dimension) * dimension;
    low = new double[entries];
    width = new double[entries];
    less = new double[entries];
    Arrays.fill(width, 2.0);
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      for (int at = layout.start(c); column.numeric() && at < entries; at += dimension) {
        ColumnScale scale = ColumnScale.of(column, schema.factor(c));
        low[at] = scale.low();
        width[at] = scale.width();
        less[at] = scale.less();
      }
    }
  }

  /** Returns the largest number of rows that can be scaled at once; at least 1. */
  static int blockRows(int dimension) {
    return Math.max(1, BLOCK_ENTRIES / dimension);
  }

  /** Scales the first {@code length} entries, which are whole rows, in place. */
  void apply(double[] rows, int length) {
    double[] from = low;
    double[] wide = width;
    double[] minus = less;
    for (int i = 0; i < length; i++) {
      rows[i] = (2.0 * (rows[i] - from[i])) / wide[i] - minus[i];
    }
  }
}
