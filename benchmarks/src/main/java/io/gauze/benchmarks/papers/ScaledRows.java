package io.gauze.benchmarks.papers;

import io.gauze.benchmarks.EarningsRows;
import io.gauze.linalg.DoubleVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows whose last column is the response, with public ranges. NOT private.
 *
 * @param name in titles
 * @param unit of the response
 * @param rows in user's units
 * @param lower the public lower ends
 * @param upper the public upper ends
 */
record ScaledRows(
    String name, String unit, List<double[]> rows, DoubleVector lower, DoubleVector upper) {
  private static final int CENSUS_ROWS = 316_276; // heads of households in the paper

  /** White wine; the ranges are those that a bottle can have. */
  static ScaledRows wine(Path folder) throws IOException {
    List<double[]> rows = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("winequality-white.csv"))) {
      if (!line.startsWith("\"")) {
        rows.add(numbers(line.split(";", -1)));
      }
    }
    return new ScaledRows(
        "white wine",
        "grades",
        rows,
        DoubleVector.of(0, 0, 0, 0, 0, 0, 0, 0.98, 2.5, 0, 7, 0),
        DoubleVector.of(20, 2, 2, 80, 1, 300, 500, 1.04, 4.5, 2.5, 16, 10));
  }

  /** Generated earnings of as many workers as the paper's census data has heads of households. */
  static ScaledRows earnings() {
    EarningsRows workers = new EarningsRows();
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < CENSUS_ROWS; i++) {
      String[] f = workers.next().split(",", -1);
      rows.add(
          numbers(
              f[0],
              f[1],
              f[2],
              f[3],
              f[4],
              is(f[5], "northeast"),
              is(f[5], "midwest"),
              is(f[5], "south"),
              f[6]));
    }
    return new ScaledRows(
        "generated earnings",
        "log dollars an hour",
        rows,
        DoubleVector.of(0, 0, 0, 0, 0, 0, 0, 0, 0),
        DoubleVector.of(20, 60, 1, 1, 1, 1, 1, 1, 5));
  }

  private static String is(String value, String name) {
    return value.equals(name) ? "1" : "0";
  }

  private static double[] numbers(String... fields) {
    double[] row = new double[fields.length];
    for (int j = 0; j < row.length; j++) {
      row[j] = Double.parseDouble(fields[j]);
    }
    return row;
  }

  /** Keeps the first columns and the response. */
  ScaledRows first(int columns) {
    return new ScaledRows(
        name,
        unit,
        rows.stream().map(row -> cut(row, columns)).toList(),
        DoubleVector.of(cut(lower.toArray(), columns)),
        DoubleVector.of(cut(upper.toArray(), columns)));
  }

  private static double[] cut(double[] row, int columns) {
    double[] part = Arrays.copyOf(row, columns + 1);
    part[columns] = row[row.length - 1];
    return part;
  }

  /** Takes the ends of the rows for ranges, as the paper does. This is not private. */
  ScaledRows rangedByRows() {
    double[] least = rows.get(0).clone();
    double[] most = rows.get(0).clone();
    for (double[] row : rows) {
      for (int j = 0; j < row.length; j++) {
        least[j] = Math.min(least[j], row[j]);
        most[j] = Math.max(most[j], row[j]);
      }
    }
    return new ScaledRows(name, unit, rows, DoubleVector.of(least), DoubleVector.of(most));
  }

  int columns() {
    return lower.size();
  }

  /** Returns row i with every column scaled to [-1, 1]. */
  double[] scaled(int i) {
    double[] row = rows.get(i).clone();
    for (int j = 0; j < row.length; j++) {
      double value = Math.max(lower.get(j), Math.min(upper.get(j), row[j]));
      row[j] = 2 * (value - lower.get(j)) / (upper.get(j) - lower.get(j)) - 1;
    }
    return row;
  }

  /**
   * Returns the moments of a constant 1 and the scaled columns, of every k-th row from some row.
   */
  double[][] moments(int from, int step) {
    double[][] moments = new double[columns() + 1][columns() + 1];
    double[] row = new double[columns() + 1];
    row[0] = 1;
    for (int i = from; i < rows.size(); i += step) {
      System.arraycopy(scaled(i), 0, row, 1, columns());
      Matrix.add(moments, row);
    }
    return moments;
  }

  /** Half the range of the response. */
  double half() {
    int last = columns() - 1;
    return 0.5 * (upper.get(last) - lower.get(last));
  }
}
