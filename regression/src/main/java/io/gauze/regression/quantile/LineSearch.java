package io.gauze.regression.quantile;

/**
 * Finds the minimum of the loss along a line: the first kink at which it stops falling, found by
 * selection as a weighted quantile of the kinks. O(n) expected time, 3 n numbers.
 */
final class LineSearch {
  /** Movements below this share of their terms are treated as rounding errors. */
  private static final double STILL = 1e-11;

  private final ScaledRows rows;
  private final double[] kink; // the step at which the row's residual changes sign
  private final double[] jump; // the increase of the loss's slope at the kink
  private final int[] order;
  private int below; // bounds of the last partition
  private int above;
  private double jumpsBelow;
  private double jumpsAt;

  LineSearch(ScaledRows rows) {
    this.rows = rows;
    this.kink = new double[rows.rows];
    this.jump = new double[rows.rows];
    this.order = new int[rows.rows];
  }

  /**
   * Returns the row whose residual becomes 0 where the loss of {@code residuals - t X d} stops
   * falling, t &gt;= 0; -1 if no row changes sign. A residual of 0 counts as positive.
   *
   * @param residuals n
   * @param movement X d, n
   * @param descent the rate at which the loss falls at first, at least 0
   * @param basis its rows are skipped
   */
  int stop(double[] residuals, double[] movement, double descent, Basis basis) {
    double still = 0.0;
    for (double step : movement) {
      still = Math.max(still, Math.abs(step));
    }
    still *= STILL;
    int size = 0;
    for (int i = 0; i < residuals.length; i++) {
      double step = movement[i];
      if (Math.abs(step) > still && step > 0.0 == residuals[i] >= 0.0 && !basis.contains(i)) {
        kink[i] = residuals[i] / step;
        jump[i] = rows.w[i] * Math.abs(step);
        order[size++] = i;
      }
    }
    return size == 0 ? -1 : select(size, descent);
  }

  /**
   * Returns the rate at which the loss changes at first along d. A residual of 0 counts as
   * positive.
   */
  double slope(double[] residuals, double[] movement, double tau) {
    double slope = 0.0;
    for (int i = 0; i < residuals.length; i++) {
      slope -= rows.w[i] * movement[i] * (residuals[i] >= 0.0 ? tau : tau - 1.0);
    }
    return slope;
  }

  /**
   * Returns the row at which the jumps of {@code order[0, size)}, sorted by kink, sum up to the
   * descent.
   */
  private int select(int size, double descent) {
    int from = 0;
    int to = size;
    double left = descent;
    while (to - from > 1) {
      partition(from, to);
      if (below > from && jumpsBelow >= left) {
        to = below;
      } else if (jumpsBelow + jumpsAt >= left || above == to) {
        return steepest(below, above);
      } else {
        left -= jumpsBelow + jumpsAt;
        from = above;
      }
    }
    return order[from];
  }

  /**
   * Splits {@code order[from, to)} at {@code below} and {@code above}: rows before, at and after
   * the middle kink.
   */
  private void partition(int from, int to) {
    double pivot = middle(kink[order[from]], kink[order[(from + to) >>> 1]], kink[order[to - 1]]);
    below = from;
    above = to;
    jumpsBelow = 0.0;
    jumpsAt = 0.0;
    int next = from;
    while (next < above) {
      int row = order[next];
      if (kink[row] < pivot) {
        jumpsBelow += jump[row];
        swap(below++, next++);
      } else if (kink[row] > pivot) {
        swap(next, --above);
      } else {
        jumpsAt += jump[row];
        next++;
      }
    }
  }

  /**
   * Returns the row that moves fastest among rows with the same kink, which gives the best
   * conditioned basis.
   */
  private int steepest(int from, int to) {
    int best = order[from];
    for (int k = from + 1; k < to; k++) {
      if (jump[order[k]] / rows.w[order[k]] > jump[best] / rows.w[best]) {
        best = order[k];
      }
    }
    return best;
  }

  private void swap(int i, int j) {
    int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }

  private static double middle(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
