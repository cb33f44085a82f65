package io.gauze.cli.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveMetersTest {
  @ParameterizedTest
  @CsvSource({"30000, 2", "37499, 2", "37500, 3", "44999, 3", "45000, 3"})
  void fillsTheNextEpochIfLessThanHalfOfThisOneIsLeft(long now, long first) {
    EpochSchedule epochs = new EpochSchedule(15_000, 0, false, 1_000);

    assertThat(LiveMeters.firstEpoch(epochs, now)).isEqualTo(first);
  }
}
