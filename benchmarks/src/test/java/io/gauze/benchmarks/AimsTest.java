package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AimsTest {
  @Test
  void aFigureStandsBesideItsAim() throws IOException {
    Aims aims = Aims.of("ranges");
    assertThat(aims.cells(7.8451, "california", "1.0")).isEqualTo("7.85 | 6 | 1.31");
    assertThat(aims.cells(0.1, "flights", "1.0")).isEqualTo("0.100 | - | -");
    assertThat(aims.cells(Double.POSITIVE_INFINITY, "flights", "1.0")).isEqualTo("- | - | -");
    assertThat(aims.cells(Double.POSITIVE_INFINITY, "california", "1.0")).isEqualTo("- | 6 | -");
    assertThat(aims.plain("wine", "1.0")).isEqualTo("8.1");
    assertThat(aims.plain("wine", "5.0")).isEmpty();
  }

  /** The keys of all tables have as many fields as the tables ask for, and budgets they know. */
  @ParameterizedTest
  @CsvSource({"select-fit, 5, 3", "tracks, 4, 2", "ranges, 2, 1"})
  void keysAreThoseOfTheTables(String table, int fields, int epsilon) throws IOException {
    List<List<String>> keys = Aims.of(table).first(fields);
    assertThat(keys).isNotEmpty().allMatch(key -> key.size() == fields);
    assertThat(keys).allMatch(key -> Accuracy.EPSILONS.contains(key.get(epsilon)));
  }
}
