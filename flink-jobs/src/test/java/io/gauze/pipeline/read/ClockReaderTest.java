package io.gauze.pipeline.read;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.pipeline.OperatorFixture;
import io.gauze.stream.Offsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

final class ClockReaderTest {
  /** The clock's thread would keep it to itself, and no epoch would ever be over. */
  @Test
  void anErrorOfTheLookUpFailsTheTask() throws Exception {
    Callable<Offsets> broken =
        () -> {
          throw new NoClassDefFoundError("kafka");
        };
    ClockReader clock =
        new ClockReader(OperatorFixture.small(), List.of(OperatorFixture.EVERY_CELL), broken);
    try {
      clock.addSplits(List.of(new ClockSource.Split(1)));
      clock.isAvailable().get(60, SECONDS);
      // fails before it has an output
      assertThatThrownBy(() -> clock.pollNext(null))
          .hasRootCauseInstanceOf(NoClassDefFoundError.class);
    } finally {
      clock.close();
    }
  }
}
