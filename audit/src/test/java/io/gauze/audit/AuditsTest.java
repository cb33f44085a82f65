package io.gauze.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Mechanisms;
import io.gauze.noise.Randomness;
import io.gauze.testing.Effort;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every mechanism keeps its claims, and every broken variant of it is caught; of models see {@link
 * ModelAuditsTest}.
 */
@Tag("numerical")
final class AuditsTest {
  private static final Randomness SEEDED = Randomness.insecureForTests(31);
  private static final int FEW_RUNS = 170_000;

  /** The cases of each mechanism, whose calibration takes seconds in all. */
  private static final Map<String, List<AuditCase>> CASES = new ConcurrentHashMap<>();

  static Stream<AuditCase> cases() {
    return cases(mechanism -> !Mechanisms.models().contains(mechanism));
  }

  /** The default build has the cheapest sound case of each mechanism, and the cheapest broken. */
  static Stream<AuditCase> cases(Predicate<String> chosen) {
    Stream<List<AuditCase>> all = Audits.mechanisms().stream().filter(chosen).map(AuditsTest::of);
    if (Effort.isThorough()) {
      return all.flatMap(List::stream);
    }
    return all.flatMap(
        cases ->
            Stream.of(
                cases.stream()
                    .filter(c -> c.variant().equals("as shipped"))
                    .reduce((first, last) -> last)
                    .orElseThrow(),
                cases.stream()
                    .filter(c -> !c.sound())
                    .min(Comparator.comparingInt(AuditCase::runs))
                    .orElseThrow()));
  }

  static List<AuditCase> of(String mechanism) {
    return CASES.computeIfAbsent(mechanism, Audits::of);
  }

  /** Made of parts whose worst cases differ: a tenth less noise does not show. */
  private static final Set<String> BOUNDED = Set.of("select-fit", "huber-track", "logistic");

  /**
   * False alarms: 1e-6 for a sound case, which takes all of its runs, in the default build at most
   * {@link #FEW_RUNS}. A broken one is expected five standard errors beyond the claim after all
   * confidence limits, and ends where a look catches it; the last look must do so by four. A sound
   * one must show a part of its epsilon, or the test saw nothing. A lattice attack on a sound one
   * sees nothing; that it has eyes is for its broken twin to show.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void soundOnesStandAndBrokenOnesAreCaught(AuditCase audited) {
    checkQuickly(audited);
  }

  /** Checks a case whose sound runs take minutes, with fewer of them in the default build. */
  static void checkQuickly(AuditCase audited) {
    int runs = audited.sound() ? Math.min(FEW_RUNS, audited.runs()) : audited.runs();
    check(audited.withRuns(Effort.of(runs, audited.runs())));
  }

  static void check(AuditCase audited) {
    AuditResult result =
        audited.sound()
            ? Auditor.run(audited, audited.runs(), SEEDED)
            : Auditor.untilRefuted(audited, SEEDED);

    double epsilon = audited.claim().epsilon();
    assertThat(result.asExpected()).isTrue();
    if (audited.sound()) {
      double least = audited.variant().equals("lattice attack") ? 0.0 : 0.2 * epsilon;
      assertThat(result.lowerBound()).isBetween(least, epsilon);
    } else if (result.runs() == audited.runs()) {
      assertThat(result.margin()).isGreaterThan(4.0);
    }
  }

  /** Nobody can leave out a relation, a second claim or the broken variants. */
  @Test
  void everyMechanismHasBothRelationsTwoClaimsAndBrokenVariants() {
    checkCompleteness(mechanism -> !Mechanisms.models().contains(mechanism));
  }

  static void checkCompleteness(Predicate<String> chosen) {
    checkCompleteness(chosen, BOUNDED);
  }

  /**
   * Checks the cases of the chosen mechanisms.
   *
   * @param bounded those of which a tenth less noise does not show
   */
  static void checkCompleteness(Predicate<String> chosen, Set<String> bounded) {
    for (String mechanism : Audits.mechanisms().stream().filter(chosen).toList()) {
      List<AuditCase> cases = of(mechanism);
      for (Neighbours neighbours : Neighbours.values()) {
        assertThat(cases)
            .filteredOn(c -> c.sound() && c.claim().neighbours() == neighbours)
            .extracting(c -> c.claim().epsilon())
            .contains(0.5, 1.0);
      }
      assertThat(cases).anyMatch(c -> !c.sound());
      if (!bounded.contains(mechanism)) {
        assertThat(cases)
            .filteredOn(c -> !c.sound())
            .extracting(AuditCase::variant)
            .anyMatch(variant -> variant.endsWith(" / 1.1"))
            .anyMatch(variant -> variant.contains(" for add-remove, "));
      }
      assertThat(cases).extracting(AuditCase::mechanism).containsOnly(mechanism);
      assertThat(cases).extracting(AuditCase::toString).doesNotHaveDuplicates();
    }
  }

  @Test
  void anUnknownMechanismIsToldTheNearest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Audits.of("noisy-moment"))
        .withMessageContaining("the nearest is noisy-moments. Provided value: noisy-moment");
  }
}
