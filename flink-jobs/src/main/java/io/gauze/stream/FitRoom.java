package io.gauze.stream;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that rows of models may take together, whoever fits them. Thread-safe. */
public final class FitRoom {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  /**
   * Creates room that nobody has taken.
   *
   * @param limit in bytes
   */
  public FitRoom(long limit) {
    this.limit = limit;
  }

  /** The limit in bytes. */
  public long limit() {
    return limit;
  }

  /** Takes room, also beyond the limit; less than 0 gives it back. */
  void take(long bytes) {
    taken.addAndGet(bytes);
  }

  /** The bytes that are left; below 0 if more than the limit is taken. */
  public long left() {
    return limit - taken.get();
  }
}
