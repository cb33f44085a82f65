package io.gauze.regression.rows;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.quantile.WeightedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;

/**
 * Raw encoded rows in memory. They serve the non-private fits, of any loss, with which private fits
 * are compared, and measure the error of any coefficients on these rows. NOT private.
 *
 * <p>Mutable, not thread-safe. Holds D doubles per row; {@link #toString} shows the shape only.
 */
public final class ExactRows implements MomentsInput {
  private static final int BLOCK = 1 << 10; // rows

  // moments of the first rows; the others are added when the moments are requested
  private final ExactMoments moments;
  private final int dimension;
  private final List<double[]> blocks = new ArrayList<>();
  private int rows;

  private ExactRows(int dimension, double intercept) {
    this.dimension = dimension;
    this.moments = ExactMoments.create(dimension, intercept);
  }

  /**
   * Creates an empty set of rows.
   *
   * @param dimension D, in [1, 4096]
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static ExactRows create(int dimension, double intercept) {
    return new ExactRows(dimension, intercept);
  }

  /**
   * Adds a copy of a row. At most {@code 2^31 - 1} rows.
   *
   * @param row D finite numbers in encoded units, the intercept first
   * @throws IllegalArgumentException if the length differs or a number is not finite; nothing is
   *     added then
   */
  public void add(double... row) {
    Checks.length("row", row.length, dimension);
    Checks.finite("row", row);
    if (rows % BLOCK == 0) {
      blocks.add(new double[BLOCK * dimension]);
    }
    System.arraycopy(row, 0, blocks.get(rows / BLOCK), rows % BLOCK * dimension, dimension);
    rows = Math.addExact(rows, 1);
  }

  /**
   * Returns the rows after a change of each.
   *
   * @param change changes a row, which must not be kept
   */
  public ExactRows mapped(Consumer<double[]> change) {
    ExactRows mapped = new ExactRows(dimension, intercept());
    forEach(
        row -> {
          change.accept(row);
          mapped.add(row);
        });
    return mapped;
  }

  /**
   * Passes a copy of each row, in order.
   *
   * @param action gets the row, which must not be kept
   */
  public void forEach(Consumer<double[]> action) {
    double[] row = new double[dimension];
    for (int i = 0; i < rows; i++) {
      System.arraycopy(blocks.get(i / BLOCK), i % BLOCK * dimension, row, 0, dimension);
      action.accept(row);
    }
  }

  /** The number of rows added. */
  public int rows() {
    return rows;
  }

  @Override
  public boolean isReleased() {
    return false;
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    return RowsFit.of(this, problem);
  }

  @Override
  public FitSummary summary(Fit fit) {
    return FitSummary.withheld("rows are no release");
  }

  @Override
  public double intercept() {
    return moments.intercept();
  }

  @Override
  public int dimension() {
    return dimension;
  }

  /**
   * Returns the sums over all rows. O(D^2) time for each row that was added since the last call.
   */
  @Override
  public SymmetricMatrix moments() {
    return exactMoments().moments();
  }

  /** Returns the moments, which must not be changed. */
  ExactMoments exactMoments() {
    double[] row = new double[dimension];
    for (int i = Math.toIntExact(moments.rows()); i < rows; i++) {
      System.arraycopy(blocks.get(i / BLOCK), i % BLOCK * dimension, row, 0, dimension);
      moments.add(row);
    }
    return moments;
  }

  /** Returns a copy of the problem's features and responses, with weight 1. */
  WeightedRows select(RegressionProblem problem) {
    int[] columns = problem.columns(dimension);
    int p = columns.length - 1; // the last one is the response
    double[] x = new double[Math.multiplyExact(rows, p)];
    double[] y = new double[rows];
    for (int i = 0; i < rows; i++) {
      double[] block = blocks.get(i / BLOCK);
      int start = i % BLOCK * dimension;
      for (int j = 0; j < p; j++) {
        x[i * p + j] = block[start + columns[j]];
      }
      y[i] = block[start + columns[p]];
    }
    return WeightedRows.unweighted(p, x, y);
  }

  /**
   * Returns the objective of a fit on these rows, in encoded units: the sum of its loss, and its
   * penalty.
   *
   * @throws IllegalArgumentException if the fit's columns are not those of these rows
   */
  public double objective(Fit fit) {
    return sum(fit, fit.problem().loss()::of)
        + fit.problem().penaltyOf(fit.lambda(), fit.intercept(), fit.coefficients().toArray());
  }

  /**
   * Returns the root mean squared residual of a fit on these rows, in encoded units of the
   * response.
   *
   * @throws IllegalArgumentException if there are no rows, or the fit's columns are not those of
   *     these rows
   */
  public double rmse(Fit fit) {
    return Math.sqrt(mean(fit, u -> u * u));
  }

  /**
   * Returns the mean of the fit's own loss on these rows, in encoded units.
   *
   * @throws IllegalArgumentException if there are no rows, or the fit's columns are not those of
   *     these rows
   */
  public double meanLoss(Fit fit) {
    return mean(fit, fit.problem().loss()::of);
  }

  /**
   * Returns the mean absolute residual of a fit on these rows, in encoded units of the response.
   *
   * @throws IllegalArgumentException if there are no rows, or the fit's columns are not those of
   *     these rows
   */
  public double mae(Fit fit) {
    return mean(fit, Math::abs);
  }

  private double mean(Fit fit, DoubleUnaryOperator loss) {
    if (rows == 0) {
      throw new IllegalArgumentException("rows must be at least 1. Provided value: 0");
    }
    return sum(fit, loss) / rows;
  }

  /**
   * Returns the sum of a function of the residuals. Blocks are summed separately, which reduces
   * rounding errors.
   */
  private double sum(Fit fit, DoubleUnaryOperator loss) {
    int[] columns = fit.problem().columns(dimension);
    double[] b = fit.coefficients().toArray();
    double total = 0.0;
    for (int first = 0; first < rows; first += BLOCK) {
      double[] block = blocks.get(first / BLOCK);
      double sum = 0.0;
      for (int i = 0; i < Math.min(BLOCK, rows - first); i++) {
        double residual = block[i * dimension + columns[b.length]];
        for (int j = 0; j < b.length; j++) {
          residual -= b[j] * block[i * dimension + columns[j]];
        }
        sum += loss.applyAsDouble(residual);
      }
      total += sum;
    }
    return total;
  }

  @Override
  public String toString() {
    return rows + " rows x " + dimension + " columns";
  }
}
