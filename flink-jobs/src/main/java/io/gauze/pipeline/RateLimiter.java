package io.gauze.pipeline;

/** Lets one line a minute into the log, however often there is reason for it. Not thread-safe. */
final class RateLimiter {
  private static final long MINUTE = 60_000;

  private long last = Long.MAX_VALUE;

  /**
   * Whether a line is due, which the caller then writes.
   *
   * @param now wall-clock milliseconds; a clock that was set back is one to go on from
   */
  boolean isDue(long now) {
    boolean due = now < last || now - last >= MINUTE;
    if (due) {
      last = now;
    }
    return due;
  }
}
