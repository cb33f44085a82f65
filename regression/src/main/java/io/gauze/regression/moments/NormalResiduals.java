package io.gauze.regression.moments;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Prospect;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.RowsFit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.InverseErf;

/**
 * Answers absolute, quantile and Huber losses from noisy moments: as if residuals were normal with
 * one variance, for which least squares with a shifted intercept are the best fit of each.
 */
final class NormalResiduals {
  private final NoisyMomentsInput input;
  private final RegressionProblem problem;

  private NormalResiduals(NoisyMomentsInput input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
  }

  /** Fits; the loss is not the squared one. Costs a fit of least squares. */
  static FitOutcome fit(NoisyMomentsInput input, RegressionProblem problem) {
    Penalty penalty = problem.penalty();
    if (penalty.hasL1()) {
      return new FitOutcome.Refused(Penalty.L1_OF_SQUARES);
    }
    if (problem.strict()) {
      return new FitOutcome.Refused(
          "moments cannot tell where losses bend, which "
              + problem.lossName()
              + " needs: without strict they answer as if residuals were normal; release"
              + " stratified-moments (any quantile, Huber) or multilevel-l1 (lad)");
    }
    FitOutcome squares =
        input.solve(problem.withPenalty(penalty.ridgeIfOpen()).withLoss(Loss.SQUARED));
    return squares.map(new NormalResiduals(input, problem)::shifted);
  }

  // The quantile tau of N(0, s^2) is s z(tau); other losses are symmetric.
  private Fit shifted(Fit squares) {
    double z = problem.loss().accept(new Shift());
    double s = z == 0.0 ? 0.0 : deviation(squares);
    DoubleVector b =
        DoubleVector.generate(
            squares.coefficients().size(),
            k ->
                squares.coefficients().get(k)
                    + (problem.features().get(k) == 0 ? z * s / input.intercept() : 0.0));
    return squares
        .withCoefficients(problem, b)
        .withExcess(squares.predictedExcess() + Prospect.SQUARES_FOR_LAD)
        .withWithheld(IntStream.range(0, b.size()).boxed().collect(Collectors.toUnmodifiableSet()))
        .withWarnings(List.of(FitMessage.NORMAL.of(problem.lossName())));
  }

  /** Returns the standard deviation of residuals; 0 if noise exceeds them. */
  private double deviation(Fit squares) {
    int[] columns = problem.columns(input.dimension());
    int[] rising = IntStream.of(columns).distinct().sorted().toArray();
    double[] weights = new double[rising.length];
    weights[Arrays.binarySearch(rising, problem.response())] = 1.0;
    for (int k = 0; k < columns.length - 1; k++) {
      weights[Arrays.binarySearch(rising, columns[k])] = -squares.coefficients().get(k);
    }
    double square = SymmetricMatrix.of(input.momentsOf(rising)).quadraticForm(weights);
    return Math.sqrt(Math.max(0.0, square) / Math.max(1.0, squares.rows()));
  }

  private static final class Shift implements Loss.Reader<Double> {
    @Override
    public Double squared() {
      return 0.0;
    }

    @Override
    public Double quantile(Loss.Quantile quantile) {
      return Math.sqrt(2.0) * InverseErf.value(2.0 * quantile.tau() - 1.0);
    }

    @Override
    public Double huber(Loss.Huber huber) {
      return 0.0;
    }

    @Override
    public Double logistic() {
      throw RowsFit.notFitted();
    }
  }
}
