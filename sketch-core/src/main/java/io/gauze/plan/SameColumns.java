package io.gauze.plan;

import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.row.Column;
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
              .map(PlanMessage.ALIKE.of(one.name(), other.name(), one.source())::with)
              .ifPresent(warnings::add);
        }
      }
    }
    return warnings;
  }

  private static Optional<String> why(Column one, Column other) {
    if (one.isQuantity() || other.isQuantity()) {
      return one.isQuantity() && one.getClass().equals(other.getClass())
          ? Optional.of("Both are the number in the field.")
          : Optional.empty();
    }
    return one.texts().stream().anyMatch(other::lists)
        ? Optional.of(sharedText(one, other))
        : Optional.empty();
  }

  private static String sharedText(Column one, Column other) {
    if (one.isOneHot() != other.isOneHot()) {
      return "The indicator is one of the categories.";
    }
    return one.isOneHot() ? "Both have the same categories." : "Both are the same indicator.";
  }
}
