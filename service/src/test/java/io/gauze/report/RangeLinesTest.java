package io.gauze.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.RowCounts;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the holder of the rows is told of values that the encoding changed. */
final class RangeLinesTest {
  @Test
  void nothingChangedNeedsNoLine() {
    Map<String, Long> none = Map.of("x", 0L, "s", 0L);
    assertThat(RangeLines.of(new RowCounts(100, none, none, 0), false)).isEmpty();
    assertThat(RangeLines.of(RowCounts.NONE, false)).isEmpty();
  }

  @Test
  void clampedMissingAndLongHaveALineEach() {
    Map<String, Long> missing = new LinkedHashMap<>();
    missing.put("x", 400L);
    missing.put("s", 20_000L);
    missing.put("t", 1L);
    missing.put("u", 0L);
    assertThat(RangeLines.of(new RowCounts(20_000, Map.of("x", 20L), missing, 5000), false))
        .containsExactly(
            "column x: 0.10 % of the values are outside of its range and were clamped to it",
            "column x: 2.0 % of the values are missing and count as 0 (missing: midpoint)",
            "column s: 100 % of the values are missing and count as 0 (missing: midpoint)",
            "column t: less than 0.01 % of the values are missing and count as 0 (missing:"
                + " midpoint)",
            "25 % of the rows are longer than rowBound, and a stream would shorten them. Slopes may"
                + " come out too small: send the logarithm of a price or a cost, name the response,"
                + " or raise rowBound");
  }

  @Test
  void ofReleasesThatChooseBoundsNothingIsSaidOfLongRows() {
    Map<String, Long> clamped = Map.of("x", 20L);
    assertThat(RangeLines.of(new RowCounts(20_000, clamped, Map.of(), 5000), true))
        .singleElement()
        .asString()
        .startsWith("column x");
  }

  @Test
  void fewLongRowsDoLittle() {
    assertThat(RangeLines.of(new RowCounts(1000, Map.of(), Map.of(), 49), false))
        .containsExactly(
            "4.9 % of the rows are longer than rowBound, and a stream would shorten them");
  }
}
