package io.gauze.regression.twostage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowClipper;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TransformedPayloadFitsTest {
  private static final RowSchema SCHEMA =
      RowSchema.of(
              List.of(
                  new NumericColumn("wide", "wide", 0, 100, 2),
                  new NumericColumn("short", 0, 1),
                  new NumericColumn("y", "y", -1, 5, 0)),
              0.25,
              0.5,
              MissingValues.REJECT)
          .withFactors(List.of(1.0, 0.1, 0.75));

  /** They are the entries that the first moments see of such rows. */
  @Test
  void endsAreThoseOfRowsThatAreShortened() {
    assertEnds(SCHEMA);
    assertEnds(SCHEMA.withResponses(new ResponseBound(List.of("y"), 0.2)));
    assertEnds(SCHEMA.withResponses(new ResponseBound(List.of("wide", "y"), 0.3)));
    RowSchema unshortened =
        RowSchema.of(SCHEMA.columns(), 0.25, SCHEMA.largestNorm(), MissingValues.REJECT);
    assertEnds(unshortened);
    assertThat(TransformedPayloadFits.ends(unshortened)).isEqualTo(DoubleVector.of(0, 1, 1, 1));
  }

  private static void assertEnds(RowSchema schema) {
    RowClipper clipper = RowClipper.of(schema);
    DoubleVector ends = TransformedPayloadFits.ends(schema);
    assertThat(ends.get(0)).isZero();
    for (int k = 1; k < schema.dimension(); k++) {
      double[] row = new double[schema.dimension()];
      row[0] = schema.intercept();
      row[k] = schema.reach(k);
      int[] steps = new int[row.length];
      clipper.clip(row, steps);
      assertThat(ends.get(k))
          .isCloseTo(steps[k] * schema.grid().step(), within(2.0 * schema.grid().step()));
    }
  }
}
