package io.gauze.regression.histogram;

import io.gauze.internal.Checks;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Merge;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.quantile.WeightedRows;
import java.util.Arrays;
import java.util.Objects;

/**
 * Counts of the cells of a public grid over the columns, with Laplace noise. A cell represents one
 * row with the values of its bins. Immutable.
 */
public final class ReleasedCounts implements FitInput {
  private final double[][] values; // of the bins of each axis; NaN if no row can be in the bin
  private final int[] axes; // the column of each axis
  private final double[] counts; // adjacent bins of the last axis are adjacent
  private final double variance;
  private final double intercept;

  private ReleasedCounts(
      double[][] values, int[] axes, double[] counts, double variance, double intercept) {
    this.values = values;
    this.axes = axes;
    this.counts = counts;
    this.variance = variance;
    this.intercept = intercept;
  }

  /**
   * Returns the counts of one release, in which every column but the intercept has an axis.
   *
   * @param values the values of the bins of each column, in encoded units, column 1 first; NaN for
   *     a bin that cannot contain a row; copied
   * @param counts of all cells; adjacent bins of the last column are adjacent; copied
   * @param scale of the Laplace noise in each count; positive
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range, or their numbers do not match
   */
  public static ReleasedCounts of(
      double[][] values, double[] counts, double scale, double intercept) {
    Objects.requireNonNull(values, "values");
    Checks.within("columns", values.length, 1, WeightedRows.MAX_COLUMNS);
    long cells = 1;
    for (double[] bins : values) {
      Checks.within("bins", bins.length, 1, counts.length);
      cells = Math.min(Integer.MAX_VALUE, cells * bins.length);
    }
    Checks.length("counts", counts.length, cells);
    Checks.finite("counts", counts);
    Checks.positiveFinite("scale", scale);
    Checks.positiveFinite("intercept", intercept);
    int[] axes = new int[values.length];
    Arrays.setAll(axes, a -> a + 1);
    double[][] copy = Arrays.stream(values).map(double[]::clone).toArray(double[][]::new);
    return new ReleasedCounts(copy, axes, counts.clone(), 2.0 * scale * scale, intercept);
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    return new HistogramFit(this, problem).fit();
  }

  @Override
  public FitSummary summary(Fit fit) {
    return FitSummary.withheld("a histogram has no sums of squares");
  }

  @Override
  public boolean addsUp() {
    return true;
  }

  /**
   * Returns the counts of the rows of both releases; noises are independent, and their variances
   * add.
   *
   * @throws IllegalArgumentException if cells or intercept differ
   */
  @Override
  public ReleasedCounts plus(FitInput input) {
    ReleasedCounts other = Merge.same(ReleasedCounts.class, this, input);
    if (!Arrays.deepEquals(values, other.values)) {
      throw new IllegalArgumentException("merged releases must have equal cells");
    }
    double[] sum = counts.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.counts[i];
    }
    return new ReleasedCounts(values, axes, sum, variance + other.variance, intercept);
  }

  @Override
  public double intercept() {
    return intercept;
  }

  @Override
  public int dimension() {
    return values.length + 1;
  }

  /** The number of cells. */
  public int cells() {
    return counts.length;
  }

  /** The variance of the noise in each count. */
  double variance() {
    return variance;
  }

  /**
   * Returns the width of the bins of a column, in [0, 2]; 0 if its bins represent exact values,
   * like the intercept.
   */
  public double width(int column) {
    if (column == 0) {
      return 0.0;
    }
    double[] middles = values[column - 1]; // a range reaches to -1 or to 1, a category is 0 or 1
    double first = middles[0];
    double last = middles[middles.length - 1];
    return Double.isNaN(first) ? 2.0 * (1.0 - last) : 2.0 * (first + 1.0);
  }

  double count(int cell) {
    return counts[cell];
  }

  /** Writes the row that a cell represents; returns false if the cell cannot contain a row. */
  public boolean row(int cell, double... row) {
    row[0] = intercept;
    int rest = cell;
    boolean possible = true;
    for (int a = axes.length - 1; a >= 0; a--) {
      row[axes[a]] = values[a][rest % values[a].length];
      possible &= !Double.isNaN(row[axes[a]]);
      rest /= values[a].length;
    }
    return possible;
  }

  /** Shows the shape only. */
  @Override
  public String toString() {
    return "ReleasedCounts[" + counts.length + " cells, " + dimension() + " columns]";
  }
}
