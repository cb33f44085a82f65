package io.gauze.cli.flink;

import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.local.JobMetrics;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Prints the progress of the sketch job in this process once a minute on standard error: a line for
 * each stream, from its metrics since the job's last start or restart. Thread-safe.
 */
public final class StatusLines {
  /** The system property by which tests shorten the minute. */
  public static final String PERIOD_MILLIS = "gauze.status.millis";

  private static final Duration PERIOD = Duration.ofMinutes(1);

  /** The metrics of rows that no release will hold. */
  private static final List<String> DROPPED =
      List.of("droppedByUserBound", "rowsAfterLastRelease", "changesAfterLastSnapshot");

  /** The release that was sent last. */
  private record Sent(long millis, long epochMillis) {}

  private final JobStreams job;
  private final PrintWriter err;
  private final InstantSource clock;
  private final Map<String, Sent> sent = new HashMap<>(); // also from before a restart
  private final Map<String, Long> oldest = new HashMap<>(); // also from before a restart

  public StatusLines(JobStreams job, PrintWriter err, InstantSource clock) {
    this.job = job;
    this.err = err;
    this.clock = clock;
  }

  /** Prints the lines every minute until it is closed. */
  public AutoCloseable start() {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "gauze-status");
              thread.setDaemon(true);
              return thread;
            });
    long millis = periodMillis();
    Future<?> unused =
        timer.scheduleAtFixedRate(this::print, millis, millis, TimeUnit.MILLISECONDS);
    return timer::shutdownNow;
  }

  static long periodMillis() {
    return Long.getLong(PERIOD_MILLIS, PERIOD.toMillis());
  }

  /** Prints the lines now. */
  synchronized void print() {
    for (StreamConfig stream : job.configs()) {
      err.println(line(stream));
    }
    err.flush();
  }

  private String line(StreamConfig config) {
    String stream = config.stream();
    Instant now = clock.instant();
    long restarts =
        JobMetrics.values(JobMetrics.JOB, SketchJobName.of(job.names()), JobMetrics.RESTARTS).sum();
    return String.format(
        Locale.ROOT,
        "%s %srows %,d, late %,d, dead %,d, clamped %,d, clipped %,d, dropped %,d, %s%s, %s%s",
        now.truncatedTo(ChronoUnit.SECONDS),
        job.prefix(config),
        sum(stream, "rows"),
        sum(stream, "lateRows"),
        sum(stream, "deadLetters"),
        clamped(stream),
        sum(stream, "clippedRows"),
        DROPPED.stream().mapToLong(name -> sum(stream, name)).sum(),
        lastRelease(stream, now),
        oldestUnreleased(config, now),
        lag(stream),
        restarts == 0 ? "" : String.format(Locale.ROOT, ", since restart %d of the job", restarts));
  }

  private static LongStream values(String stream, String name) {
    return JobMetrics.values(JobMetrics.OPERATOR, stream + ": ", name);
  }

  private static long sum(String stream, String name) {
    return values(stream, name).sum();
  }

  /** Returns the number of clamped values of all columns. */
  private static long clamped(String stream) {
    long[] total = values(stream, "clampedValues").toArray();
    return total.length > 0 ? LongStream.of(total).sum() : sum(stream, "clampedRows");
  }

  private String lastRelease(String stream, Instant now) {
    long millis = values(stream, "lastReleaseMillis").max().orElse(0);
    if (millis > 0) {
      long epoch = values(stream, "lastReleaseEpochMillis").max().orElse(0);
      sent.put(stream, new Sent(millis, epoch));
    }
    Sent last = sent.get(stream);
    if (last == null) {
      return "no release yet";
    }
    long age = Math.max(0, Duration.between(Instant.ofEpochMilli(last.millis()), now).toSeconds());
    String epoch =
        last.epochMillis() == 0 ? "" : " of epoch " + Instant.ofEpochMilli(last.epochMillis());
    return String.format(Locale.ROOT, "last release%s %,d s ago", epoch, age);
  }

  /**
   * Returns a clause about the first epoch that lacks a release: one model may be behind while the
   * others are not.
   */
  private String oldestUnreleased(StreamConfig config, Instant now) {
    long found = values(config.stream(), "oldestUnreleasedEpochMillis").max().orElse(0);
    long millis = oldest.merge(config.stream(), found, Math::max);
    if (millis == 0) {
      return "";
    }
    Instant begin = Instant.ofEpochMilli(millis);
    long over = Duration.between(begin.plusMillis(config.epochs().lengthMillis()), now).toSeconds();
    return ", oldest unreleased epoch "
        + begin
        + (over > 0 ? String.format(Locale.ROOT, " (over for %,d s)", over) : "");
  }

  private static String lag(String stream) {
    long[] pending =
        JobMetrics.values(
                JobMetrics.OPERATOR, "Source: " + stream + ": rows", JobMetrics.PENDING_RECORDS)
            .toArray();
    OptionalLong lag =
        pending.length == 0
            ? OptionalLong.empty()
            : OptionalLong.of(LongStream.of(pending).filter(each -> each > 0).sum());
    return lag.isEmpty() ? "lag unknown" : String.format(Locale.ROOT, "lag %,d", lag.getAsLong());
  }
}
