package io.gauze.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.fit.Term;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One release of each mechanism, and a fit on each, those that read the rows twice too. */
final class AlternativesTest {
  private static final int ROWS = 5_000;
  private static final RowSchema SCHEMA =
      RowSchema.of(
          List.of(new NumericColumn("x", -1, 1), new NumericColumn("y", -1, 1)),
          0.5,
          1.5,
          MissingValues.REJECT);

  /**
   * y = x / 2, with what is left of deviation .05; the noise is real: ten of its standard errors.
   * The slope of the rows themselves is off by some .0015.
   */
  @Test
  void everyMechanismIsFitted() {
    StreamRequest stream =
        new StreamRequest(
            "demo",
            SCHEMA,
            new Budget(10.0, 1e-6, Neighbours.ADD_REMOVE),
            StreamRequest.ROW,
            ROWS,
            List.of(),
            List.of(new SketchRequest("s", "noisy-moments", 1.0, Map.of())));
    Alternatives alternatives = new Alternatives(stream, "y");
    ExactMoments moments = ExactMoments.create(3, 0.5);
    SplittableRandom random = new SplittableRandom(2);
    EncodedRow row = new EncodedRow(3); // used again
    double steps = 1.0 / SCHEMA.grid().step();
    for (int i = 0; i < ROWS; i++) {
      double x = random.nextDouble(-1.0, 1.0);
      double[] encoded = {0.5, x, 0.5 * x + 0.05 * random.nextGaussian()};
      for (int k = 0; k < 3; k++) {
        row.values()[k] = (int) (encoded[k] * steps);
      }
      moments.add(encoded);
      alternatives.add(row);
    }
    List<DemoFit> fits = alternatives.fits(moments, Optional.empty());
    assertThat(fits).extracting(DemoFit::source).containsExactlyElementsOf(Mechanisms.names());
    for (DemoFit fit : fits) {
      boolean strata = fit.source().endsWith("-strata") || fit.source().startsWith("stratified");
      if (strata || fit.source().equals("noisy-moments")) {
        assertThat(fit.loss()).as(fit.source()).isEqualTo(strata ? "lad" : "ridge");
        Term x = fit.term("x").orElseThrow();
        double error = x.stdError();
        assertThat(error).isBetween(1e-5, 0.03);
        assertThat(x.estimate()).isCloseTo(0.5, within(10 * error + 0.005));
      }
    }
  }
}
