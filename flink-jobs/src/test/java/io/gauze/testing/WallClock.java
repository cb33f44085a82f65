package io.gauze.testing;

import java.util.concurrent.locks.LockSupport;

/** The clock that epochs by append time follow. */
public final class WallClock {
  private WallClock() {}

  /** Returns when the clock shows this time, in milliseconds since 1970. */
  public static void awaitMillis(long millis) {
    while (System.currentTimeMillis() < millis) {
      LockSupport.parkUntil(millis);
    }
  }
}
