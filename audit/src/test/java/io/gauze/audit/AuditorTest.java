package io.gauze.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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

  private static AuditResult inLooks(Supplier<Trial> trials, Looks looks) {
    return Auditor.inLooks(of(ONE, trials), looks, SEEDED);
  }

  /** The runs of all looks add up: the last of four sees nearly what one look sees. */
  @Test
  void aSequentialAuditEndsWhereItRefutesOrAtTheLastLook() {
    Looks looks = Looks.upTo(RUNS);
    assertThat(looks.runs()).containsExactly(3125, 12_500, 50_000, RUNS);
    assertThat(Looks.upTo(20_000).runs()).containsExactly(1250, 5000, 20_000);
    assertThat(Looks.upTo(1000).runs()).containsExactly(1000);

    assertThat(inLooks(response(truthful(3.0)), looks).runs()).isEqualTo(3125);
    AuditResult near = inLooks(response(truthful(1.1)), looks);
    assertThat(near.caught()).isTrue();
    assertThat(near.runs()).isEqualTo(50_000);
    AuditResult sound = inLooks(response(truthful(1.0)), looks);
    assertThat(sound.runs()).isEqualTo(RUNS);
    assertThat(sound.lowerBound()).isBetween(0.96, 1.0);
  }

  /** A trial counts how often it is called. */
  @Test
  void laterLooksContinueTheRunsOfEarlierOnes() {
    AtomicInteger calls = new AtomicInteger();
    Supplier<Trial> counted =
        () ->
            (second, entropy) -> {
              calls.incrementAndGet();
              return uniform(entropy) - 0.5;
            };
    inLooks(counted, Looks.spending(1e-6, List.of(1000, 40_000, 100_000)));
    assertThat(calls).hasValue(200_000);
  }

  /** And begins anew: what it tests it has not learnt from. */
  @Test
  void aLookLearnsItsThresholdFromItsOwnRuns() {
    Supplier<Trial> shifted = () -> (second, entropy) -> uniform(entropy) + (second ? 0.1 : 0.0);
    AuditCase learnt = of(ONE, shifted).withLearntThreshold().withRuns(RUNS);
    AuditResult result = Auditor.untilRefuted(learnt, SEEDED);
    assertThat(result.caught()).isTrue();
    assertThat(result.runs()).isEqualTo(3125);
  }

  /**
   * The event is certain on the second data set and has the probability exp(-1) on the first one,
   * so that its bound is exactly 1, and one of the four limits can fail: with a quarter of the
   * level. The level is raised to 0.8, so that false alarms are seen. Ten looks that spend it raise
   * one in at most 0.2 of 400 audits: more than 119 have probability below 1e-6. The twin, which
   * gives each look the whole level, raises twice as many.
   */
  @Test
  void allLooksTogetherRaiseNoMoreFalseAlarmsThanOne() {
    List<Integer> runs = List.of(1000, 1300, 1700, 2200, 2900, 3800, 5000, 6500, 8500, 11_000);
    double level = 0.8;
    assertThat(falseAlarms(Looks.spending(level, runs))).isBetween(8, 119);
    assertThat(falseAlarms(new Looks(runs, Collections.nCopies(10, level)))).isGreaterThan(119);
  }

  private static int falseAlarms(Looks looks) {
    double rare = Math.exp(-1.0);
    AuditCase exact =
        of(ONE, () -> (second, entropy) -> second || uniform(entropy) < rare ? 1.0 : 0.0);
    int alarms = 0;
    for (int seed = 0; seed < 400; seed++) {
      Randomness seeded = Randomness.insecureForTests(seed);
      alarms += Auditor.inLooks(exact, looks, seeded).caught() ? 1 : 0;
    }
    return alarms;
  }

  @Test
  void theLevelsOfLooksAddUp() {
    for (int runs : new int[] {1000, 4000, 20_000, RUNS, 500_000}) {
      List<Double> levels = Looks.upTo(runs).falseAlarms();
      double sum = levels.stream().mapToDouble(Double::doubleValue).sum();
      assertThat(sum).isCloseTo(EpsilonBound.FALSE_ALARM, within(1e-18));
      assertThat(levels.get(levels.size() - 1))
          .isGreaterThanOrEqualTo(0.7 * EpsilonBound.FALSE_ALARM - 1e-18);
    }
    assertThat(Looks.once(RUNS).falseAlarms()).containsExactly(EpsilonBound.FALSE_ALARM);
  }

  @Test
  void rangesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Looks.spending(1e-6, List.of(2000, 1000)))
        .withMessageContaining("growing numbers of runs. Provided value: [2000, 1000]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Looks(List.of(1000, 2000), List.of(1e-6)))
        .withMessageContaining("each look needs a level. Provided value: 1 of 2");
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
    double level = EpsilonBound.LEVEL;
    assertThat(EpsilonBound.lower(hits, runs, level))
        .isCloseTo(lower, within(1e-9 * lower + 1e-300));
    assertThat(EpsilonBound.upper(hits, runs, level)).isCloseTo(upper, within(1e-9 * upper));
  }
}
