package io.gauze.audit.twostage;

import io.gauze.mechanism.RowsMechanism;
import io.gauze.model.ModelRows;

/**
 * Two data sets of a mechanism, sound or broken.
 *
 * @param <M> the mechanism
 */
record Neighbouring<M extends RowsMechanism>(M mechanism, Side first, Side second) {
  /**
   * Creates a pair.
   *
   * @param first the encoded rows of the first data set, within the row bound
   * @param second those of the second
   */
  static <M extends RowsMechanism> Neighbouring<M> of(
      M mechanism, double[][] first, double[][] second) {
    return new Neighbouring<>(mechanism, new Side(mechanism, first), new Side(mechanism, second));
  }

  /** The rows of a data set in the list that the mechanism reads. */
  ModelRows rows(boolean ofSecond) {
    return ofSecond ? second.list : first.list;
  }

  /** The rows of one data set. */
  static final class Side {
    private final double[][] rows;
    private final ModelRows list;

    private Side(RowsMechanism mechanism, double[]... rows) {
      this.rows = rows;
      this.list = mechanism.rows();
      for (double[] row : rows) {
        mechanism.add(list, row);
      }
    }

    /** The rows; not to be changed. */
    double[][] rows() {
      return rows;
    }
  }
}
