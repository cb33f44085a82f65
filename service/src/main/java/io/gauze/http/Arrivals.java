package io.gauze.http;

import java.util.concurrent.TimeUnit;

/** Lets a few requests wait until releases arrive. Thread-safe. */
final class Arrivals {
  private final int most;
  private int waiting;
  private long revision;

  /**
   * Creates an object for which nobody waits.
   *
   * @param most how many requests may wait at once
   */
  Arrivals(int most) {
    this.most = most;
  }

  /** Wakes all who wait. */
  synchronized void arrived() {
    revision++;
    notifyAll();
  }

  /** A number that changes whenever releases arrive. */
  synchronized long revision() {
    return revision;
  }

  /**
   * Waits until releases have arrived since {@code known}, or the time is over. Returns false at
   * once if too many wait already.
   */
  synchronized boolean await(long known, long nanos) {
    if (waiting >= most) {
      return false;
    }
    long end = System.nanoTime() + nanos;
    waiting++;
    try {
      long left = nanos;
      while (revision == known && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
        left = end - System.nanoTime();
      }
    } catch (InterruptedException e) { // the service ends: who waits finds no release
      Thread.currentThread().interrupt();
      return false;
    } finally {
      waiting--;
    }
    return true;
  }
}
