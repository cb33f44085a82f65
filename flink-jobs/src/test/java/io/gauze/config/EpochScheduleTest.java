package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class EpochScheduleTest {
  private static final long CENTURIES = 10_000_000_000_000L;

  @Test
  void epochsAreAlignedToMultiplesOfTheirLength() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      EpochSchedule schedule = random(random);
      long length = schedule.lengthMillis();
      long time = random.nextLong(-CENTURIES, CENTURIES);
      long epoch = schedule.epochOf(time);
      long start = epoch * length;
      assertThat(time).isBetween(start, start + length - 1);
      assertThat(schedule.epochOf(start)).isEqualTo(epoch);
      assertThat(schedule.epochOf(start - 1)).isEqualTo(epoch - 1);
      assertThat(schedule.epochOf(start + length - 1)).isEqualTo(epoch);
      assertThat(
              EpochSchedule.of(
                      Duration.ofMillis(length), Instant.ofEpochMilli(time), true, Duration.ZERO)
                  .firstEpoch())
          .isEqualTo(epoch);
    }
  }

  @Test
  void anEpochIsCuttableFromItsCutOn() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 10_000; i++) {
      EpochSchedule schedule = random(random);
      long now = random.nextLong(-CENTURIES, CENTURIES);
      long last = schedule.lastCuttable(now);
      assertThat(schedule.cutMillis(last)).isLessThanOrEqualTo(now);
      assertThat(schedule.cutMillis(last + 1)).isGreaterThan(now);
      assertThat(schedule.lastCuttable(schedule.cutMillis(last))).isEqualTo(last);
      assertThat(schedule.lastCuttable(schedule.cutMillis(last) - 1)).isEqualTo(last - 1);
      assertThat(schedule.epochOf(now - schedule.sealDelayMillis()))
          .as("no row of a cut epoch comes, if clocks differ by the seal delay at most")
          .isEqualTo(last + 1);
    }
  }

  private static EpochSchedule random(SplittableRandom random) {
    return new EpochSchedule(
        random.nextLong(1000, 400L * 24 * 3600 * 1000), 0, true, random.nextLong(0, 100_000));
  }

  @Test
  void aLabelIsTheStartInUtc() {
    EpochSchedule hours = new EpochSchedule(3_600_000, 0, true, 0);
    assertThat(hours.label(0)).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(hours.label(-1)).isEqualTo("1969-12-31T23:00:00Z");
    assertThat(new EpochSchedule(1500, 0, true, 0).label(1)).isEqualTo("1970-01-01T00:00:01.500Z");
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 1000; i++) {
      EpochSchedule schedule = random(random);
      long epoch = schedule.epochOf(random.nextLong(-CENTURIES, CENTURIES));
      assertThat(Instant.parse(schedule.label(epoch)).toEpochMilli())
          .isEqualTo(epoch * schedule.lengthMillis());
    }
  }

  /** What is no label of an epoch names none. */
  @Test
  void anEpochIsFoundByItsLabel() {
    EpochSchedule schedule = new EpochSchedule(1500, 0, true, 0);
    for (long epoch : new long[] {-7, 0, 1, 2, 1_200_000_000L}) {
      assertThat(schedule.epochOf(schedule.label(epoch))).hasValue(epoch);
    }
    for (String other :
        List.of(
            "all",
            "1970-01-01T00:00:01Z",
            "1970-01-01T00:00:03.0Z",
            "+1000000000-12-31T00:00:00Z")) {
      assertThat(schedule.epochOf(other)).isEmpty();
    }
    assertThat(EpochSchedule.all().epochOf("all")).hasValue(0);
    assertThat(EpochSchedule.all().epochOf("1970-01-01T00:00:00Z")).isEmpty();
  }

  @Test
  void aTimeBefore1970IsRoundedDown() {
    EpochSchedule seconds = new EpochSchedule(1000, 0, true, 0);
    assertThat(seconds.epochOf(-1)).isEqualTo(-1);
    assertThat(seconds.epochOf(-1000)).isEqualTo(-1);
    assertThat(seconds.epochOf(-1001)).isEqualTo(-2);
    assertThat(seconds.lastCuttable(-1)).isEqualTo(-2);
    assertThat(seconds.lastCuttable(0)).isEqualTo(-1);
  }

  @Test
  void oneEpochHoldsEverything() {
    EpochSchedule all = EpochSchedule.all();
    for (long time : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
      assertThat(all.epochOf(time)).isZero();
      assertThat(all.lastCuttable(time)).isZero();
    }
    assertThat(all.isAll()).isTrue();
    assertThat(all.cutMillis(0)).isZero();
    assertThat(all.label(0)).isEqualTo("all");
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    for (long length : new long[] {-1000, 1, 999}) {
      assertThatThrownBy(() -> new EpochSchedule(length, 0, true, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("epoch length must be at least PT1S")
          .hasMessageContaining(Duration.ofMillis(length).toString());
    }
    assertThatThrownBy(() -> new EpochSchedule(1000, 0, true, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sealDelay must be >= 0");
  }
}
