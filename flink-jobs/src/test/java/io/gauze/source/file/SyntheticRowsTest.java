package io.gauze.source.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.CategoryColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.OrdinalColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.json.JsonRowDecoder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Made-up rows are rows of the schema, and their numbers have the public mean and deviation. */
final class SyntheticRowsTest {
  private static final int ROWS = 2_000;

  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(
              new NumericColumn("age", "age", 0, 110, 40),
              new NumericColumn("pay, \"net\"", 0, 10),
              new CategoryColumn("tariff", "tariff", List.of("flat", "night", "solar")),
              new IndicatorColumn("weekend", "day", "weekend"),
              new IndicatorColumn("holiday", "day", "holiday"),
              new OrdinalColumn("cut", "cut", Map.of("fair", 0.0, "ideal", 2.0), 0, 2)),
          1.0);

  private static CsvRows rows() throws IOException {
    return CsvRows.of(
        new SyntheticRows(SCHEMA, Map.of("age", 5.0), ROWS).with("id", Long::toString), SCHEMA);
  }

  @Test
  void eachRowFitsTheSchema() throws IOException, RowRejectedException {
    RowFields fields = RowFields.of(SCHEMA, List.of());
    RowImage image = new RowImage(fields);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    double[] scaled = new double[SCHEMA.dimension()];
    int count = 0;
    try (CsvRows rows = rows()) {
      while (rows.hasNext()) {
        decoder.decode(rows.next(), image);
        image.scale(scaled);
        count++;
      }
    }
    assertThat(count).isEqualTo(ROWS);
  }

  @Test
  void textsAreThoseThatColumnsKnow() throws IOException, RowRejectedException {
    Set<String> days = new TreeSet<>();
    Set<String> others = new TreeSet<>();
    long id = 0;
    try (CsvRows rows = rows()) {
      while (rows.hasNext()) {
        CsvRow row = rows.nextRow();
        assertThat(row.value("id")).contains(Long.toString(id++));
        days.add(row.value("day").orElseThrow());
        others.add(row.value("tariff").orElseThrow());
        others.add(row.value("cut").orElseThrow());
      }
    }
    assertThat(days).containsExactly("holiday", "other", "weekend");
    assertThat(others).containsExactly("fair", "flat", "ideal", "night", "solar");
  }

  /**
   * Null hypothesis: ages are independent and normal with mean 40 and standard deviation 5, which
   * the range does not cut. z of the mean and of the mean square (variance 2) over 2,000 draws;
   * level one in a million for both together. A spread of a quarter of the range instead (27.5) has
   * an expected z of 900.
   */
  @Test
  void numbersHaveThePublicMeanAndSpread() throws IOException, RowRejectedException {
    double sum = 0;
    double squares = 0;
    try (CsvRows rows = rows()) {
      while (rows.hasNext()) {
        double z = (Double.parseDouble(rows.nextRow().value("age").orElseThrow()) - 40) / 5;
        sum += z;
        squares += z * z - 1;
      }
    }
    double critical = 5.03; // two-sided, half of one in a million each
    assertThat(Math.abs(sum) / Math.sqrt(ROWS)).isLessThan(critical);
    assertThat(Math.abs(squares) / Math.sqrt(2.0 * ROWS)).isLessThan(critical);
  }
}
