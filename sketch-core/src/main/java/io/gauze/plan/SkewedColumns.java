package io.gauze.plan;

import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.row.Column;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds columns of which the public numbers say that they have a long tail on one side, before any
 * row is read: few rows then decide a fit, and shortening takes off most of these.
 */
public final class SkewedColumns {
  private SkewedColumns() {}

  /**
   * Returns a warning that names these columns, if there are any.
   *
   * @param columns the columns of a stream
   * @param spreads the public guesses of standard deviations, by the name of a column; a column
   *     without one is not named
   */
  public static Optional<Message> warning(List<Column> columns, Map<String, Double> spreads) {
    List<String> skewed =
        columns.stream()
            .filter(column -> spreads.containsKey(column.name()))
            .filter(column -> isSkewed(column, spreads.get(column.name())))
            .map(Column::name)
            .toList();
    return skewed.isEmpty()
        ? Optional.empty()
        : Optional.of(PlanMessage.SKEWED.of(String.join(", ", skewed)));
  }

  private static boolean isSkewed(Column column, double spread) {
    double below = (column.typical() - column.lower()) / spread;
    double above = (column.upper() - column.typical()) / spread;
    return Math.min(below, above) < Tuning.NEAR_END && Math.max(below, above) > Tuning.FAR_END;
  }
}
