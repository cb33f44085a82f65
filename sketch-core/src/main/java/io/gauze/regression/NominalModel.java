package io.gauze.regression;

import io.gauze.internal.Checks;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/**
 * Rows as expected before any is seen: independent features of mean 0, a response of the same mean
 * square that depends equally on all of them, and an intercept.
 *
 * @param features d, without the intercept, in [1, 4094]
 * @param rows n, the expected number; at least 1
 * @param intercept the constant c0 at index 0 of every row; positive
 * @param meanSquare v, of each feature and the response, in encoded units squared; positive
 * @param explained the share of the response's variance that the features explain, in (0, 1)
 */
public record NominalModel(
    int features, double rows, double intercept, double meanSquare, double explained) {
  static final double MEAN_SQUARE = 1.0 / 9.0;
  private static final double EXPLAINED = 0.9;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public NominalModel {
    Checks.within("features", features, 1, 4094);
    Checks.positiveFinite("rows", rows);
    Checks.atLeast("rows", rows, 1.0);
    Checks.positiveFinite("intercept", intercept);
    Checks.positiveFinite("meanSquare", meanSquare);
    Checks.positiveFinite("explained", explained);
    Checks.positiveFinite("1 - explained", 1.0 - explained);
  }

  /**
   * Creates a model of columns whose range is three standard deviations to either side, with nine
   * tenths explained.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public NominalModel(int features, double rows, double intercept) {
    this(features, rows, intercept, MEAN_SQUARE, EXPLAINED);
  }

  /**
   * Returns a model with columns of another mean square.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  static NominalModel of(int features, double rows, double intercept, double meanSquare) {
    return new NominalModel(features, rows, intercept, meanSquare, EXPLAINED);
  }

  /** Returns the relative excess of the model without a fit: every coefficient is 0. */
  double ignorance() {
    return 1.0 / Math.sqrt(1.0 - explained) - 1.0;
  }

  /** Returns the residual sum of squares. */
  double residual() {
    return rows * meanSquare * (1.0 - explained);
  }

  /** Returns the coefficients of the intercept's column and the features. */
  DMatrixRMaj coefficients() {
    DMatrixRMaj b = new DMatrixRMaj(features + 1, 1);
    for (int i = 1; i <= features; i++) {
      b.set(i, Math.sqrt(explained / features));
    }
    return b;
  }

  /** Returns the moments of the intercept's column, the features and the response. */
  DMatrixRMaj moments() {
    DMatrixRMaj joint = new DMatrixRMaj(features + 2, features + 2);
    joint.set(0, 0, rows * intercept * intercept);
    double cross = rows * meanSquare * Math.sqrt(explained / features);
    for (int i = 1; i <= features; i++) {
      joint.set(i, i, rows * meanSquare);
      joint.set(i, features + 1, cross);
      joint.set(features + 1, i, cross);
    }
    joint.set(features + 1, features + 1, rows * meanSquare);
    return joint;
  }

  /** Returns the problem that explains the response by all other columns. */
  RegressionProblem problem() {
    List<String> names = IntStream.range(0, features + 2).mapToObj(i -> "c" + i).toList();
    List<Integer> others = IntStream.rangeClosed(0, features).boxed().toList();
    Penalty ridge = new Penalty(OptionalDouble.empty(), 1.0, false);
    return new RegressionProblem(names, features + 1, others, Loss.SQUARED, ridge);
  }
}
