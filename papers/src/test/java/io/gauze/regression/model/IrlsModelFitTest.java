package io.gauze.regression.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.Loss;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link ModelFitTest} of reweighted squares. */
final class IrlsModelFitTest {
  /** The tolerances are some three times what the noise of the law moves a coefficient by. */
  @ParameterizedTest
  @CsvSource({"gaussian, 0.08", "laplace, 0.14", "laplace-composed, 0.14"})
  void roundsOfReweightedSquaresAreNearTheMedian(String noise, double tolerance) throws Exception {
    Map<String, String> options = Map.of("noise", noise, "threshold", "1");
    FitInput input = FitInput.of(ModelFitTest.release(ModelFitTest.plan("private-irls", options)));
    Fit fit = ModelFitTest.fitted(input, ModelFitTest.problem(Loss.ABSOLUTE));
    CoefficientTable table = fit.inUserUnits(ModelFitTest.SCHEMA);
    assertThat(table.estimates().get(1)).isCloseTo(1.2, within(tolerance));
    assertThat(table.estimates().get(2)).isCloseTo(-0.8, within(tolerance));
    assertThat(fit.predictedExcess()).isBetween(1e-4, 0.4);
    assertThat(
            ModelFitTest.fitted(input, ModelFitTest.problem(new Loss.Huber(0.05))).coefficients())
        .isEqualTo(fit.coefficients());
    assertThat(ModelFitTest.refused(input, ModelFitTest.problem(Loss.SQUARED)))
        .contains("ask for the loss lad");
  }

  /** The first round has weights of 1. */
  @Test
  void oneRoundIsLeastSquares() throws Exception {
    FitInput input =
        FitInput.of(ModelFitTest.release(ModelFitTest.plan("private-irls", Map.of("rounds", "1"))));
    CoefficientTable table =
        ModelFitTest.fitted(input, ModelFitTest.problem(Loss.SQUARED))
            .inUserUnits(ModelFitTest.SCHEMA);
    assertThat(table.estimates().get(1)).isCloseTo(1.2, within(0.1));
    assertThat(ModelFitTest.refused(input, ModelFitTest.problem(Loss.ABSOLUTE)))
        .contains("of least squares");
  }

  /** Squares of mu add up to that of the budget, but for the delta of samplers, below 1e-20. */
  @Test
  void gaussianRoundsComposeExactlyWithMoments() {
    StreamRequest request = ModelFitTest.plan("private-irls", Map.of("rounds", "5")).request();
    SketchRequest moments = new SketchRequest("moments", "noisy-moments", 3.0, Map.of());
    StreamPlan plan =
        StreamPlan.of(request.withSketches(List.of(moments, request.sketches().get(0))));
    double all = GaussianDp.mu(1.0, 1e-6);
    double[] mus =
        plan.costs().stream().mapToDouble(cost -> ((MechanismCost.Gaussian) cost).mu()).toArray();
    assertThat(mus[0]).isCloseTo(all * Math.sqrt(0.75), within(1e-9));
    assertThat(mus[1]).isCloseTo(all * 0.5, within(1e-9));
    Map<String, Double> parameters = plan.sketches().get(1).mechanism().parameters();
    double x = parameters.get("featureBound");
    double y = parameters.get("responseBound");
    assertThat(y).isGreaterThan(x);
    assertThat(parameters.get("momentSigma"))
        .isCloseTo(Math.sqrt(8.0) * x * y * Math.sqrt(5.0) / mus[1], withinPercentage(1e-6));
  }

  @Test
  void sharesAndRoundsThatNoNoiseKeepsAreErrors() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelFitTest.plan("private-irls", Map.of("threshold", "1e9")))
        .withMessageContaining("threshold must be in [");
    StreamRequest request = ModelFitTest.plan("private-irls", Map.of()).request();
    SketchRequest moments = new SketchRequest("moments", "noisy-moments", 1e6, Map.of());
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> StreamPlan.of(request.withSketches(List.of(moments, request.sketches().get(0)))))
        .withMessageContaining("model m: mu of private-irls, by weight and epsilon, must be in");
  }
}
