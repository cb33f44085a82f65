package io.gauze.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.EveryMechanism;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link AuditsTest} of mechanisms of papers. */
@Tag("numerical")
final class PapersAuditsTest {
  private static final Set<String> BOUNDED =
      Set.of(
          "ada-ssp", "jl-unregularised", "objective-perturbation", "frank-wolfe", "iht", "peeling");

  private static final List<String> CONTINUOUS =
      List.of("wishart", "inverse-wishart", "jl", "jl-projection", "jl-unregularised");

  /** The mechanisms of papers and the further claim of one of them. */
  private static Set<String> papers() {
    Set<String> names = new HashSet<>(EveryMechanism.ofPapers());
    names.add("jl-projection");
    return names;
  }

  static Stream<AuditCase> cases() {
    return AuditsTest.cases(papers()::contains);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void soundOnesStandAndBrokenOnesAreCaught(AuditCase audited) {
    AuditsTest.check(audited);
  }

  @Test
  void everyMechanismHasBothRelationsTwoClaimsAndBrokenVariants() {
    assertThat(Audits.mechanisms()).containsAll(papers());
    AuditsTest.checkCompleteness(papers()::contains, BOUNDED);
  }

  /** Noise that is computed in doubles is attacked where it lies between two of them. */
  @Test
  void continuousNoiseIsAttacked() {
    for (String mechanism : CONTINUOUS) {
      assertThat(AuditsTest.of(mechanism))
          .as(mechanism)
          .anyMatch(c -> c.sound() && c.variant().equals("lattice attack"));
    }
  }
}
