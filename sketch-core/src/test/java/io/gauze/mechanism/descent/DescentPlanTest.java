package io.gauze.mechanism.descent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.twostage.TwoStagePlan;
import io.gauze.noise.RoundedGaussian;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class DescentPlanTest {
  private static final double UNIT = 0x1p-28;
  private static final double BOUND = 1.7;

  private static DescentPlan plan(Neighbours neighbours, double mu) {
    return plan(neighbours, mu, 1);
  }

  private static DescentPlan plan(Neighbours neighbours, double mu, int countings) {
    SecondMomentsSpec spec = new SecondMomentsSpec(5);
    return DescentPlan.of(
        "test",
        5,
        mu,
        countings,
        spec.sensitivity(BOUND, neighbours),
        UNIT,
        spec.sensitivity(1.0, neighbours),
        DescentPlan.gradientSensitivity(neighbours));
  }

  /** mu^2 of moments, from the deviations of their noise alone. */
  private static double spent(TwoStagePlan.Part part, double sensitivity) {
    double least =
        Math.min(
            part.noise().diagonal().sigma(), Math.sqrt(2.0) * part.noise().offDiagonal().sigma());
    return Math.pow(sensitivity / (least * part.unit()), 2);
  }

  /** After one round or two a release spends its budget but for roundings, and never more. */
  @ParameterizedTest
  @CsvSource({"ADD_REMOVE, 1", "ADD_REMOVE, 3", "REPLACE_ONE, 1", "REPLACE_ONE, 3"})
  void bothBranchesSpendTheBudget(Neighbours neighbours, int countings) {
    double ofRow = neighbours == Neighbours.ADD_REMOVE ? 1.0 : Math.sqrt(2.0);
    double ofGradient = neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    for (double mu = 0.01; mu < 100.0; mu *= 1.37) {
      DescentPlan plan = plan(neighbours, mu, countings);
      double counts = Math.pow(ofRow / plan.countDeviation(), 2);
      double first = spent(plan.first(), ofRow * BOUND * BOUND) + countings * counts;
      double one = first + 8 * Math.pow(ofGradient / plan.stepDeviation(1), 2);
      double two =
          first
              + counts
              + spent(plan.second(), ofRow)
              + 8 * Math.pow(ofGradient / plan.stepDeviation(2), 2);
      assertThat(one / (mu * mu)).isBetween(1.0 - 1e-9, 1.0);
      assertThat(two / (mu * mu)).isBetween(1.0 - 1e-9, 1.0);
      assertThat(first / (mu * mu)).isCloseTo(0.1 + 0.02 * countings, within(1e-9));
    }
  }

  /** Computed by hand: 8 steps share 0.88 or 0.74 of mu^2 = 0.25, each of a sensitivity of 2. */
  @Test
  void stepsHaveTheNoiseOfTheirShare() {
    DescentPlan plan = plan(Neighbours.REPLACE_ONE, 0.5);
    assertThat(plan.stepDeviation(1)).isCloseTo(12.0605, within(1e-4));
    assertThat(plan.stepDeviation(2)).isCloseTo(13.1519, within(1e-4));
    assertThat(plan.countDeviation()).isCloseTo(20.0, within(1e-4));
    assertThat(DescentPlan.UNIT).isEqualTo(0x1p-15);
  }

  /** A part that spends a thousandth more is refused, whichever it is. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void moreThanTheBudgetIsRefused(Neighbours neighbours) {
    DescentPlan plan = plan(neighbours, 0.5);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new DescentPlan(
                    plan.mu(),
                    plan.first(),
                    plan.second(),
                    plan.norms(),
                    2,
                    plan.steps(),
                    plan.rowSensitivity(),
                    plan.gradientSensitivity()))
        .withMessageStartingWith("parts must spend at most mu^2 = 0.25. Provided value: 0.25");
    for (int part = 0; part < 5; part++) {
      int broken = part;
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new DescentPlan(
                      plan.mu(),
                      less(plan.first(), broken == 0),
                      less(plan.second(), broken == 1),
                      less(plan.norms(), broken == 2),
                      plan.countings(),
                      List.of(less(plan.step(1), broken == 3), less(plan.step(2), broken == 4)),
                      plan.rowSensitivity(),
                      plan.gradientSensitivity()))
          .withMessageStartingWith("parts must spend at most mu^2 = 0.25. Provided value: 0.25");
    }
  }

  private static TwoStagePlan.Part less(TwoStagePlan.Part part, boolean isBroken) {
    SymmetricNoise noise = part.noise();
    return new TwoStagePlan.Part(
        part.sensitivity(),
        part.unit(),
        new SymmetricNoise(
            noise.dimension(), noise.diagonal(), less(noise.offDiagonal(), isBroken)));
  }

  private static RoundedGaussian less(RoundedGaussian noise, boolean isBroken) {
    return RoundedGaussian.of((isBroken ? 0.999 : 1.0) * noise.sigma());
  }
}
