package io.gauze.mechanism.twostage;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;

/**
 * What noisy counts of the squared norms of rows say about shortening rows to a bound. For rows are
 * taken counts that no noise makes, alone or together, and those around them that stand out,
 * without a gap: of the many cells in which there is no row, noise fills one now and then. All
 * squared norms and bounds are in the unit of {@link NormCells}.
 */
public final class NormCounts {
  /**
   * Counts that fall more slowly than this from cell to cell are those of a law of rows without
   * fourth moments, of which second moments say little, with or without noise.
   */
  private static final double SLOWEST = 0.5;

  /** Fewer rows are none. */
  private static final double LEAST_COUNT = 0.5;

  private final double[] clear;
  private final double all;
  private final double deviation;

  /**
   * Reads counts.
   *
   * @param counts by cell
   * @param deviation of the noise of each
   */
  public NormCounts(double[] counts, double deviation) {
    this.clear = new double[counts.length];
    this.deviation = deviation;
    for (int cell = 0; cell < clear.length; cell++) {
      if (counts[cell] > Tuning.SURE_COUNT * deviation) {
        take(counts, cell, -1);
        take(counts, cell, 1);
      }
    }
    for (int width = 2; width < clear.length; width *= 2) {
      for (int from = 0; from + width <= clear.length; from++) {
        takeTogether(counts, from, from + width);
      }
    }
    this.all = Arrays.stream(clear).sum();
  }

  /** Takes counts that stand out together, if none of them does alone. */
  private void takeTogether(double[] counts, int from, int to) {
    double sum = 0.0;
    for (int cell = from; cell < to; cell++) {
      if (clear[cell] != 0.0) {
        return;
      }
      sum += counts[cell];
    }
    if (sum > Tuning.SURE_COUNT * deviation * Math.sqrt(to - from)) {
      System.arraycopy(counts, from, clear, from, to - from);
    }
  }

  /** Takes a count and those beside it, as far as they stand out. */
  private void take(double[] counts, int sure, int step) {
    int cell = sure;
    while (cell >= 0 && cell < clear.length && counts[cell] > Tuning.CLEAR_COUNT * deviation) {
      clear[cell] = counts[cell];
      cell += step;
    }
  }

  /** Whether no count stands out from the noise: nothing is known of the rows' norms. */
  public boolean isHidden() {
    return all == 0.0;
  }

  /** The number of rows that were counted, at least 1. */
  public double rows() {
    return Math.max(1.0, all);
  }

  private static double lost(int cell, double bound) {
    return 1.0 - Math.min(1.0, bound / NormCells.typical(cell));
  }

  /**
   * Returns the part of the rows' weight that shortening takes off, in [0, 1], for rows that go on
   * beyond the last count that stands out from its noise: each further count is smaller by the same
   * factor as the last two, and hidden by its noise. A row that keeps the part f of its length has
   * the weight f² in second moments. 1 if no count stands out.
   */
  public double lostWeight(double bound) {
    return lost(bound, cell -> 1.0);
  }

  /** Returns the same part of the rows' squared norms. */
  public double lostSquares(double bound) {
    return lost(bound, NormCells::typical);
  }

  // If none stands out, nothing is known of the rows' norms.
  private double lost(double bound, IntToDoubleFunction size) {
    double[] counts = withTail();
    double lost = 0.0;
    double sum = 0.0;
    for (int cell = 0; cell < counts.length; cell++) {
      double part = counts[cell] * size.applyAsDouble(cell);
      lost += part * lost(cell, bound);
      sum += part;
    }
    return sum > 0.0 ? lost / sum : 1.0;
  }

  /**
   * The standard deviation of what the counts tell of the lost weight: that of all cells whose rows
   * would be shortened, since the noise may hide rows in each. At most 1.
   */
  public double lostWeightDeviation(double bound) {
    double squares = 0.0;
    for (int cell = 0; cell < clear.length; cell++) {
      double part = lost(cell, bound);
      squares += part * part;
    }
    return Math.min(1.0, deviation * Math.sqrt(squares) / rows());
  }

  /**
   * Returns what shortening is expected to add to the mean square of residuals, over that mean
   * square and the number of columns. A row whose squared norm s keeps the part f counts {@code (1
   * - f)^2 s / 2n}, for what rows lose with random signs; for what real rows lose beyond that see
   * {@link Tuning#ALIGNED}.
   */
  public double cost(double bound) {
    double sum = 0.0;
    for (int cell = 0; cell < clear.length; cell++) {
      double part = lost(cell, bound);
      sum += clear[cell] * part * part * NormCells.typical(cell);
    }
    return 0.5 * (sum / rows()) * (1.0 / rows() + Tuning.ALIGNED);
  }

  /**
   * Returns the mean of what sizes exceed a bound by, for rows that go on as those of {@link
   * #lostWeight}. 0 if no count stands out.
   */
  public double meanAbove(double bound) {
    double above = 0.0;
    double rows = 0.0;
    double[] counts = withTail();
    for (int cell = 0; cell < counts.length; cell++) {
      above += counts[cell] * Math.max(0.0, NormCells.typical(cell) - bound);
      rows += counts[cell];
    }
    return rows > 0.0 ? above / rows : 0.0;
  }

  /**
   * Returns the part of the mean square of sizes that is left if a row beyond a bound weighs less,
   * the bound over its size, of the rows that stand out. 1 if no count does.
   */
  public double keptSquares(double bound) {
    double all = seen(size -> size * size);
    return all > 0.0 ? seen(size -> size * Math.min(size, bound)) / all : 1.0;
  }

  /**
   * Returns the mean of what sizes exceed a bound by, of the rows that stand out. 0 if no count
   * does.
   */
  public double meanSeenAbove(double bound) {
    return seen(size -> Math.max(0.0, size - bound));
  }

  /** The mean of a function of the sizes that stand out; 0 if there are none. */
  private double seen(DoubleUnaryOperator of) {
    double sum = 0.0;
    for (int cell = 0; cell < clear.length; cell++) {
      sum += clear[cell] * of.applyAsDouble(NormCells.typical(cell));
    }
    return sum / rows();
  }

  // Only the rows around the fullest cell are taken to go on; others are of a kind of their own.
  private double[] withTail() {
    double[] counts = clear.clone();
    int last = 0;
    for (int cell = 0; cell < clear.length; cell++) {
      last = clear[cell] > clear[last] ? cell : last;
    }
    while (last + 1 < clear.length && clear[last + 1] > 0.0) {
      last++;
    }
    double before = last > 0 ? clear[last - 1] : 0.0;
    double factor = Math.min(SLOWEST, before > 0.0 ? clear[last] / before : SLOWEST);
    for (int cell = last + 1; cell < counts.length && clear[cell] == 0.0; cell++) {
      double next = Math.min(factor * counts[cell - 1], Tuning.CLEAR_COUNT * deviation);
      counts[cell] = next < LEAST_COUNT ? 0.0 : next;
    }
    return counts;
  }
}
