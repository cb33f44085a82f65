package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FewSlopesTest {
  private static final int FEATURES = 10;
  private static final int ROWS = 1_000_000;

  /** A model of zeros misses the 80 % that eight columns explain. */
  @Test
  void zerosMissWhatIsExplained() {
    assertThat(new FewSlopes(FEATURES, 0.4, 1).excess(new double[FEATURES + 1]))
        .isCloseTo(1.0 / Math.sqrt(0.2) - 1.0, within(0.03));
  }

  /**
   * Least squares of n rows and p columns have an expected excess of p / 2n, here 5.5e-6 with a
   * deviation of 2.3e-6. Slopes of a response that is not clamped are .27 % larger, which would add
   * 1.4e-5.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.0, 0.4})
  void leastSquaresOfManyRowsComeNear(double correlation) {
    ExactMoments moments = ExactMoments.create(FEATURES + 2, FewSlopes.INTERCEPT);
    FewSlopes made = new FewSlopes(FEATURES, correlation, 1);
    double[] row = new double[FEATURES + 2];
    row[0] = FewSlopes.INTERCEPT;
    for (int i = 0; i < ROWS; i++) {
      System.arraycopy(made.next(), 0, row, 1, FEATURES + 1);
      moments.add(row);
    }
    RegressionProblem problem = problem().withLambda(0.0);
    Fit fit = ((FitOutcome.Fitted) Regression.fit(moments, problem)).fit();
    assertThat(made.excess(fit.coefficients().toArray())).isBetween(0.0, 1.3e-5);
    double[] moved = fit.coefficients().toArray();
    moved[1] += 0.1;
    double excess = moments.rmse(problem, DoubleVector.of(moved)) / moments.rmse(fit) - 1.0;
    assertThat(made.excess(moved)).isCloseTo(excess, within(0.02 * excess));
  }

  private static RegressionProblem problem() {
    RowSchema schema =
        RowSchema.of(
            IntStream.rangeClosed(0, FEATURES)
                .mapToObj(k -> new NumericColumn("x" + k, "x" + k, -1, 1))
                .toList(),
            FewSlopes.INTERCEPT,
            2.0,
            MissingValues.REJECT);
    return RegressionProblem.of(schema, "x" + FEATURES);
  }
}
