package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class CloseAtExitTest {
  @Test
  void closesTheLastFirstAndGoesOnAfterAFailure() {
    StringBuilder order = new StringBuilder();
    AutoCloseable forgotten = () -> order.append("forgotten ");
    CloseAtExit exit = new CloseAtExit();
    exit.add(() -> order.append("first "));
    exit.add(forgotten);
    exit.add(
        () -> {
          throw new IOException("expected by the test");
        });
    exit.add(() -> order.append("last "));
    exit.remove(forgotten);

    exit.closeAll();
    exit.closeAll();

    assertThat(order).hasToString("last first ");
  }
}
