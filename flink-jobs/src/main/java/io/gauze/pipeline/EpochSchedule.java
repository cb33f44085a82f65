package io.gauze.pipeline;

import io.gauze.release.ReleaseId;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Which epoch a record belongs to, decided by its append time alone, and when an epoch is over.
 * Epochs are aligned to UTC multiples of the length; epoch e spans [e length, (e + 1) length). A
 * stream with one epoch for everything has length 0.
 *
 * @param lengthMillis 0 for one epoch, else at least 1,000
 * @param firstEpoch the first epoch of the public range; earlier rows are late
 * @param explicitFirst whether the config names the first epoch; if not, the job's first start
 *     does, and its state keeps it
 * @param graceMillis how long after an epoch's end it is cut: bounds the skew of the brokers'
 *     clocks
 */
public record EpochSchedule(
    long lengthMillis, long firstEpoch, boolean explicitFirst, long graceMillis)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The label of the one epoch of a bounded stream. */
  public static final String ALL = ReleaseId.ALL;

  /** A schedule whose numbers are in range. */
  public EpochSchedule {
    if (lengthMillis != 0 && lengthMillis < 1000) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "epoch length must be at least PT1S, or all. Provided value: %s",
              Duration.ofMillis(lengthMillis)));
    }
    if (graceMillis < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "grace must be >= 0. Provided value: %s",
              Duration.ofMillis(graceMillis)));
    }
  }

  /** One epoch that holds every row. */
  public static EpochSchedule all() {
    return new EpochSchedule(0, 0, true, 0);
  }

  /** Epochs of {@code length} from the one that holds {@code from}. */
  public static EpochSchedule of(
      Duration length, Instant from, boolean explicitFirst, Duration grace) {
    long millis = Math.max(1, length.toMillis()); // 0 would mean one epoch for everything
    return new EpochSchedule(
        millis, Math.floorDiv(from.toEpochMilli(), millis), explicitFirst, grace.toMillis());
  }

  /** Whether there is one epoch for everything. */
  public boolean isAll() {
    return lengthMillis == 0;
  }

  /** The epoch of a record appended at {@code timestamp}, in milliseconds since 1970 UTC. */
  public long epochOf(long timestamp) {
    return isAll() ? 0 : Math.floorDiv(timestamp, lengthMillis);
  }

  /** The wall-clock time from which on {@code epoch} may be cut; 0 for the one epoch. */
  public long cutMillis(long epoch) {
    return isAll() ? 0 : (epoch + 1) * lengthMillis + graceMillis;
  }

  /**
   * The last epoch that may be cut at wall-clock time {@code now}; below the first one if there is
   * none.
   */
  public long lastCuttable(long now) {
    return isAll() ? 0 : Math.floorDiv(now - graceMillis, lengthMillis) - 1;
  }

  /** The epoch's public name: its start in UTC, or {@value #ALL}. */
  public String label(long epoch) {
    return isAll() ? ALL : Instant.ofEpochMilli(epoch * lengthMillis).toString();
  }

  /** The same schedule from another first epoch. */
  public EpochSchedule from(long epoch) {
    return new EpochSchedule(lengthMillis, epoch, explicitFirst, graceMillis);
  }
}
