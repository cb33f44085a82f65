package io.gauze.config;

import io.gauze.kafka.RowRecord;
import io.gauze.mechanism.ReleaseId;
import java.io.Serializable;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which epoch a record belongs to, decided by the record alone, and when an epoch is over. Epochs
 * are aligned to UTC multiples of the length; epoch e spans [e length, (e + 1) length). A stream
 * with one epoch for everything has length 0.
 *
 * @param lengthMillis 0 for one epoch, else at least 1,000
 * @param firstEpoch the first epoch of the public range; earlier rows are in none. Means nothing in
 *     a config that does not name it, see {@link #startingAt}
 * @param explicitFirst whether the config names the first epoch; if not, the ledger does, or the
 *     stream's first start, and the job's state keeps it
 * @param sealDelayMillis how long after an epoch's end it is cut: bounds the skew of the brokers'
 *     clocks
 * @param time which time of a record counts
 */
public record EpochSchedule(
    long lengthMillis, long firstEpoch, boolean explicitFirst, long sealDelayMillis, RowTime time)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** In place of an epoch: the row is too late for its own. */
  public static final long LATE = Long.MIN_VALUE;

  /** In place of an epoch: the row says that it comes from the future. */
  public static final long AHEAD = Long.MAX_VALUE;

  /** The label of the one epoch of a bounded stream. */
  public static final String ALL = ReleaseId.ALL;

  /** Epochs of the append time. */
  public EpochSchedule(
      long lengthMillis, long firstEpoch, boolean explicitFirst, long sealDelayMillis) {
    this(lengthMillis, firstEpoch, explicitFirst, sealDelayMillis, RowTime.APPEND);
  }

  /** A schedule whose numbers are in range. */
  public EpochSchedule {
    if (lengthMillis != 0 && lengthMillis < 1000) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "epoch length must be at least PT1S, or all. Provided value: %s",
              Duration.ofMillis(lengthMillis)));
    }
    if (sealDelayMillis < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "sealDelay must be >= 0. Provided value: %s",
              Duration.ofMillis(sealDelayMillis)));
    }
  }

  /** How many epochs rows may keep open at once: each takes memory for all of its sketches. */
  public static final long MOST_OPEN = 10_000;

  /** One epoch that holds every row. */
  public static EpochSchedule all() {
    return new EpochSchedule(0, 0, true, 0);
  }

  /** Epochs of {@code length} from the one that holds {@code from}. */
  public static EpochSchedule of(
      Duration length, Instant from, boolean explicitFirst, Duration sealDelay) {
    long millis = Math.max(1, length.toMillis()); // 0 would mean one epoch for everything
    return new EpochSchedule(
        millis, Math.floorDiv(from.toEpochMilli(), millis), explicitFirst, sealDelay.toMillis());
  }

  /** Whether there is one epoch for everything. */
  public boolean isAll() {
    return lengthMillis == 0;
  }

  /** The epoch that holds a time in milliseconds since 1970 UTC. */
  public long epochOf(long timestamp) {
    return isAll() ? 0 : Math.floorDiv(timestamp, lengthMillis);
  }

  /**
   * The epoch of a row with an event time, decided by that and its own append time alone.
   *
   * @return {@link #AHEAD} if the event time is ahead of the append time by more than is allowed,
   *     {@link #LATE} if the row was appended after its epoch's end and the lateness
   */
  public long epochOf(long eventTime, long appendTime) {
    if (eventTime > appendTime + time.maxClockSkewMillis()) {
      return AHEAD;
    }
    long epoch = epochOf(eventTime);
    return appendTime >= endOfAppends(epoch) ? LATE : epoch;
  }

  /**
   * Whether the row of a record is before the first epoch, as its timestamp alone tells: an event
   * time is ahead of it by no more than is allowed.
   */
  public boolean isBeforeFirst(RowRecord record) {
    boolean counts = record.appendTime() || time.kind() == RowTime.Kind.PRODUCER;
    return !isAll()
        && counts
        && record.timestamp() + time.maxClockSkewMillis() < firstEpoch * lengthMillis;
  }

  /** The time from which on no row that is appended counts in {@code epoch}. */
  long endOfAppends(long epoch) {
    return (epoch + 1) * lengthMillis + time.allowedLatenessMillis();
  }

  /** The wall-clock time from which on {@code epoch} may be cut; 0 for the one epoch. */
  public long cutMillis(long epoch) {
    return isAll() ? 0 : endOfAppends(epoch) + sealDelayMillis;
  }

  /**
   * The last epoch that may be cut at wall-clock time {@code now}; below the first one if there is
   * none.
   */
  public long lastCuttable(long now) {
    return isAll()
        ? 0
        : Math.floorDiv(now - sealDelayMillis - time.allowedLatenessMillis(), lengthMillis) - 1;
  }

  /** The epoch's public name: its start in UTC, or {@value #ALL}. */
  public String label(long epoch) {
    return isAll() ? ALL : Instant.ofEpochMilli(epoch * lengthMillis).toString();
  }

  /** The epoch that has this label; empty if none has. */
  public OptionalLong epochOf(String label) {
    try {
      long epoch = isAll() ? 0 : epochOf(Instant.parse(label).toEpochMilli());
      return label(epoch).equals(label) ? OptionalLong.of(epoch) : OptionalLong.empty();
    } catch (DateTimeException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** This schedule from another first epoch. */
  public EpochSchedule from(long epoch) {
    return new EpochSchedule(lengthMillis, epoch, explicitFirst, sealDelayMillis, time);
  }

  /** The schedule of a job that starts: from the first epoch of the config, or from now on. */
  public EpochSchedule startingAt(Instant now) {
    return explicitFirst ? this : from(epochOf(now.toEpochMilli()));
  }

  /** The length; empty for one epoch. */
  public Optional<Duration> length() {
    return isAll() ? Optional.empty() : Optional.of(Duration.ofMillis(lengthMillis));
  }

  /** How long after its end an epoch is cut. */
  public Duration sealedAfter() {
    return Duration.ofMillis(sealDelayMillis + time.allowedLatenessMillis());
  }

  /** Whether the rows topic must set the time of its records. */
  public boolean needsAppendTime() {
    return !isAll() && time.kind() != RowTime.Kind.PRODUCER;
  }

  /** This schedule by another time. */
  public EpochSchedule by(RowTime other) {
    return new EpochSchedule(lengthMillis, firstEpoch, explicitFirst, sealDelayMillis, other);
  }

  /** In words that never change, for the fingerprint of a series. */
  public String fingerprint() {
    return isAll() ? ALL : lengthMillis + time.fingerprint();
  }
}
