package io.gauze.regression.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.linalg.DoubleVector;
import io.gauze.message.FitMessage;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.ReferenceDesign;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fits of raw rows against solutions that other software computed in 50 digits. */
class LeastSquaresReferenceTest {
  private static final double RELATIVE = 1e-8;

  @ParameterizedTest
  @ValueSource(strings = {"wine_white", "wine_red", "california", "diamonds"})
  void equalsTheReferenceSolutions(String task) throws IOException {
    ReferenceDesign design = new ReferenceDesign(task);
    ExactMoments moments = design.moments();
    assertThat(moments.rows()).isEqualTo(design.answers.get("n").longValue());
    assertThat(design.leastSquares()).hasSize(9).contains("ols", "ridge_lambda100_free_intercept");
    for (String name : design.leastSquares()) {
      Fit fit = fit(moments, problem(design.problem(), name));
      JsonNode expected = design.answers.get("solutions").get(name);
      DoubleVector estimates = fit.encoded().estimates();
      for (int k = 0; k < estimates.size(); k++) {
        double coefficient = expected.get("coef").get(k).doubleValue();
        assertThat(estimates.get(k))
            .as("%s %s", name, fit.problem().featureNames().get(k))
            .isCloseTo(coefficient, within(RELATIVE * Math.abs(coefficient)));
      }
      double rss = expected.get("rss").doubleValue();
      assertThat(moments.residualSumOfSquares(fit)).isCloseTo(rss, within(RELATIVE * rss));
      assertThat(moments.rmse(fit)).isCloseTo(expected.get("rmse").doubleValue(), within(RELATIVE));
      boolean isPulled = fit.lambda() > 0.0;
      assertThat(Said.by(fit)).isEqualTo(isPulled ? List.of(FitMessage.PULLED) : List.of());
      assertThat(fit.predictedExcess()).isZero();
    }
  }

  private static Fit fit(ExactMoments moments, RegressionProblem problem) {
    return ((FitOutcome.Fitted) LeastSquares.fit(moments, problem)).fit();
  }

  private static RegressionProblem problem(RegressionProblem problem, String name) {
    if (name.equals("ols")) {
      return problem;
    }
    String lambda = name.replace("ridge_lambda", "").replace("_free_intercept", "");
    RegressionProblem ridge = problem.withLambda(Double.parseDouble(lambda));
    return name.endsWith("_free_intercept") ? ridge.withFreeIntercept() : ridge;
  }
}
