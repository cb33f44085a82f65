package io.gauze.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.fit.Term;
import io.gauze.noise.Randomness;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The demo's table for people. */
final class DemoReportTest {
  private static final Guarantee GUARANTEE =
      new Guarantee(
          1.0,
          1e-6,
          Neighbours.REPLACE_ONE,
          UnitKind.ROW,
          List.of(),
          "a theorem",
          false,
          "A stolen checkpoint adds nothing.",
          Randomness.SYSTEM.description(),
          true);

  private static DemoFit fit(String source, double error, Optional<String> guarantee) {
    double none = Double.NaN;
    return new DemoFit(
        source,
        "ridge",
        List.of(new Term("x", 0.5, error, none, none, none, none, 0.25, 0.875)),
        Optional.of(1.0),
        Optional.of(0.0),
        guarantee,
        List.of());
  }

  private static List<String> table(DemoFit... fits) {
    DemoResult result =
        new DemoResult(
            8000,
            51,
            1.0,
            "y",
            Map.of("x", 0.6),
            List.of(fits),
            List.of(),
            DemoPromise.of(GUARANTEE),
            List.of(),
            RowSchema.of(List.of(new NumericColumn("x", 0, 1)), 1.0),
            List.of(),
            false);
    return DemoReport.of(result, "").table().lines().toList();
  }

  /** The interval of a private fit can be far wider than two standard errors. */
  @Test
  void aPrivateFitHasItsInterval() {
    List<String> lines =
        table(
            fit("non-private", 0.1, Optional.empty()),
            fit("moments", 0.1, Optional.of("private")),
            fit("buckets", Double.NaN, Optional.of("private")));

    assertThat(lines)
        .anyMatch(line -> line.startsWith("8,000 rows read in 1.0 s: 8,000 rows/s"))
        .contains("Of these, 7,949 rows were sketched. Could not be read (dead letters): 51.")
        .anyMatch(
            line ->
                line.matches(
                    " +truth +non-private +moments +95 % interval +buckets +95 % interval"))
        .anyMatch(
            line ->
                line.matches(
                    "x +0.60000 +0.50000 ± 0.10000 +0.50000 ± 0.10000 +0.25000 to 0.87500"
                        + " +0.50000 +0.25000 to 0.87500"));
  }
}
