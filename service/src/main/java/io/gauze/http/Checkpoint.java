package io.gauze.http;

import java.util.concurrent.CancellationException;

/** Where work of several parts can stop because all who asked for it have left. */
interface Checkpoint {
  /**
   * Returns if somebody still waits for the work.
   *
   * @throws CancellationException if not
   */
  void pass();
}
