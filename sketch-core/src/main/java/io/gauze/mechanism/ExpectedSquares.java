package io.gauze.mechanism;

import io.gauze.linalg.DoubleVector;
import io.gauze.plan.RowBoundPlan;
import io.gauze.row.Column;
import io.gauze.row.RowSchema;

/**
 * The mean squares of encoded columns as expected before any row is seen. The row bound has room
 * for them: rows of a larger mean square would be clipped, and planned bounds have little more
 * ({@link RowBoundPlan}). Public knowledge only.
 */
public final class ExpectedSquares {
  /** The mean square of a column whose range is three standard deviations to either side. */
  public static final double WITHOUT_BOUND = 1.0 / 9.0;

  private static final double LEAST_ROOM = 0x1p-40;

  private ExpectedSquares() {}

  /** Returns the mean squares of the encoded columns after the intercept. */
  public static DoubleVector of(RowSchema schema) {
    double[] squares = new double[schema.dimension() - 1];
    double bound = schema.responses().ofFeatures(schema.rowBound());
    double square = bound * bound - schema.intercept() * schema.intercept();
    double room = Math.max(LEAST_ROOM, square / Tuning.BOUND_OVER_SQUARES);
    double codes = 0.0;
    int numbers = 0;
    int next = 0;
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      double code = schema.factor(c) * schema.factor(c) * code(column);
      boolean ofBound = !schema.responses().columns().contains(column.name());
      for (int i = 0; i < column.width(); i++) {
        squares[next++] = code;
        codes += ofBound ? code : 0.0;
      }
      numbers += ofBound && code == 0.0 ? 1 : 0;
    }
    double left = Math.max(Tuning.LEAST_OF_NUMBERS * room, room - codes);
    double number = numbers == 0 ? WITHOUT_BOUND : Math.min(WITHOUT_BOUND, left / numbers);
    double fit = codes > room ? room / codes : 1.0;
    return DoubleVector.generate(
        squares.length, k -> squares[k] == 0.0 ? number : fit * squares[k]);
  }

  /**
   * Returns the mean squares of the encoded columns after the intercept, none above the square of
   * the intercept.
   */
  // A planned row bound grows with the expected rows, and so do the squares that have room in it. A
  // planned intercept does not: it is the root of the columns' mean square.
  public static DoubleVector withinIntercept(RowSchema schema) {
    DoubleVector squares = of(schema);
    double most = schema.intercept() * schema.intercept();
    return DoubleVector.generate(squares.size(), k -> Math.min(most, squares.get(k)));
  }

  /** Returns the mean of the mean squares of the encoded columns after the intercept. */
  public static double mean(RowSchema schema) {
    DoubleVector squares = of(schema);
    double sum = 0.0;
    for (int k = 0; k < squares.size(); k++) {
      sum += squares.get(k);
    }
    return squares.size() == 0 ? WITHOUT_BOUND : sum / squares.size();
  }

  /** The mean square of an entry of a code, all codes alike; 0 for numbers. */
  private static double code(Column column) {
    if (column.isOneHot()) {
      return 1.0 / (1.0 + column.width());
    }
    return column.isIndicator() ? 1.0 : 0.0;
  }
}
