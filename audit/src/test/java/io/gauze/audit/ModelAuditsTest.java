package io.gauze.audit;

import io.gauze.mechanism.Mechanisms;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link AuditsTest} of models, in a class of its own that runs beside it. */
@Tag("numerical")
final class ModelAuditsTest {
  static Stream<AuditCase> cases() {
    return AuditsTest.cases(Mechanisms.models()::contains);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void soundOnesStandAndBrokenOnesAreCaught(AuditCase audited) {
    AuditsTest.checkQuickly(audited);
  }

  @Test
  void everyModelHasBothRelationsTwoClaimsAndBrokenVariants() {
    AuditsTest.checkCompleteness(Mechanisms.models()::contains);
  }
}
