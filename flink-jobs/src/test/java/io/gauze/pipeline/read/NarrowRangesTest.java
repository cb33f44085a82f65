package io.gauze.pipeline.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.RowCounts;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When the log says that ranges are too narrow. */
final class NarrowRangesTest {
  private static final long MINUTE = 60_000;

  private final NarrowRanges ranges = new NarrowRanges();

  private static RowCounts counts(long rows, long clamped) {
    return new RowCounts(rows, Map.of("alcohol", clamped, "pH", 0L), Map.of(), 0);
  }

  @Test
  void namesColumnsWithManyClampedValues() {
    assertThat(ranges.look(counts(99, 99), 0)).isEmpty(); // too few to tell
    assertThat(ranges.look(counts(1000, 420), 1))
        .contains(
            "values outside of their range are clamped: alcohol 42 %. Fits are off where that is"
                + " more than a little; a wider range is a new stream.");
  }

  /** Each minute speaks of its own rows: one in a hundred is not yet many. */
  @Test
  void saysItOnceAMinuteOfTheRowsSince() {
    assertThat(ranges.look(counts(1000, 420), 0)).isPresent();
    assertThat(ranges.look(counts(2000, 840), MINUTE - 1)).isEmpty();
    assertThat(ranges.look(counts(3000, 440), MINUTE)).isEmpty();
    assertThat(ranges.look(counts(4000, 451), 2 * MINUTE).orElseThrow()).contains("alcohol 1 %");
  }

  /** A field of another name is missing in every row, which no dead letter shows. */
  @Test
  void namesColumnsThatAreMostlyMissing() {
    RowCounts some = new RowCounts(1000, Map.of(), Map.of("alcohol", 1000L, "pH", 500L), 0);
    assertThat(ranges.look(some, 0))
        .contains(
            "values are missing and encoded as 0: alcohol 100 %. Check the names of the fields"
                + " (source) against the records; another source is a new stream.");
    RowCounts more = new RowCounts(2000, Map.of("pH", 20L), Map.of("alcohol", 1501L), 0);
    assertThat(ranges.look(more, MINUTE).orElseThrow())
        .startsWith("values outside of their range are clamped: pH 2 %. ")
        .contains(" values are missing and encoded as 0: alcohol 50 %. ");
    assertThat(
            ranges.look(
                new RowCounts(3000, Map.of("pH", 20L), Map.of("alcohol", 2001L), 0), 2 * MINUTE))
        .isEmpty();
  }
}
