package io.gauze.pipeline;

/** Limits a line of the log to one a minute. Not thread-safe. */
public final class RateLimiter {
  private static final long MINUTE = 60_000;

  private long last = Long.MAX_VALUE;

  /**
   * Returns whether a line is due. If it is, the caller must write it.
   *
   * @param now wall-clock milliseconds; if the clock was set back, a line is due at once
   */
  public boolean isDue(long now) {
    boolean due = now < last || now - last >= MINUTE;
    if (due) {
      last = now;
    }
    return due;
  }
}
