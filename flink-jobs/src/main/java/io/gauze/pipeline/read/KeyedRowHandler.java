package io.gauze.pipeline.read;

import io.gauze.row.RowRejectedException;

/** Handles the records of a key, in the order of the log, with the state of that key. */
interface KeyedRowHandler {
  /**
   * Folds what the record adds to the sketches and removes from them.
   *
   * @throws RowRejectedException if the record is a dead letter; the reason contains no value of it
   */
  void apply(RoutedRecord routed) throws Exception;

  /** Cleans up state; called before each checkpoint. */
  default void tidy() throws Exception {}
}
