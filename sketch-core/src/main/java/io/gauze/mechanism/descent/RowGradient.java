package io.gauze.mechanism.descent;

import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.row.ColumnBatch;
import java.util.Arrays;

/**
 * A public function of one row: the gradient of the loss of its residual, in a public unit. Of the
 * transformed row z, whose last entry is the residual of a first model, and of a change b of that
 * model it is {@code w x}, x the other entries of z and w the weight of the residual {@code z_p -
 * b'x}.
 *
 * @param transform of encoded rows, the response at the last place
 * @param model b
 * @param weight of residuals
 */
public record RowGradient(RowTransform transform, DoubleVector model, RowWeight weight) {
  /**
   * Computes the gradients of the rows of a batch. O(D^2) time for each row, in a fixed order.
   *
   * @param rows D entries each, in the encoded scale, the constant first
   * @param out receives D - 1 entries each, and 0 at the last place
   */
  public void apply(ColumnBatch rows, ColumnBatch out) {
    transform.apply(rows, out);
    for (int s = 0; s < ColumnBatch.SLABS; s++) {
      apply(out.slab(s), out.rows(s));
    }
  }

  private void apply(double[][] columns, int rows) {
    int last = columns.length - 1;
    double[] residuals = columns[last];
    for (int k = 0; k < last; k++) {
      double coefficient = model.get(k);
      double[] column = columns[k];
      for (int lane = 0; lane < rows; lane++) {
        residuals[lane] -= coefficient * column[lane];
      }
    }
    weight.apply(columns, rows);
    for (int k = 0; k < last; k++) {
      double[] column = columns[k];
      for (int lane = 0; lane < rows; lane++) {
        column[lane] *= residuals[lane];
      }
    }
    Arrays.fill(residuals, 0, rows, 0.0);
  }
}
