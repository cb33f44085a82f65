package io.gauze.plan;

import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.IndicatorColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds columns of one field that depend on each other linearly whatever the rows are, so that no
 * fit of both has a unique answer. The config alone shows it.
 */
final class SameColumns {
  private SameColumns() {}

  /** Returns a warning for each pair of such columns. */
  static List<Message> warnings(List<Column> columns) {
    List<Message> warnings = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      for (int j = i + 1; j < columns.size(); j++) {
        Column one = columns.get(i);
        Column other = columns.get(j);
        if (one.source().equals(other.source())) {
          why(one, other)
              .or(() -> why(other, one))
              .map(why -> PlanMessage.ALIKE.of(one.name(), other.name(), one.source(), why))
              .ifPresent(warnings::add);
        }
      }
    }
    return warnings;
  }

  private static Optional<String> why(Column one, Column other) {
    if (one instanceof CategoryColumn category && other instanceof IndicatorColumn level) {
      return category.categories().contains(level.equalTo())
          ? Optional.of("the indicator is one of the categories")
          : Optional.empty();
    }
    if (one instanceof IndicatorColumn first && other instanceof IndicatorColumn second) {
      return first.equalTo().equals(second.equalTo())
          ? Optional.of("both are the same indicator")
          : Optional.empty();
    }
    if (one instanceof CategoryColumn first && other instanceof CategoryColumn second) {
      return first.categories().stream().anyMatch(second.categories()::contains)
          ? Optional.of("both have the same categories")
          : Optional.empty();
    }
    boolean text = one instanceof CategoryColumn || one instanceof IndicatorColumn;
    return !text && one.getClass().equals(other.getClass())
        ? Optional.of("both are its number")
        : Optional.empty();
  }
}
