package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.moments.SquaredNorms;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fits say when clipping draws slopes toward 0, which no standard error shows. */
class ClippingTest {
  private static final double ROWS = 10_000;
  private static final RowSchema TOGETHER =
      RowSchema.of(
          List.of(
              new NumericColumn("x", -1, 1),
              new NumericColumn("y", -1, 1),
              new NumericColumn("z", -1, 1)),
          0.5,
          1.0,
          MissingValues.REJECT);
  private static final RowSchema APART =
      TOGETHER.withResponses(new ResponseBound(List.of("y"), 0.5));

  /** Independent columns of one mean square, of rows whose mean squared norm is 0.25 + 3 v. */
  private static ReleasedMoments release(double v, double sigma) {
    double[] upper = {0.25, 0, 0, 0, v, 0.5 * v, 0, v, 0, v};
    for (int i = 0; i < upper.length; i++) {
      upper[i] *= ROWS;
    }
    return new ReleasedMoments(SymmetricMatrix.ofUpperTriangle(4, upper), sigma, 0.5);
  }

  private static List<String> warnings(FitInput input, RowSchema schema, String response) {
    RegressionProblem problem = RegressionProblem.of(schema, response);
    return Said.of(FitMessage.CUT, ((FitOutcome.Fitted) Regression.fit(input, problem)).fit());
  }

  @Test
  void rowsThatFillTheBoundWereShortened() {
    RegressionProblem problem = RegressionProblem.of(TOGETHER, "y");
    FitOutcome outcome = Regression.fit(release(0.225, 10), problem);
    assertThat(Said.by(((FitOutcome.Fitted) outcome).fit())).containsExactly(FitMessage.CUT);
    assertThat(warnings(release(0.225, 10), TOGETHER, "y")) // 0.925 of the bound
        .singleElement()
        .asString()
        .contains("mean square: 93 %", "probably shortened", "draws slopes toward 0");
    assertThat(warnings(release(0.16, 10), TOGETHER, "y")).hasSize(1); // 0.73
    assertThat(warnings(release(0.14, 10), TOGETHER, "y")).isEmpty(); // 0.67
  }

  /** With hardly any noise, what clipping costs is most of the error, and nobody knows it. */
  @Test
  void aFitOfLittleNoiseDoubtsItself() {
    assertThat(doubts(release(0.14, 10), TOGETHER)).hasSize(1);
    assertThat(doubts(release(0.2, 10), TOGETHER)).as("it says that rows were shortened").isEmpty();
    assertThat(doubts(release(0.14, 100), TOGETHER)).isEmpty();
    RowSchema loose = RowSchema.of(TOGETHER.columns(), 0.5);
    assertThat(doubts(release(0.14, 10), loose)).isEmpty();
    RegressionProblem problem = RegressionProblem.of(TOGETHER, "y");
    FitInput input = release(0.2, 10);
    double all = ((FitOutcome.Fitted) Regression.fit(input, problem)).fit().predictedExcess();
    double noise = ((FitOutcome.Fitted) input.solve(problem)).fit().predictedExcess();
    // squares of mean .85 and variance 2 (3 * .2^2 + 2 * .1^2), 3.25 of the longest row
    double distance = 0.15 / Math.sqrt(0.28) / (1.0 - 0.15 / 2.4);
    double often = 3e-4 * Math.log(3.25); // the least weight of a row is 1 / 3.25
    double spread = 1.0 / 0.75; // x explains a quarter of the variance of y
    assertThat(all - noise)
        .isCloseTo(often * spread / (1.0 + Math.pow(distance / 3.0, 4.0)), withinPercentage(0.1));
  }

  /** Squared norms have their deviation from the columns' moments, and end at the longest row. */
  @Test
  void clippingCostsLessTheFartherTheBoundIs() {
    double before = 3e-4 * Math.log(3.25 / 0.64) / 0.75 + 1e-9;
    for (double bound : new double[] {0.8, 1.0, 1.3, 1.6, 1.75}) {
      RowSchema schema = RowSchema.of(TOGETHER.columns(), 0.5, bound, MissingValues.REJECT);
      double cost = cost(schema);
      assertThat(cost).as("cost of %s", bound).isPositive().isLessThan(before);
      before = cost;
    }
    assertThat(before).isLessThan(1e-6);
    assertThat(cost(RowSchema.of(TOGETHER.columns(), 0.5))).isZero();
  }

  private static double cost(RowSchema schema) {
    RegressionProblem problem = RegressionProblem.of(schema, "y").withLambda(0.0);
    FitInput input = release(0.2, 1);
    Fit fit = ((FitOutcome.Fitted) Regression.fit(input, problem)).fit();
    return input.clippingExcess(problem, fit.coefficients());
  }

  /** Values at the ends of a range have one square, so that rows of them have one length. */
  @Test
  void codesDoNotVary() {
    SquaredNorms norms = SquaredNorms.of(release(1.0, 1), Clipping.of(TOGETHER));
    assertThat(norms.mean()).isCloseTo(3.25, within(1e-12));
    assertThat(norms.deviation()).isCloseTo(0.0, within(1e-12));
  }

  /** What clipping is guessed to cost is in the standard errors too. */
  @Test
  void standardErrorsContainTheGuess() {
    RegressionProblem clipped = RegressionProblem.of(TOGETHER, "y").withLambda(0.0);
    RegressionProblem whole =
        RegressionProblem.of(RowSchema.of(TOGETHER.columns(), 0.5), "y").withLambda(0.0);
    FitInput input = release(0.2, 1);
    Fit with = ((FitOutcome.Fitted) Regression.fit(input, clipped)).fit();
    Fit without = ((FitOutcome.Fitted) Regression.fit(input, whole)).fit();
    double cost = input.clippingExcess(clipped, with.coefficients());
    double residual = ROWS * 0.2 * (1.0 - 0.25);
    double added = 0.25 * 2.0 * cost * residual / (ROWS * 0.2);
    assertThat(with.privacyCovariance().get(2, 2) - without.privacyCovariance().get(2, 2))
        .isCloseTo(added, within(1e-3 * added));
  }

  private static List<String> doubts(FitInput input, RowSchema schema) {
    RegressionProblem problem = RegressionProblem.of(schema, "y");
    return Said.of(FitMessage.LONG, ((FitOutcome.Fitted) Regression.fit(input, problem)).fit());
  }

  @Test
  void aNamedResponseIsNotBiased() {
    assertThat(warnings(release(0.24, 10), APART, "y")).isEmpty();
    // 0.25 + 2 * 0.24 of 0.75: the weights of rows depend on x and z
    assertThat(warnings(release(0.24, 10), APART, "z")).hasSize(1);
  }

  @Test
  void noiseIsNoEvidence() {
    assertThat(warnings(release(0.225, 1000), TOGETHER, "y")).isEmpty();
    RegressionProblem unknown =
        new RegressionProblem(
            TOGETHER.encodedNames(), 2, List.of(0, 1), Loss.SQUARED, Penalty.AUTO);
    FitOutcome outcome = Regression.fit(release(0.225, 10), unknown);
    assertThat(((FitOutcome.Fitted) outcome).fit().warnings()).isEmpty();
  }

  /** Rows of one norm fill a bound that none of them is beyond. */
  @Test
  void aBoundThatClipsNothingIsNotWarnedOf() {
    RowSchema loose = RowSchema.of(TOGETHER.columns(), 0.5);
    assertThat(warnings(release(1.0, 10), loose, "y")).isEmpty();
  }
}
