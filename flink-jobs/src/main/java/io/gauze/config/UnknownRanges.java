package io.gauze.config;

import io.gauze.row.Column;
import io.gauze.row.EstimatedColumn;
import java.util.OptionalDouble;

/** Gives columns of unknown range a range. */
@FunctionalInterface
interface UnknownRanges {
  /** Returns the column with a range. */
  Column column(EstimatedColumn column);

  /** Returns a guess of its spread. */
  default OptionalDouble spread(Column column) {
    return OptionalDouble.empty();
  }

  /** Whether the ranges were chosen after the keys beside them were written. */
  default boolean areChosen() {
    return false;
  }
}
