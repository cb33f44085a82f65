package io.gauze.benchmarks.papers;

import java.util.SplittableRandom;

/**
 * J. Lei's differentially private M-estimator (2011), with the squared loss: a histogram over all
 * columns, Laplace noise of scale 2 / epsilon in each cell, and a fit to the middles of the cells.
 * It is private for neighbours that replace a row, with public ranges as here.
 */
final class HistogramEstimator {
  private final int columns;
  private final int bins;
  private final double[] counts;

  /** Counts all rows but each k-th, in (n / log n)^(1 / (columns + 2)) bins a column. */
  HistogramEstimator(ScaledRows rows, int tests) {
    columns = rows.columns();
    int n = rows.rows().size();
    bins = (int) Math.round(Math.pow(n / Math.log(n), 1.0 / (columns + 2)));
    counts = new double[(int) Math.round(Math.pow(bins, columns))];
    for (int i = 0; i < n; i++) {
      if (i % tests != 0) {
        counts[cell(rows.scaled(i))]++;
      }
    }
  }

  private int cell(double... row) {
    int cell = 0;
    for (double value : row) {
      cell = cell * bins + Math.min(bins - 1, (int) (0.5 * (value + 1) * bins));
    }
    return cell;
  }

  double[] fit(double epsilon, SplittableRandom random) {
    double[][] moments = new double[columns + 1][columns + 1];
    double[] row = new double[columns + 1];
    for (int cell = 0; cell < counts.length; cell++) {
      double weight = counts[cell] + PublishedFunctional.laplace(2 / epsilon, random);
      if (weight > 0) {
        row[0] = Math.sqrt(weight);
        int rest = cell;
        for (int j = columns; j >= 1; j--) {
          row[j] = row[0] * ((2 * (rest % bins) + 1.0) / bins - 1);
          rest /= bins;
        }
        Matrix.add(moments, row);
      }
    }
    return Matrix.regression(moments);
  }
}
