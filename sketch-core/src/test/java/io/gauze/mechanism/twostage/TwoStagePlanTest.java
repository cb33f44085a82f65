package io.gauze.mechanism.twostage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.noise.RoundedGaussian;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TwoStagePlanTest {
  private static final double UNIT = 0x1p-28;
  private static final double BOUND = 1.7;

  private static TwoStagePlan plan(Neighbours neighbours, double mu) {
    SecondMomentsSpec spec = new SecondMomentsSpec(5);
    return TwoStagePlan.of(
        "test",
        5,
        mu,
        spec.sensitivity(BOUND, neighbours),
        spec.sensitivity(TwoStageRelease.BOUND, neighbours),
        UNIT);
  }

  /** mu^2 of moments, from the deviations of their noise alone. */
  private static double spent(TwoStagePlan.Part part, double sensitivity) {
    double least =
        Math.min(
            part.noise().diagonal().sigma(), Math.sqrt(2.0) * part.noise().offDiagonal().sigma());
    return Math.pow(sensitivity / (least * part.unit()), 2);
  }

  /**
   * After an earlier release, one round or two, a release spends its budget but for roundings, and
   * never more.
   */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void bothBranchesSpendTheBudget(Neighbours neighbours) {
    double factor = neighbours == Neighbours.ADD_REMOVE ? 1.0 : Math.sqrt(2.0);
    for (double mu = 0.01; mu < 300.0; mu *= 1.37) {
      TwoStagePlan plan = plan(neighbours, mu);
      double counts = Math.pow(factor / plan.countDeviation(), 2);
      double first = spent(plan.first(), factor * BOUND * BOUND) + counts;
      double oneRound = first + spent(plan.part(1, true), factor);
      double twoRounds =
          first + spent(plan.part(1, false), factor) + counts + spent(plan.part(2, true), factor);
      double noRound = counts + spent(plan.part(0, true), factor);
      for (double all : new double[] {noRound, oneRound, twoRounds}) {
        assertThat(all / (mu * mu)).isBetween(1.0 - 1e-9, 1.0);
      }
      assertThat(first / (mu * mu)).isCloseTo(0.12, within(1e-9));
    }
  }

  /** A part that spends a thousandth more is refused, whichever it is. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void moreThanTheBudgetIsRefused(Neighbours neighbours) {
    TwoStagePlan plan = plan(neighbours, 0.5);
    for (int part = 0; part < 6; part++) {
      int broken = part;
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new TwoStagePlan(
                      plan.mu(),
                      less(plan.first(), broken == 0),
                      less(plan.second(), broken == 1),
                      List.of(
                          less(plan.last().get(0), broken == 2),
                          less(plan.last().get(1), broken == 3),
                          less(plan.last().get(2), broken == 5)),
                      less(plan.norms(), broken == 4),
                      plan.rowSensitivity()))
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
