package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Made-up rows have the shares, sizes and models that tables say of them. */
final class MadeUpRowsTest {
  /** Of 20,000 workers; the deviation of a share is at most .0035. */
  @Test
  void workersHaveTheSharesOfTheSurvey() {
    EarningsRows workers = new EarningsRows();
    int count = 20_000;
    double[] shares = new double[3];
    double south = 0;
    double schooling = 0;
    for (int i = 0; i < count; i++) {
      String[] fields = workers.next().split(",", -1);
      assertThat(fields).hasSameSizeAs(workers.header().split(",", -1));
      for (int k = 0; k < 3; k++) {
        shares[k] += Double.parseDouble(fields[2 + k]) / count;
      }
      south += fields[5].equals("south") ? 1.0 / count : 0.0;
      schooling += Double.parseDouble(fields[0]) / count;
    }
    assertThat(shares).containsExactly(new double[] {0.46, 0.18, 0.65}, within(0.02));
    assertThat(south).isCloseTo(0.33, within(0.02));
    assertThat(schooling).isCloseTo(13.0, within(0.15));
    assertThat(new EarningsRows().next()).isEqualTo(new EarningsRows().next());
  }

  @Test
  void metersHaveAHeaderAndAValueForEachName() {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    MeterRows.write(out);
    List<String> lines = text.toString().lines().toList();
    assertThat(lines).hasSize(1 + MeterRows.ROWS);
    long commas = commas(lines.get(0));
    assertThat(lines.get(0)).matches("[a-z_]+(,[a-z_]+)+");
    assertThat(lines).allMatch(line -> commas(line) == commas);
  }

  private static long commas(String line) {
    return line.chars().filter(c -> c == ',').count();
  }

  /** Wild sizes are 0 in some epochs, and 4,000 rows or so on average over many streams. */
  @ParameterizedTest
  @EnumSource(TrackRows.Stream.class)
  void epochsAreOfEqualOrOfWildSizes(TrackRows.Stream stream) {
    TrackRows rows = new TrackRows(stream, 3);
    int[] sizes = new int[TrackRows.EPOCHS];
    Arrays.setAll(sizes, k -> rows.rows(k + 1).length);
    assertThat(Arrays.stream(sizes).distinct().count() > 1).isEqualTo(stream.wild());
    assertThat(Arrays.stream(sizes).anyMatch(size -> size == 0)).isEqualTo(stream.wild());
    for (double[] row : rows.rows(1)) {
      assertThat(row[0]).isEqualTo(TrackRows.INTERCEPT);
      assertThat(Arrays.stream(row)).allMatch(value -> Math.abs(value) <= 1.0);
    }
  }

  /** Zeros explain nothing; the model turns, or changes at once after epoch 40. */
  @Test
  void modelsTurnOrChangeAtOnce() {
    TrackRows rows = new TrackRows(TrackRows.Stream.REGIME, 1);
    assertThat(rows.excess(40, new double[TrackRows.FEATURES + 1])).isGreaterThan(0.5);
    assertThat(TrackRows.Stream.REGIME.turned(40)).isZero();
    assertThat(TrackRows.Stream.REGIME.turned(41)).isEqualTo(1.0);
    assertThat(TrackRows.Stream.ROTATE.turned(40)).isEqualTo(0.5);
  }
}
