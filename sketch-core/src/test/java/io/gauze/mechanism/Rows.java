package io.gauze.mechanism;

import io.gauze.row.EncodedRow;
import io.gauze.row.RowSchema;
import java.util.SplittableRandom;

/** Encoded rows to test with. */
public final class Rows {
  private Rows() {}

  /** A row in grid steps. */
  public static EncodedRow of(int... steps) {
    EncodedRow row = new EncodedRow(steps.length);
    System.arraycopy(steps, 0, row.values(), 0, steps.length);
    return row;
  }

  /**
   * Entries in [-1, 1], many of them at the ends, shortened to the bound; the first is the
   * intercept as far as the bound lets it be.
   */
  public static EncodedRow random(SplittableRandom random, RowSchema schema) {
    double[] values = new double[schema.dimension()];
    values[0] = schema.intercept();
    double square = values[0] * values[0];
    for (int i = 1; i < values.length; i++) {
      int kind = random.nextInt(4);
      values[i] = kind < 3 ? kind - 1.0 : random.nextDouble(-1.0, 1.0);
      square += values[i] * values[i];
    }
    double shrink = Math.min(1.0, schema.rowBound() / Math.sqrt(square)) / schema.grid().step();
    EncodedRow row = new EncodedRow(values.length);
    for (int i = 0; i < values.length; i++) {
      row.values()[i] = (int) (values[i] * shrink); // toward zero
    }
    return row;
  }
}
