package io.gauze.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class AuditorTest {
  private static final Claim ONE = new Claim(1.0, 0.0, Neighbours.REPLACE_ONE);
  private static final Randomness SEEDED = Randomness.insecureForTests(5);
  private static final int RUNS = 200_000;

  /** Randomised response: the truth, as 1 or -1, with this probability. */
  private static Supplier<Trial> response(double truthful) {
    return () -> (second, entropy) -> (uniform(entropy) < truthful) == second ? 1.0 : -1.0;
  }

  private static double uniform(Entropy entropy) {
    return (entropy.nextLong() >>> 11) * 0x1p-53;
  }

  private static AuditCase of(Claim claim, Supplier<Trial> trials) {
    return AuditCase.of("response", "made up", claim, trials).withThreshold(0.0);
  }

  private static double truthful(double epsilon) {
    return 1.0 / (1.0 + Math.exp(-epsilon));
  }

  @Test
  void findsTheEpsilonOfRandomisedResponse() {
    AuditResult sound = Auditor.run(of(ONE, response(truthful(1.0))).asSound(), RUNS, SEEDED);
    AuditResult broken = Auditor.run(of(ONE, response(truthful(1.1))), RUNS, SEEDED);

    assertThat(sound.lowerBound()).isBetween(0.96, 1.0);
    assertThat(sound.asExpected()).isTrue();
    assertThat(sound.margin()).isNegative();
    assertThat(broken.lowerBound()).isBetween(1.06, 1.1);
    assertThat(broken.caught()).isTrue();
    assertThat(broken.asExpected()).isTrue();
    assertThat(broken.margin()).isGreaterThan(5.0);
    assertThat(broken.runs()).isEqualTo(RUNS);
  }

  @Test
  void whatIsNotAsExpectedIsSaid() {
    AuditResult refuted = Auditor.run(of(ONE, response(truthful(2.0))).asSound(), RUNS, SEEDED);
    AuditResult missed = Auditor.run(of(ONE, response(truthful(0.5))), RUNS, SEEDED);

    assertThat(refuted.caught()).isTrue();
    assertThat(refuted.asExpected()).isFalse();
    assertThat(missed.caught()).isFalse();
    assertThat(missed.asExpected()).isFalse();
  }

  /** Epsilon 1 with chance 0.95, and all with 0.05: (1, 0.05) holds, (1, 0) does not. */
  @Test
  void deltaIsTakenOff() {
    Supplier<Trial> leaky =
        () ->
            (second, entropy) ->
                uniform(entropy) < 0.05
                    ? (second ? 2.0 : -2.0)
                    : response(truthful(1.0)).get().run(second, entropy);
    Claim approximate = new Claim(1.0, 0.05, Neighbours.REPLACE_ONE);

    assertThat(Auditor.run(of(approximate, leaky), RUNS, SEEDED).lowerBound()).isBetween(0.95, 1.0);
    assertThat(Auditor.run(of(ONE, leaky), RUNS, SEEDED).lowerBound()).isBetween(1.02, 1.07);
    assertThat(Auditor.run(of(ONE, leaky).withThreshold(1.5), RUNS, SEEDED).lowerBound())
        .isGreaterThan(5.0);
  }

  /** Uniform on [0, 1] or on [0.1, 1.1]: only above 1 and below 0.1 is anything seen. */
  @Test
  void learnsWhereToLook() {
    Supplier<Trial> shifted = () -> (second, entropy) -> uniform(entropy) + (second ? 0.1 : 0.0);
    AuditCase learnt = of(ONE, shifted).withLearntThreshold();

    assertThat(Auditor.run(learnt, RUNS, SEEDED).lowerBound()).isGreaterThan(4.0);
    assertThat(Auditor.run(of(ONE, shifted), RUNS, SEEDED).lowerBound()).isLessThan(0.2);
    Supplier<Trial> same = () -> (second, entropy) -> uniform(entropy);
    assertThat(Auditor.run(of(ONE, same).withLearntThreshold(), RUNS, SEEDED).lowerBound())
        .isZero();
  }

  /** Both data sets get entropy of their own in every task; test entropy repeats. */
  @Test
  void equalSeedsGiveEqualResults() {
    DoubleUnaryOperator bound =
        seed ->
            Auditor.run(
                    of(ONE, response(truthful(1.0))),
                    RUNS,
                    Randomness.insecureForTests((long) seed))
                .lowerBound();

    assertThat(bound.applyAsDouble(1)).isEqualTo(bound.applyAsDouble(1));
    assertThat(bound.applyAsDouble(1)).isNotEqualTo(bound.applyAsDouble(2));
    Supplier<Trial> blind = () -> (second, entropy) -> uniform(entropy) - 0.5;
    AuditResult independent = Auditor.run(of(ONE, blind), RUNS, SEEDED);
    assertThat(independent.lowerBound()).isZero();
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Auditor.run(of(ONE, response(0.5)), 999, SEEDED))
        .withMessage("runs must be in [1000, 10^9]. Provided value: 999");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Claim(0.0, 0.0, Neighbours.ADD_REMOVE))
        .withMessageContaining("epsilon");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Claim(1.0, 0.2, Neighbours.ADD_REMOVE))
        .withMessageContaining("delta");
  }

  /**
   * Limits of Clopper and Pearson at 2.5e-7 from scipy 1.17.1: {@code beta.ppf(a, k, n - k + 1)}
   * and {@code beta.isf(a, k + 1, n - k)}.
   */
  @Test
  void limitsAreThoseOfOtherSoftware() {
    assertLimits(0, 1000, 0, 0.0150868407740942);
    assertLimits(1, 1000, 2.50000031218755e-10, 0.0179994707309152);
    assertLimits(500, 1000, 0.420554423460347, 0.579445576539653);
    assertLimits(999, 1000, 0.982000529269085, 0.99999999975);
    assertLimits(1000, 1000, 0.984913159225906, 1);
    assertLimits(123456, 1000000, 0.12180851922129, 0.125116421356287);
    assertLimits(7, 1000000000, 4.05231076141663e-10, 3.09482580072982e-08);
  }

  private static void assertLimits(long hits, long runs, double lower, double upper) {
    assertThat(EpsilonBound.lower(hits, runs)).isCloseTo(lower, within(1e-9 * lower + 1e-300));
    assertThat(EpsilonBound.upper(hits, runs)).isCloseTo(upper, within(1e-9 * upper));
  }
}
