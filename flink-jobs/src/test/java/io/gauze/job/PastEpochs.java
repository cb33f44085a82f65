package io.gauze.job;

import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import java.time.Duration;
import java.time.Instant;

/** Epochs that are over, by the time of the producer, so that they can still have rows. */
public final class PastEpochs {
  private PastEpochs() {}

  /**
   * Returns this many epochs of an hour or more. The next one ends in half an hour at the earliest,
   * so that none is added while a test runs.
   */
  public static EpochSchedule of(int count) {
    Instant now = Instant.now();
    Duration length = Duration.ofHours(1);
    while (now.toEpochMilli() % length.toMillis() > length.toMillis() / 2) {
      length = length.plusMinutes(7);
    }
    return EpochSchedule.of(length, now.minus(length.multipliedBy(count)), true, Duration.ZERO)
        .by(RowTime.PRODUCER);
  }
}
