package io.gauze.mechanism.twostage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.noise.RoundedGaussian;
import io.gauze.sketch.SecondMomentsSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StrataPlanTest {
  private static final double UNIT = 0x1p-28;
  private static final double BOUND = 1.7;

  private static StrataPlan plan(Neighbours neighbours, double mu) {
    SecondMomentsSpec spec = new SecondMomentsSpec(5);
    return StrataPlan.of(
        "test",
        5,
        mu,
        spec.sensitivity(BOUND, neighbours),
        spec.sensitivity(TwoStageRelease.BOUND, neighbours),
        UNIT);
  }

  /** A release spends its budget but for roundings, and never more; the strata 0.4 of it. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void bothStagesSpendTheBudget(Neighbours neighbours) {
    double factor = neighbours == Neighbours.ADD_REMOVE ? 1.0 : Math.sqrt(2.0);
    for (double mu = 0.01; mu < 300.0; mu *= 1.37) {
      StrataPlan plan = plan(neighbours, mu);
      SymmetricNoise noise = plan.strata().noise();
      double least =
          Math.min(noise.diagonal().sigma(), Math.sqrt(2.0) * noise.offDiagonal().sigma());
      double strata = Math.pow(factor / (least * plan.strata().unit()), 2);
      double moments = Math.pow(plan.moments().mu(), 2);
      assertThat((strata + moments) / (mu * mu)).isBetween(1.0 - 1e-9, 1.0);
      assertThat(strata / (mu * mu)).isCloseTo(0.4, within(1e-9));
    }
  }

  /** A stage that spends a thousandth more is refused, whichever it is. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void moreThanTheBudgetIsRefused(Neighbours neighbours) {
    StrataPlan plan = plan(neighbours, 0.5);
    StrataPlan other = plan(neighbours, 0.5005);
    SymmetricNoise noise = plan.strata().noise();
    TwoStagePlan.Part less =
        new TwoStagePlan.Part(
            plan.strata().sensitivity(),
            plan.strata().unit(),
            new SymmetricNoise(
                noise.dimension(),
                noise.diagonal(),
                RoundedGaussian.of(0.999 * noise.offDiagonal().sigma())));
    assertThat(new StrataPlan(0.5, plan.moments(), plan.strata())).isEqualTo(plan);
    for (StrataPlan each : new StrataPlan[] {plan, other}) {
      TwoStagePlan.Part strata = each.equals(plan) ? less : plan.strata();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new StrataPlan(0.5, each.moments(), strata))
          .withMessageStartingWith("moments and strata must spend at most mu^2 = 0.25.");
    }
  }

  @Test
  void theNumberOfStrataGrowsWithTheRows() {
    assertThat(StrataPlan.strata(1_999, 4, 1.0)).isEqualTo(4);
    assertThat(StrataPlan.strata(2_000, 4, 1.0)).isEqualTo(8);
    assertThat(StrataPlan.strata(39_999, 4, 1.0)).isEqualTo(8);
    assertThat(StrataPlan.strata(40_000, 4, 1.0)).isEqualTo(16);
    assertThat(StrataPlan.strata(1, 4096, 1e9)).isEqualTo(4);
  }
}
