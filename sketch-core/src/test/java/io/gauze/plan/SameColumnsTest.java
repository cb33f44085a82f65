package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.CategoryColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.NumericColumn;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SameColumnsTest {
  private static final CategoryColumn TARIFF =
      new CategoryColumn("tariff", "tariff", List.of("flat", "night", "solar"));

  @Test
  void aCategoryAndAnIndicatorOfOneOfItsLevelsAreNamed() {
    for (String level : List.of("flat", "solar")) {
      IndicatorColumn indicator = new IndicatorColumn("is", "tariff", level);
      for (var columns : List.of(List.of(TARIFF, indicator), List.of(indicator, TARIFF))) {
        assertThat(SameColumns.warnings(List.copyOf(columns)))
            .singleElement()
            .asString()
            .contains("GZ-ALIKE", "tariff", " is ", "field tariff", "Leave one of them out")
            .contains("The indicator is one of the categories.");
      }
    }
    assertThat(SameColumns.warnings(List.of(TARIFF, new IndicatorColumn("is", "tariff", "wind"))))
        .isEmpty();
    assertThat(SameColumns.warnings(List.of(TARIFF, new IndicatorColumn("is", "other", "flat"))))
        .isEmpty();
  }

  @Test
  void soAreCopiesOfAColumn() {
    assertThat(
            SameColumns.warnings(
                List.of(new NumericColumn("a", "x", 0, 1), new NumericColumn("b", "x", 0, 2))))
        .hasSize(1);
    assertThat(
            SameColumns.warnings(
                List.of(
                    new IndicatorColumn("a", "x", "yes"), new IndicatorColumn("b", "x", "yes"))))
        .hasSize(1);
    assertThat(
            SameColumns.warnings(
                List.of(new IndicatorColumn("a", "x", "yes"), new NumericColumn("b", "x", 0, 1))))
        .isEmpty();
  }
}
