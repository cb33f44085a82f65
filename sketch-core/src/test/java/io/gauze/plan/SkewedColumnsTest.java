package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.message.PlanMessage;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.NumericColumn;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SkewedColumnsTest {
  private static final List<Column> COLUMNS =
      List.of(
          new NumericColumn("cost", "cost", 0, 100, 5),
          new NumericColumn("loss", "loss", -100, 0, -5),
          new NumericColumn("height", "height", 100, 220, 170),
          new NumericColumn("wide", "wide", -1000, 1000, 0),
          new CategoryColumn("land", "land", List.of("de", "fr")));

  @Test
  void namesColumnsWithALongTailOnEitherSide() {
    Map<String, Double> spreads = Map.of("cost", 4.0, "loss", 4.0, "height", 10.0, "wide", 1.0);
    assertThat(SkewedColumns.warning(COLUMNS, spreads))
        .contains(PlanMessage.SKEWED.of("cost, loss"));
  }

  @Test
  void bothEndsDecide() {
    assertThat(SkewedColumns.warning(COLUMNS, Map.of("cost", 2.0))).as("2.5 and 47.5").isEmpty();
    assertThat(SkewedColumns.warning(COLUMNS, Map.of("cost", 15.0))).as("0.3 and 6.3").isEmpty();
    assertThat(SkewedColumns.warning(COLUMNS, Map.of("cost", 13.0))).as("0.4 and 7.3").isPresent();
  }

  @Test
  void nothingIsSaidWithoutASpread() {
    assertThat(SkewedColumns.warning(COLUMNS, Map.of())).isEmpty();
  }
}
