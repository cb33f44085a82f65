package io.gauze.http.protocol;

import java.util.concurrent.CancellationException;

/** Where work of several parts can stop because all who asked for it have left. */
public interface Checkpoint {
  /**
   * Returns if somebody still waits for the work.
   *
   * @throws CancellationException if not
   */
  void pass();
}
