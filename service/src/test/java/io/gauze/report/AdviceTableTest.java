package io.gauze.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.regression.FitQuality;
import io.gauze.regression.advice.Advisor;
import io.gauze.regression.advice.Advisor.Advice;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What the advice says in a sentence agrees with its table. */
final class AdviceTableTest {
  private static Advice advice(String mechanism, double excess, FitQuality verdict) {
    return new Advice(mechanism, Map.of(), OptionalDouble.of(excess), 0.9, verdict, "a reason");
  }

  private static String sentence(Advice... advice) {
    List<Advice> all = List.of(advice);
    return new AdviceTable("lad", 2000, 1.5, 0.5, all).recommendation(Advisor.recommended(all));
  }

  @Test
  void theLeastOfAllIsCalledSo() {
    assertThat(
            sentence(
                advice("noisy-moments", 0.02, FitQuality.GOOD),
                advice("residual-strata", 0.03, FitQuality.GOOD)))
        .isEqualTo(
            "Take noisy-moments: the least predicted excess for lad, 2.00 % (good), with 90 % of the"
                + " gain kept.");
  }

  @Test
  void aSmallerOneOfOneResponseIsNotHidden() {
    assertThat(
            sentence(
                advice("residual-strata", 0.01, FitQuality.GOOD),
                advice("noisy-moments", 0.02, FitQuality.GOOD)))
        .isEqualTo(
            "Take noisy-moments: the least predicted excess for lad of those that answer for every"
                + " response, 2.00 % (good), with 90 % of the gain kept.");
  }
}
