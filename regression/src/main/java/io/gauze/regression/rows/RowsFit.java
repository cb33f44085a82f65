package io.gauze.regression.rows;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Convergence;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.quantile.QuantileFit;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.WeightedRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** One fit of raw rows, by any loss. */
public final class RowsFit implements Loss.Reader<FitOutcome> {
  final RegressionProblem problem;
  final ExactRows input;
  final int features;
  final double lambda;
  final List<Message> warnings = new ArrayList<>();

  private RowsFit(ExactRows input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
    this.features = problem.columns(input.dimension()).length - 1;
    this.lambda = problem.lambda().orElse(0.0);
  }

  /**
   * Fits a problem.
   *
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  static FitOutcome of(ExactRows input, RegressionProblem problem) {
    return problem.loss().accept(new RowsFit(input, problem));
  }

  @Override
  public FitOutcome squared() {
    return withObjective(LeastSquares.fit(input.exactMoments(), problem));
  }

  @Override
  public FitOutcome quantile(Loss.Quantile quantile) {
    return ofRows(() -> new QuantileRows(this, quantile.tau()).fit());
  }

  @Override
  public FitOutcome huber(Loss.Huber huber) {
    return ofRows(() -> new HuberRows(this, huber.threshold()).fit());
  }

  @Override
  public FitOutcome logistic() {
    throw notFitted();
  }

  /** The error that a loss of labels came to a solver of residuals. */
  public static IllegalStateException notFitted() {
    return new IllegalStateException("logistic is answered by released models alone");
  }

  private FitOutcome ofRows(Supplier<FitOutcome> solver) {
    if (input.rows() == 0) {
      return new FitOutcome.Refused(LeastSquares.NO_ROWS);
    }
    // an l1 penalty of a quantile adds two rows per feature
    long entries = (input.rows() + 2L * features) * features;
    if (features > WeightedRows.MAX_COLUMNS || entries > Integer.MAX_VALUE - 8) {
      return refused(
          "%d rows of %d features are too many for this loss: fit fewer features (at most %d) or"
              + " rows, or use the squared loss",
          input.rows(), features, WeightedRows.MAX_COLUMNS);
    }
    return solver.get();
  }

  static FitOutcome refused(String format, Object... values) {
    return new FitOutcome.Refused(String.format(Locale.ROOT, format, values));
  }

  /** Says that a search ended before its minimum was proved. */
  public static Message stalled(QuantileOutcome.Stalled outcome) {
    QuantileFit fit = outcome.fit();
    return FitMessage.GAP.of(fit.iterations() + fit.pivots(), fit.relativeGap());
  }

  /** Returns the factor of the l1 norm of each feature. */
  double[] l1() {
    double share = lambda * (1.0 - problem.penalty().alpha());
    return Arrays.stream(problem.l1Weights(input.intercept())).map(v -> share * v).toArray();
  }

  /** Warns that standard errors do not include the effects of an l1 penalty, if there is one. */
  void warnAboutStandardErrors(double... b) {
    LeastSquares.warnAboutStandardErrors(warnings, problem, b);
    if (input.rows() <= features) {
      warnings.add(FitMessage.SHORT.of());
    }
  }

  /** Returns the features whose coefficients are not 0, or not penalised. */
  int[] active(double... b) {
    double[] l1 = l1();
    return IntStream.range(0, features).filter(j -> b[j] != 0.0 || l1[j] == 0.0).toArray();
  }

  /** Returns {@code bread meat bread} times {@code factor}. */
  public static SymmetricMatrix sandwich(DMatrixRMaj bread, DMatrixRMaj meat, double factor) {
    int size = bread.getNumRows();
    DMatrixRMaj half = new DMatrixRMaj(size, size);
    DMatrixRMaj covariance = new DMatrixRMaj(size, size);
    CommonOps_DDRM.mult(factor, bread, meat, half);
    CommonOps_DDRM.mult(half, bread, covariance);
    return SymmetricMatrix.of(covariance);
  }

  FitOutcome fitted(
      double[] b, SymmetricMatrix covariance, double condition, Convergence convergence) {
    return withObjective(
        new FitOutcome.Fitted(
            new Fit(
                    problem,
                    input.intercept(),
                    DoubleVector.of(b),
                    covariance,
                    SymmetricMatrix.of(new DMatrixRMaj(features, features)),
                    lambda,
                    condition,
                    input.rows(),
                    0.0,
                    convergence,
                    warnings)
                .withWithheld(input.rows() <= features ? LeastSquares.all(problem) : Set.of())));
  }

  private FitOutcome withObjective(FitOutcome outcome) {
    return outcome.map(fit -> fit.withObjective(OptionalDouble.of(input.objective(fit))));
  }
}
