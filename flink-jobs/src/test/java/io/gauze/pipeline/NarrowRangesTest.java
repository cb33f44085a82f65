package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.RowCounts;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When the log says that ranges are too narrow. */
final class NarrowRangesTest {
  private static final long MINUTE = 60_000;

  private final NarrowRanges ranges = new NarrowRanges();

  private static RowCounts counts(long rows, long clamped) {
    return new RowCounts(rows, Map.of("alcohol", clamped, "pH", 0L), 0);
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
}
