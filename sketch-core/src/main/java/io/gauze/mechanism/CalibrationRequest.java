package io.gauze.mechanism;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Grid;
import io.gauze.sketch.SketchSpec;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The budget and the sizes for which a mechanism is calibrated. Start from {@link #of} and change
 * what differs.
 *
 * @param epsilon in (0, 100]
 * @param delta in (0, 0.1]; empty for mechanisms of pure epsilon
 * @param neighbours which data sets are neighbours
 * @param bound B, the l2 bound on a row in the encoded scale; for a plain {@code gaussian} or
 *     {@code laplace} query its sensitivity, in the norm of the mechanism; in [1e-50, 1e50]
 * @param columns D, the intercept included, in [1, 4096]
 * @param copies s, of the multilevel sketch, in [1, 16]
 * @param rows published rows of a projection, or degrees of freedom of a Wishart law, in [1, 2^20]
 * @param scale of additive Wishart noise, if the degrees of freedom are sought; in [1e-12, 1e12]
 *     squared bounds
 * @param expectedRows a public guess of the number of rows, of mechanisms that are planned for it;
 *     in [1, 2^33 - 2^20]
 */
public record CalibrationRequest(
    double epsilon,
    OptionalDouble delta,
    Neighbours neighbours,
    double bound,
    int columns,
    int copies,
    OptionalInt rows,
    OptionalDouble scale,
    long expectedRows) {
  /** The expected rows unless they are given. */
  public static final long EXPECTED_ROWS = 100_000;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public CalibrationRequest {
    require("epsilon", "(0, 100]", epsilon > 0.0 && epsilon <= 100.0, epsilon);
    delta.ifPresent(d -> require("delta", "(0, 0.1]", d > 0.0 && d <= 0.1, d));
    Objects.requireNonNull(neighbours, "neighbours");
    require("bound", "[1e-50, 1e50]", bound >= 1e-50 && bound <= 1e50, bound);
    require("columns", "[1, 4096]", columns >= 1 && columns <= 4096, columns);
    require("copies", "[1, 16]", copies >= 1 && copies <= 16, copies);
    rows.ifPresent(r -> require("rows", "[1, 1048576]", r >= 1 && r <= 1 << 20, r));
    double square = bound * bound;
    scale.ifPresent(
        c -> require("scale", "[1e-12, 1e12] B^2", c >= 1e-12 * square && c <= 1e12 * square, c));
    Checks.within("expectedRows", expectedRows, 1, Grid.MAX_ROWS);
  }

  /** Returns a request with bound 1, two columns and one copy, without rows or scale. */
  public static CalibrationRequest of(double epsilon, OptionalDouble delta, Neighbours neighbours) {
    return new CalibrationRequest(
        epsilon,
        delta,
        neighbours,
        1.0,
        2,
        1,
        OptionalInt.empty(),
        OptionalDouble.empty(),
        EXPECTED_ROWS);
  }

  /** Returns a copy with another bound. */
  public CalibrationRequest withBound(double newBound) {
    return new CalibrationRequest(
        epsilon, delta, neighbours, newBound, columns, copies, rows, scale, expectedRows);
  }

  /** Returns a copy with another number of columns. */
  public CalibrationRequest withColumns(int newColumns) {
    return new CalibrationRequest(
        epsilon, delta, neighbours, bound, newColumns, copies, rows, scale, expectedRows);
  }

  /** Returns a copy with another number of copies. */
  public CalibrationRequest withCopies(int newCopies) {
    return new CalibrationRequest(
        epsilon, delta, neighbours, bound, columns, newCopies, rows, scale, expectedRows);
  }

  /** Returns a copy with a number of rows. */
  public CalibrationRequest withRows(int newRows) {
    return new CalibrationRequest(
        epsilon,
        delta,
        neighbours,
        bound,
        columns,
        copies,
        OptionalInt.of(newRows),
        scale,
        expectedRows);
  }

  /** Returns a copy with a scale. */
  public CalibrationRequest withScale(double newScale) {
    return new CalibrationRequest(
        epsilon,
        delta,
        neighbours,
        bound,
        columns,
        copies,
        rows,
        OptionalDouble.of(newScale),
        expectedRows);
  }

  /** Returns a copy with another number of expected rows. */
  public CalibrationRequest withExpectedRows(long newRows) {
    return new CalibrationRequest(
        epsilon, delta, neighbours, bound, columns, copies, rows, scale, newRows);
  }

  /** Returns the budget, for a mechanism that needs a delta. */
  public Budget budget(String mechanism) {
    double given =
        delta.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "delta must be given for " + mechanism + ", in (0, 0.1]"));
    return new Budget(epsilon, given, neighbours);
  }

  /** Returns the number of rows, for a mechanism that needs it, and checks its range. */
  public int requireRows(String mechanism, int least, int most) {
    String range = "[" + least + ", " + most + "]";
    int given =
        rows.orElseThrow(
            () ->
                new IllegalArgumentException(
                    "rows must be given for " + mechanism + ", in " + range));
    require("rows", range + " for " + mechanism, given >= least && given <= most, given);
    return given;
  }

  /** Returns the largest l2 distance between the states of a sketch on neighbouring data. */
  public double sensitivity(SketchSpec spec) {
    return spec.sensitivity(bound, neighbours);
  }

  /** Converts a number of squared bounds to the unit of the bound squared, rounded up. */
  public double timesSquare(double value) {
    return bound == 1.0 ? value : Math.nextUp(value * Math.nextUp(bound * bound));
  }

  private static void require(String name, String range, boolean holds, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be in %s. Provided value: %s", name, range, value));
    }
  }
}
