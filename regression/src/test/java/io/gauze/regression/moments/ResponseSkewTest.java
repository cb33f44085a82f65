package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clipping costs a skewed response more, and a fit of its squares says so. */
class ResponseSkewTest {
  private static final double ROWS = 10_000;

  /** The cost is encoded as [-.25, 1], and what is even as [-1, 1]. */
  private static final RowSchema SCHEMA = schema(0.9);

  private static RowSchema schema(double bound) {
    return RowSchema.of(
        List.of(
            new NumericColumn("x", -1, 1),
            new NumericColumn("cost", "cost", 0, 1, 0.2),
            new NumericColumn("even", -1, 1),
            new IndicatorColumn("rare", "rare", "yes")),
        0.5,
        bound,
        MissingValues.REJECT);
  }

  /** Of columns that do not depend on each other, but for x and the others. */
  private static ReleasedMoments release(double deviation, double sigma) {
    double v = deviation * deviation;
    double mean = -0.96; // of the rare
    double[] upper = {0.25, 0, 0, 0, 0.5 * mean, v, 0.3 * v, 0.3 * v, 0, v, 0, 0, v, 0, 1};
    for (int i = 0; i < upper.length; i++) {
      upper[i] *= ROWS;
    }
    return new ReleasedMoments(SymmetricMatrix.ofUpperTriangle(5, upper), sigma, 0.5);
  }

  private static RegressionProblem problem(String response) {
    return RegressionProblem.of(SCHEMA, response, List.of("x")).withLambda(0.0);
  }

  private static Fit fit(FitInput input, RegressionProblem problem) {
    return ((FitOutcome.Fitted) Regression.fit(input, problem)).fit();
  }

  @Test
  void measuresTheEndsFromTheMean() {
    ResponseSkew cost = ResponseSkew.of(release(0.125, 1), problem("cost"));
    assertThat(cost.near()).isCloseTo(2.0, within(1e-9)); // .25 / .125
    assertThat(cost.far()).isCloseTo(8.0, within(1e-9)); // 1 / .125
    assertThat(cost.isSkewed()).isTrue();
    assertThat(ResponseSkew.of(release(0.15, 1), problem("cost")).isSkewed()).isFalse(); // 6.7
    assertThat(ResponseSkew.of(release(0.11, 1), problem("cost")).isSkewed()).isFalse(); // 2.3
    assertThat(ResponseSkew.of(release(0.125, 1), problem("even")).isSkewed()).isFalse();
  }

  /** An indicator of which hardly any is true has no logarithm. */
  @Test
  void indicatorsAreNotSkewed() {
    assertThat(ResponseSkew.of(release(0.125, 1), problem("rare")).near()).isNaN();
  }

  @Test
  void noiseTellsNothing() {
    assertThat(ResponseSkew.of(release(0.125, 1000), problem("cost")).near()).isNaN();
    RegressionProblem whole =
        RegressionProblem.of(schema(SCHEMA.largestNorm()), "cost", List.of("x"));
    assertThat(ResponseSkew.of(release(0.125, 1), whole).near()).as("no row is clipped").isNaN();
  }

  @Test
  void clippingCostsMore() {
    ReleasedMoments input = release(0.125, 1);
    RegressionProblem cost = problem("cost");
    RegressionProblem even = problem("even"); // has the same moments
    Fit skewed = fit(input, cost);
    Fit usual = fit(input, even);
    double usualCost = input.clippingExcess(even, usual.coefficients());
    assertThat(usualCost).isPositive();
    assertThat(input.clippingExcess(cost, skewed.coefficients()))
        .isCloseTo(8.0 * usualCost, withinPercentage(1e-6));
    assertThat(skewed.predictedExcess() - usual.predictedExcess())
        .isCloseTo(7.0 * usualCost, withinPercentage(1.0));
    assertThat(skewed.privacyCovariance().get(1, 1))
        .isGreaterThan(1.5 * usual.privacyCovariance().get(1, 1));
  }

  @Test
  void aFitSaysSoInsteadOfTheUsualDoubts() {
    Fit skewed = fit(release(0.125, 1), problem("cost"));
    assertThat(Said.by(skewed)).containsExactly(FitMessage.SKEW);
    assertThat(skewed.warnings().get(0).text())
        .startsWith("cost is skewed (its range ends 2.0 and 8 deviations from its mean)")
        .contains("send the logarithm of a cost");
    assertThat(Said.by(fit(release(0.125, 1), problem("even"))))
        .doesNotContain(FitMessage.SKEW)
        .contains(FitMessage.CUT);
  }

  /** Of LAD the excess of skewed rows is predicted without. */
  @Test
  void otherLossesAreNotConcerned() {
    ReleasedMoments input = release(0.125, 1);
    RegressionProblem lad = problem("cost").withLoss(Loss.ABSOLUTE);
    assertThat(input.skewWarning(lad)).isEmpty();
    assertThat(input.skewWarning(problem("cost"))).isPresent();
  }
}
