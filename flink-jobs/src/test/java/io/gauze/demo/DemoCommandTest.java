package io.gauze.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which column the demo explains if none is given. */
final class DemoCommandTest {
  private static final Column TEMPERATURE = new NumericColumn("temperature", 0, 1);
  private static final Column RENTALS = new NumericColumn("rentals", 0, 1);
  private static final Column WEEKDAY = new CategoryColumn("day", "day", List.of("Mon", "Sun"));
  private static final Column IS_FREE = new IndicatorColumn("free", "day", "Sun");

  @Test
  void theLastColumnOfNumbersIsExplained() {
    RowSchema schema = RowSchema.of(List.of(TEMPERATURE, RENTALS, WEEKDAY, IS_FREE), 1.0);
    assertThat(DemoCommand.defaultResponse(schema)).isEqualTo("rentals");
  }

  @Test
  void theResponseOfTheConfigIsExplained() {
    RowSchema schema = RowSchema.of(List.of(TEMPERATURE, RENTALS, WEEKDAY, IS_FREE), 1.0);
    ResponseBound apart = new ResponseBound(List.of("day", "temperature"), 0.5);
    assertThat(DemoCommand.defaultResponse(schema.withResponses(apart))).isEqualTo("temperature");
  }

  @Test
  void withoutNumbersTheLastEncodedColumnIsExplained() {
    RowSchema schema = RowSchema.of(List.of(IS_FREE, WEEKDAY), 1.0);
    assertThat(DemoCommand.defaultResponse(schema)).isEqualTo("day=Sun");
  }
}
