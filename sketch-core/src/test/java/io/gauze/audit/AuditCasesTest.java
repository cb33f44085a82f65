package io.gauze.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.privacy.Randomness;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every mechanism keeps its claims, and no broken variant does. Each audit runs as often as its
 * case says; false-alarm rate 1e-6 for each sound one.
 */
final class AuditCasesTest {
  private static final Randomness SEEDED = Randomness.insecureForTests(31);

  static Stream<AuditCase> cases() {
    return Audits.all().stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void soundOnesStandAndBrokenOnesAreCaught(AuditCase audited) {
    long start = System.nanoTime();
    AuditResult result = Auditor.run(audited, audited.runs(), SEEDED);
    System.err.printf(
        "%-90s %.4f  %.1f  %b %d ms%n",
        audited,
        result.lowerBound(),
        result.margin(),
        result.asExpected(),
        (System.nanoTime() - start) / 1000000);
    assertThat(result.asExpected()).isTrue();
  }
}
