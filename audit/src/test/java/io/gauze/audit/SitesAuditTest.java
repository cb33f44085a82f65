package io.gauze.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Neighbours;
import io.gauze.noise.Randomness;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two sites publish a release each, and one person has the same row at both. */
@Tag("numerical")
final class SitesAuditTest {
  private static final Randomness SEEDED = Randomness.insecureForTests(47);
  private static final int SITES = 2;
  private static final int RUNS = 40_000;

  /**
   * The noises are normal, so that the costs of both are known exactly; that they add up, as the
   * guarantee of merged releases says of such a person, is weaker.
   */
  @ParameterizedTest
  @ValueSource(strings = {"noisy-moments", "count-sketch", "two-stage-moments"})
  void theCostsOfBothSitesAddUpAndThePromiseOfOneDoesNotHold(String mechanism) {
    AuditCase one = shipped(Audits.of(mechanism));
    Claim single = one.claim();
    double mu = GaussianDp.mu(single.epsilon(), single.delta());
    double composed = GaussianDp.compose(mu, mu);
    assertThat(GaussianDp.delta(SITES * single.epsilon(), composed))
        .isLessThan(SITES * single.delta());
    Claim both =
        new Claim(
            GaussianDp.epsilon(single.delta(), composed), single.delta(), single.neighbours());

    AuditResult kept = Auditor.run(of(one, both, true), RUNS, SEEDED);
    assertThat(kept.asExpected()).isTrue();
    assertThat(kept.lowerBound()).isBetween(0.2 * both.epsilon(), both.epsilon());

    AuditResult ofOne = Auditor.run(of(one, single, false), RUNS, SEEDED);
    assertThat(ofOne.lowerBound())
        .as("more than one site promises")
        .isGreaterThan(1.2 * single.epsilon());
  }

  private static AuditCase of(AuditCase one, Claim claim, boolean sound) {
    return new AuditCase(
            one.mechanism(),
            "at two sites",
            sound,
            claim,
            OptionalDouble.of(claim.epsilon()),
            one.runs(),
            one.trials())
        .times(SITES);
  }

  private static AuditCase shipped(List<AuditCase> cases) {
    return cases.stream()
        .filter(each -> each.sound() && each.variant().equals("as shipped"))
        .filter(each -> each.claim().neighbours() == Neighbours.REPLACE_ONE)
        .filter(each -> each.claim().epsilon() == 0.5)
        .findFirst()
        .orElseThrow();
  }
}
