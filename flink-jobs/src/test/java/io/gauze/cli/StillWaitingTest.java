package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.TestTopics;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Work that ends only after it was said that it is waited for. */
final class StillWaitingTest {
  private final CountDownLatch said = new CountDownLatch(2);
  private final StringWriter err = new StringWriter();

  private PrintWriter writer() {
    return new PrintWriter(err) {
      @Override
      public void flush() {
        super.flush();
        said.countDown();
      }
    };
  }

  private boolean awaitSaid() {
    try {
      return said.await(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void slowWorkIsNamedAgainAndAgain() throws Exception {
    boolean twice =
        StillWaiting.during("Kafka at a:1", writer(), Duration.ofMillis(1), this::awaitSaid);
    assertThat(twice).isTrue();
    assertThat(err.toString().lines())
        .hasSizeGreaterThan(1)
        .allMatch(line -> line.startsWith("still waiting for Kafka at a:1, for "));
  }

  @Test
  void quickWorkIsNot() throws Exception {
    assertThat(StillWaiting.during("Kafka at a:1", writer(), () -> 5)).isEqualTo(5);
    assertThat(err.toString()).isEmpty();
  }
}
