package io.gauze.http.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class FaultTest {
  @Test
  void theLogHasNothingOfWhatAClientSent() {
    Throwable cause = new IllegalArgumentException("sent by a client\n00:00:00 INFO forged");
    StringWriter log = new StringWriter();
    Fault.of(new IllegalStateException("sent by a client", cause))
        .printStackTrace(new PrintWriter(log, true));
    assertThat(log.toString())
        .contains("IllegalStateException", "IllegalArgumentException", "FaultTest.java")
        .doesNotContain("sent by", "forged");
  }
}
