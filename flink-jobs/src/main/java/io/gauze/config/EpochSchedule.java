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
 * The epochs of a stream: which epoch a record belongs to, decided by the record alone, and when an
 * epoch is over. Epochs are aligned to UTC multiples of the length; epoch e spans [e length, (e +
 * 1) length). A stream with one epoch for everything has length 0.
 *
 * @param lengthMillis 0 for one epoch, else at least 1,000
 * @param firstEpoch the first epoch of the public range; earlier rows are in no epoch. Undefined in
 *     a config that does not name it, see {@link #startingAt}
 * @param explicitFirst whether the config names the first epoch; if not, the ledger or the stream's
 *     first start sets it, and the job's state keeps it
 * @param sealDelayMillis how long to wait with the cut of an epoch after the last time at which its
 *     rows may be appended: bounds the skew of the brokers' clocks
 * @param time the time of a record that decides its epoch
 */
public record EpochSchedule(
    long lengthMillis, long firstEpoch, boolean explicitFirst, long sealDelayMillis, RowTime time)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Returned instead of an epoch if the row is too late for its epoch. */
  public static final long LATE = Long.MIN_VALUE;

  /** Returned instead of an epoch if the row's event time is too far in the future. */
  public static final long AHEAD = Long.MAX_VALUE;

  /** The label of the one epoch of a bounded stream. */
  public static final String ALL = ReleaseId.ALL;

  /** Creates epochs by append time. */
  public EpochSchedule(
      long lengthMillis, long firstEpoch, boolean explicitFirst, long sealDelayMillis) {
    this(lengthMillis, firstEpoch, explicitFirst, sealDelayMillis, RowTime.APPEND);
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
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

  /** The most epochs that rows may keep open at once: each takes memory for all of its sketches. */
  public static final long MOST_OPEN = 10_000;

  /** Returns a schedule with one epoch for all rows. */
  public static EpochSchedule all() {
    return new EpochSchedule(0, 0, true, 0);
  }

  /** Returns epochs of {@code length} from the one that contains {@code from}. */
  public static EpochSchedule of(
      Duration length, Instant from, boolean explicitFirst, Duration sealDelay) {
    long millis = Math.max(1, length.toMillis()); // 0 would mean one epoch for everything
    return new EpochSchedule(
        millis, Math.floorDiv(from.toEpochMilli(), millis), explicitFirst, sealDelay.toMillis());
  }

  /** Returns whether there is one epoch for everything. */
  public boolean isAll() {
    return lengthMillis == 0;
  }

  /** Returns the epoch of a time in milliseconds since 1970 UTC. */
  public long epochOf(long timestamp) {
    return isAll() ? 0 : Math.floorDiv(timestamp, lengthMillis);
  }

  /**
   * Returns the epoch of a row with an event time, decided only by that and the row's append time.
   *
   * @return {@link #AHEAD} if the event time is ahead of the append time by more than maxClockSkew,
   *     {@link #LATE} if the row was appended after its epoch's end and allowedLateness
   */
  public long epochOf(long eventTime, long appendTime) {
    if (eventTime > appendTime + time.maxClockSkewMillis()) {
      return AHEAD;
    }
    long epoch = epochOf(eventTime);
    return appendTime >= endOfAppends(epoch) ? LATE : epoch;
  }

  /**
   * Returns whether the record's timestamp alone shows that its row is before the first epoch: an
   * event time is ahead of the timestamp by at most maxClockSkew.
   */
  public boolean isBeforeFirst(RowRecord record) {
    boolean counts = record.appendTime() || time.kind() == RowTime.Kind.PRODUCER;
    return !isAll()
        && counts
        && record.timestamp() + time.maxClockSkewMillis() < firstEpoch * lengthMillis;
  }

  /** Returns the time from which on appended rows do not count in {@code epoch}. */
  long endOfAppends(long epoch) {
    return (epoch + 1) * lengthMillis + time.allowedLatenessMillis();
  }

  /** Returns the wall-clock time from which on {@code epoch} may be cut; 0 for the one epoch. */
  public long cutMillis(long epoch) {
    return isAll() ? 0 : endOfAppends(epoch) + sealDelayMillis;
  }

  /**
   * Returns the last epoch that may be cut at wall-clock time {@code now}; it is before the first
   * epoch if none may be cut.
   */
  public long lastCuttable(long now) {
    return isAll()
        ? 0
        : Math.floorDiv(now - sealDelayMillis - time.allowedLatenessMillis(), lengthMillis) - 1;
  }

  /** Returns the epoch's public name: its start in UTC, or {@value #ALL}. */
  public String label(long epoch) {
    return isAll() ? ALL : Instant.ofEpochMilli(epoch * lengthMillis).toString();
  }

  /** Returns the epoch with this label; empty if there is none. */
  public OptionalLong epochOf(String label) {
    try {
      long epoch = isAll() ? 0 : epochOf(Instant.parse(label).toEpochMilli());
      return label(epoch).equals(label) ? OptionalLong.of(epoch) : OptionalLong.empty();
    } catch (DateTimeException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns a copy with another first epoch. */
  public EpochSchedule from(long epoch) {
    return new EpochSchedule(lengthMillis, epoch, explicitFirst, sealDelayMillis, time);
  }

  /** Returns a copy whose first epoch is named, as by the config. */
  public EpochSchedule beginningWith(long epoch) {
    return new EpochSchedule(lengthMillis, epoch, true, sealDelayMillis, time);
  }

  /**
   * Returns the schedule of a job that starts: from the first epoch of the config, or from now on.
   */
  public EpochSchedule startingAt(Instant now) {
    return explicitFirst ? this : from(epochOf(now.toEpochMilli()));
  }

  /** The length; empty for one epoch. */
  public Optional<Duration> length() {
    return isAll() ? Optional.empty() : Optional.of(Duration.ofMillis(lengthMillis));
  }

  /** The time from an epoch's end until it is cut. */
  public Duration sealedAfter() {
    return Duration.ofMillis(sealDelayMillis + time.allowedLatenessMillis());
  }

  /** Returns whether the rows topic must set the time of its records. */
  public boolean needsAppendTime() {
    return !isAll() && time.kind() != RowTime.Kind.PRODUCER;
  }

  /** Returns a copy with epochs by another time. */
  public EpochSchedule by(RowTime other) {
    return new EpochSchedule(lengthMillis, firstEpoch, explicitFirst, sealDelayMillis, other);
  }

  /** Describes the epochs. Part of a series' fingerprint: never change the words. */
  public String fingerprint() {
    return isAll() ? ALL : lengthMillis + time.fingerprint();
  }
}
