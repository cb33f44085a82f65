package io.gauze.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A fault says what is wrong, what to do, and then the places that a sentence has no room for. */
final class LastingFaultExceptionTest {
  @Test
  void placesStandAfterTheRemedy() {
    assertThat(LastingFaultException.tooManyRows("wine/all/all/model", "at most 4 rows"))
        .hasMessage(
            JobMessage.MANYROWS.of().line() + " Release wine/all/all/model: at most 4 rows.");
    assertThat(LastingFaultException.foreignRecord("ledger", 0, 7))
        .hasMessage(JobMessage.FOREIGN.of("ledger", 0, 7L).line())
        .hasMessageContaining(
            "at partition 0, offset 7. Revoke the right of others to write to it");
  }
}
