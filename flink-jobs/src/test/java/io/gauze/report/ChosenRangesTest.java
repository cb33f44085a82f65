package io.gauze.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.local.LocalSketch;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowRejectedException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class ChosenRangesTest {
  private static final String CONFIG =
      """
      stream: s
      columns:
        - {name: price, range: estimate}
        - {name: 'the year', source: year, range: estimate}
      privacy: {epsilon: 1, delta: 1e-6, neighbours: replace-one}
      expectedRows: 10000
      epochs: {length: all}
      sketches:
        - {name: r, mechanism: ranges}
      """;

  /** Counts without noise of rows of these prices. */
  private static ChosenRanges chosen(int rows, double... prices)
      throws ConfigException, RowRejectedException {
    StreamPlan plan = StreamPlan.of(StreamConfig.parse("s", CONFIG).request(List.of()));
    LocalSketch sketch = new LocalSketch(plan, Randomness.noiseFreeForTests(1));
    for (int i = 0; i < rows; i++) {
      String row =
          String.format(
              Locale.ROOT,
              "{\"price\": %s, \"year\": %d}",
              prices[i % prices.length],
              2000 + i % 9);
      sketch.add(row.getBytes(UTF_8));
    }
    return ChosenRanges.of(sketch.release().get(0)).orElseThrow();
  }

  @Test
  void rangesAreLinesOfAConfig() throws ConfigException, RowRejectedException {
    ChosenRanges ranges = chosen(2000, 3.0, 40.0);
    assertThat(ranges.refusal()).isEmpty();
    assertThat(ranges.lines())
        .containsExactly(
            "  - {name: price, lower: 1, upper: 100, typical: 44, spread: 29.8}",
            "  - {name: 'the year', source: year, lower: 1000, upper: 5600, typical: 2500,"
                + " spread: 404}");
    assertThat(ranges.warnings())
        .singleElement()
        .asString()
        .contains("GZ-FARFROMZERO", "Column the year: its values may differ little");
    String known =
        CONFIG
            .replaceAll("(?m)^  - .name: (price|'the).*\n", "")
            .replace("ranges}", "noisy-moments}");
    String pasted =
        known.replace("columns:\n", "columns:\n" + String.join("\n", ranges.lines()) + "\n");
    assertThat(StreamConfig.parse("s", pasted).schema().columns()).hasSize(2);
  }

  @Test
  void extremesAreWarnedOf() throws ConfigException, RowRejectedException {
    assertThat(chosen(2000, 0.0).warnings().get(0).line())
        .contains("GZ-ABOUTZERO", "near 0 stand out");
    assertThat(chosen(2000, 1e13).warnings().get(0).line()).contains("GZ-GRIDEND", "larger unit");
  }

  @Test
  void noRangeIsChosenWhereNothingStandsOut() throws ConfigException, RowRejectedException {
    ChosenRanges ranges = chosen(3, 5.0);
    assertThat(ranges.missing()).containsExactly("price", "the year");
    assertThat(ranges.refusal().orElseThrow().line())
        .startsWith("GZ-NORANGE: No count of column price, the year stands out of the noise")
        .contains("rangeShare");
  }
}
