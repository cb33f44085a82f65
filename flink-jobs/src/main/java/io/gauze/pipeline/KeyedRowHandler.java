package io.gauze.pipeline;

import io.gauze.row.RowRejectedException;

/** What is done with the records of one key, in the log's order, with state of that key at hand. */
interface KeyedRowHandler {
  /**
   * Folds what the record adds to the sketches or takes away from them.
   *
   * @throws RowRejectedException if it is to be a dead letter; the reason holds no value
   */
  void apply(RoutedRecord routed) throws Exception;

  /** Called before each checkpoint, when state may be tidied. */
  default void tidy() throws Exception {}
}
