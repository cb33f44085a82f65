package io.gauze.regression.quantile;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Searches from coefficients near the minimum for a vertex that is the minimum. p rows are
 * interpolated, and moves along edges lower the loss until positions a in [0, w] with {@code X'a =
 * (1 - tau) X'w} exist, 0 under the fit and w above it. Such positions prove that no coefficients
 * are better.
 *
 * <p>Edges are followed past kinks, as in I. Barrodale and F. D. K. Roberts, An improved algorithm
 * for discrete l1 linear approximation, SIAM J. Numer. Anal. 10 (1973). If more than p rows are
 * interpolated and no proof is found at once, the search continues with responses shifted by up to
 * 10^-8 of a typical residual, which separates such rows, and returns to the given responses at the
 * end.
 *
 * <p>A move is O(n p + p^3) time.
 */
final class VertexSearch {
  /** The number of exchanges without a lower loss after which the search gives up. */
  private static final int PATIENCE = 50;

  /** Residuals below this share of their terms are treated as 0. */
  private static final double ZERO = 1e-12;

  private static final double SHIFT = 1e-8;
  private static final int MOST_SHIFTS = 2;

  private final ScaledRows rows;
  private final double tau;
  private final double scale;
  private final Positions positions;
  private final double[] residuals;
  private final double[] movement;
  private final LineSearch line;
  private final Basis basis;
  private double[] responses;
  private double[] b;
  private int pivots;
  private int shifts;
  private double lowest = Double.POSITIVE_INFINITY; // the lowest loss so far
  private int patience;

  /**
   * Creates a search.
   *
   * @param positions near those of the minimum; changed, to a proof if {@link #run} returns true
   * @param scale a typical residual, above 0
   * @param b p coefficients; copied
   */
  VertexSearch(ScaledRows rows, Positions positions, double scale, double... b) {
    this.rows = rows;
    this.tau = positions.tau();
    this.scale = scale;
    this.positions = positions;
    this.residuals = new double[rows.rows];
    this.movement = new double[rows.rows];
    this.line = new LineSearch(rows);
    this.basis = new Basis(rows);
    this.responses = rows.y;
    this.b = b.clone();
  }

  double[] coefficients() {
    return b.clone();
  }

  int pivots() {
    return pivots;
  }

  /**
   * Runs the search.
   *
   * @param limit the largest number of exchanges
   * @param precisions n importances of rows in the choice of the rows to interpolate
   * @return true if the vertex is a minimum
   */
  boolean run(int limit, double... precisions) {
    interpolateNear(precisions);
    while (!basis.full()) {
      if (!extend()) {
        return false;
      }
    }
    settle();
    boolean moving = true;
    while (moving) {
      int leaving = positions.balance(basis, residuals);
      boolean tied = leaving != Positions.NONE && tied();
      boolean proved =
          leaving == Positions.NONE || (tied && positions.spread(basis, residuals, this::zero));
      if (proved && !shifted()) {
        return true;
      }
      if (proved) {
        respondWith(rows.y);
      } else if (shifts < MOST_SHIFTS && !shifted() && tied) {
        respondWith(slightlyOff());
      } else {
        moving = pivots < limit && progressing() && pivot(leaving);
      }
    }
    respondWith(rows.y);
    return false;
  }

  private boolean shifted() {
    return responses != rows.y;
  }

  private void respondWith(double... changed) {
    responses = changed;
    lowest = Double.POSITIVE_INFINITY;
    settle();
  }

  /**
   * Returns true if one of the last exchanges lowered the loss. If none did, the exchanges only
   * follow rounding errors.
   */
  private boolean progressing() {
    double loss = 0.0;
    for (int i = 0; i < residuals.length; i++) {
      loss += rows.w[i] * residuals[i] * (residuals[i] < 0.0 ? tau - 1.0 : tau);
    }
    if (loss < lowest * (1.0 - 1e-14)) {
      lowest = loss;
      patience = PATIENCE + 10 * rows.columns;
    }
    return patience-- > 0;
  }

  /** Interpolates the rows that the interior point nearly interpolates, the clearest first. */
  private void interpolateNear(double... precisions) {
    rows.residuals(responses, b, residuals);
    int[] near = IntStream.range(0, rows.rows).filter(this::near).toArray();
    basis.addIndependent(near, IntStream.of(near).mapToDouble(i -> precisions[i]).toArray());
  }

  private boolean near(int i) {
    return positions.room(i) * scale > rows.w[i] * Math.abs(residuals[i]) || zero(i);
  }

  private boolean zero(int i) {
    double size = Math.abs(residuals[i]);
    return size <= ZERO * Math.abs(responses[i])
        || size <= ZERO * (Math.abs(responses[i]) + rows.magnitude(i, b));
  }

  /**
   * Moves along a direction that changes no row of the basis, down to the next row, and adds that
   * row.
   */
  private boolean extend() {
    rows.residuals(responses, b, residuals);
    double[] d = basis.free();
    rows.products(d, movement);
    double slope = line.slope(residuals, movement, tau);
    if (slope > 0.0) {
      reverse(d);
    }
    int row = line.stop(residuals, movement, Math.abs(slope), basis);
    if (row < 0) {
      reverse(d);
      row = line.stop(residuals, movement, 0.0, basis);
    }
    if (row < 0) {
      return false;
    }
    double length = residuals[row] / movement[row];
    for (int j = 0; j < d.length; j++) {
      b[j] += length * d[j];
    }
    return basis.add(row);
  }

  private void reverse(double... d) {
    Arrays.setAll(d, j -> -d[j]);
    Arrays.setAll(movement, i -> -movement[i]);
  }

  private void settle() {
    b = basis.interpolate(responses);
    rows.residuals(responses, b, residuals);
  }

  private boolean tied() {
    return IntStream.range(0, rows.rows).anyMatch(i -> !basis.contains(i) && zero(i));
  }

  private double[] slightlyOff() {
    SplittableRandom random = new SplittableRandom(++shifts);
    return DoubleStream.of(rows.y).map(y -> y + SHIFT * scale * random.nextDouble()).toArray();
  }

  /** Moves along the edge on which row k of the basis gets the side that its position requires. */
  private boolean pivot(int k) {
    double[] d = basis.edge(k);
    rows.products(d, movement);
    if (positions.excess() > 0.0) {
      reverse(d);
    }
    int entering = line.stop(residuals, movement, Math.abs(positions.excess()), basis);
    if (entering < 0) {
      return false;
    }
    basis.replace(k, entering);
    pivots++;
    settle();
    return true;
  }
}
