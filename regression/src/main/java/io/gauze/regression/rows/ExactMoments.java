package io.gauze.regression.rows;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.RegressionProblem;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMoments;

/**
 * Second moments of raw rows, in doubles. They serve the non-private fit with which private fits
 * are compared, and measure the error of any coefficients on these rows. NOT private.
 *
 * <p>Mutable, not thread-safe. Sums are compensated: their error is about 1e-16 of the sum of
 * absolute products, whatever the number of rows.
 */
public final class ExactMoments implements MomentsInput {
  private final int dimension;
  private final double intercept;
  private final double[] upper;
  private final double[] lost; // the rounding errors of upper
  private long rows;

  private ExactMoments(int dimension, double intercept) {
    this.dimension = dimension;
    this.intercept = intercept;
    this.upper = new double[SymmetricMatrix.length(dimension)];
    this.lost = new double[upper.length];
  }

  /**
   * Creates moments without rows.
   *
   * @param dimension D, in [1, 4096]
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static ExactMoments create(int dimension, double intercept) {
    Checks.within("dimension", dimension, 1, 4096);
    Checks.positiveFinite("intercept", intercept);
    return new ExactMoments(dimension, intercept);
  }

  /**
   * Returns the moments of a sketch without noise: exact except for the rounding of the rows to the
   * grid. NOT private.
   *
   * @param sketch of encoded rows
   * @param schema of these rows. Their number is computed from the intercept's entry. It is
   *     slightly low if rows were clipped, and below 0 if more rows were deleted than inserted:
   *     such a sketch must be merged first and cannot be fitted
   * @throws IllegalArgumentException if the dimensions differ
   */
  public static ExactMoments of(SecondMoments sketch, RowSchema schema) {
    Checks.within(
        "dimension of the sketch",
        sketch.spec().dimension(),
        schema.dimension(),
        schema.dimension());
    double constant = 1.0 / schema.half(0);
    ExactMoments moments = create(schema.dimension(), constant);
    for (int i = 0; i < moments.upper.length; i++) {
      moments.upper[i] = (double) sketch.state()[i] * schema.grid().momentUnit();
    }
    moments.rows = Math.round(moments.upper[0] / (constant * constant));
    return moments;
  }

  /**
   * Returns moments of known sums, whose rows are counted by the intercept's entry. NOT private.
   */
  public static ExactMoments of(SymmetricMatrix sums, double intercept) {
    ExactMoments moments = create(sums.dimension(), intercept);
    int next = 0;
    for (int i = 0; i < moments.dimension; i++) {
      for (int j = i; j < moments.dimension; j++) {
        moments.upper[next++] = sums.get(i, j);
      }
    }
    moments.rows = Math.round(moments.upper[0] / (intercept * intercept));
    return moments;
  }

  /**
   * Adds a row, in O(D^2) time without allocation.
   *
   * @param row D finite numbers in encoded units, the intercept first
   * @throws IllegalArgumentException if the length differs or a number is not finite; nothing is
   *     added then
   */
  public void add(double... row) {
    Checks.length("row", row.length, dimension);
    Checks.finite("row", row);
    int next = 0;
    for (int i = 0; i < dimension; i++) {
      for (int j = i; j < dimension; j++) {
        // O. Møller and D. Knuth: the rounding error of a sum is a double, which is computed here.
        double product = row[i] * row[j];
        double before = upper[next];
        double sum = before + product;
        double part = sum - before;
        upper[next] = sum;
        lost[next++] += (before - (sum - part)) + (product - part);
      }
    }
    rows++;
  }

  /** The number of rows added, less those deleted. */
  public long rows() {
    return rows;
  }

  @Override
  public double intercept() {
    return intercept;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public boolean isReleased() {
    return false;
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    return problem.loss().isSquared()
        ? LeastSquares.fit(this, problem)
        : MomentsInput.refused(problem);
  }

  @Override
  public FitSummary summary(Fit fit) {
    return FitSummary.withheld("rows are no release");
  }

  /** Returns a copy of the sums so far. */
  @Override
  public SymmetricMatrix moments() {
    double[] sums = upper.clone();
    for (int i = 0; i < sums.length; i++) {
      sums[i] += lost[i];
    }
    return SymmetricMatrix.ofUpperTriangle(dimension, sums);
  }

  /**
   * Returns the residual sum of squares of the given coefficients on these rows, in encoded units
   * squared.
   *
   * @param problem decides the columns; its penalty is ignored
   * @param coefficients of the features, for unscaled columns: column 0 contains the intercept's
   *     constant
   * @throws IllegalArgumentException if the problem's columns are not those of these rows, or the
   *     number of coefficients is not that of the features
   */
  public double residualSumOfSquares(RegressionProblem problem, DoubleVector coefficients) {
    int[] columns = problem.columns(dimension);
    Checks.length("coefficients", coefficients.size(), columns.length - 1);
    double[] weights = new double[columns.length];
    for (int k = 0; k < columns.length - 1; k++) {
      weights[k] = -coefficients.get(k);
    }
    weights[columns.length - 1] = 1.0;
    // rounding can take a perfect fit below zero
    return Math.max(0.0, SymmetricMatrix.of(moments().select(columns)).quadraticForm(weights));
  }

  /** Returns {@link #residualSumOfSquares(RegressionProblem, DoubleVector)} of a fit. */
  public double residualSumOfSquares(Fit fit) {
    return residualSumOfSquares(fit.problem(), fit.coefficients());
  }

  /**
   * Returns the root mean squared residual of the given coefficients on these rows, in encoded
   * units.
   *
   * @throws IllegalArgumentException if no rows are left, or as {@link
   *     #residualSumOfSquares(RegressionProblem, DoubleVector)}
   */
  public double rmse(RegressionProblem problem, DoubleVector coefficients) {
    if (rows <= 0) {
      throw new IllegalArgumentException("rows must be at least 1. Provided value: " + rows);
    }
    return Math.sqrt(residualSumOfSquares(problem, coefficients) / (double) rows);
  }

  /** Returns {@link #rmse(RegressionProblem, DoubleVector)} of a fit. */
  public double rmse(Fit fit) {
    return rmse(fit.problem(), fit.coefficients());
  }
}
