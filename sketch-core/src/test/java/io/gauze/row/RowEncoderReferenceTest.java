package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoding of real data against the design matrices that other software computed. */
class RowEncoderReferenceTest {

  @ParameterizedTest
  @ValueSource(strings = {"wine_white", "wine_red", "adult_hours", "diamonds", "california"})
  void equalsTheReferenceDesign(String name) throws IOException, RowRejectedException {
    ReferenceTask task = new ReferenceTask(name);
    RowSchema schema =
        RowSchema.of(
            task.columns, 1.0, RowSchema.largestNorm(task.columns, 1.0), MissingValues.REJECT);
    RowEncoder encoder = new RowEncoder(schema);
    Totals totals = new Totals(schema);
    task.forEachRow(schema, encoder, totals::add);

    JsonNode check = task.answers.get("check");
    int n = task.answers.get("n").intValue();
    assertThat(totals.rows).isEqualTo(n);
    assertThat(totals.first).isEqualTo(steps(schema, check, "first_design_row", "first_y"));
    assertThat(totals.last).isEqualTo(steps(schema, check, "last_design_row", "last_y"));
    assertThat(encoder.clipped()).isZero();
    // each entry is at most a step nearer to zero than the reference's
    double step = schema.grid().step();
    double norm = check.get("max_row_norm_incl_intercept_and_y").doubleValue();
    assertThat(Math.sqrt((double) totals.largestSquare) * step)
        .isBetween(norm - Math.sqrt(schema.dimension()) * step, norm);
    List<JsonNode> meta = task.meta();
    for (int c = 0; c < meta.size(); c++) {
      double sum = meta.get(c).get("design_sum").doubleValue();
      double square = meta.get(c).get("design_sum_sq").doubleValue();
      assertThat(totals.sums[c + 1] * step).isCloseTo(sum, within(n * step));
      assertThat(totals.squares[c + 1] * step * step)
          .isBetween(square - 2 * n * step, square + 1e-6);
      long clamped =
          meta.get(c).get("clamped_low").longValue() + meta.get(c).get("clamped_high").longValue();
      assertThat(encoder.clamped(c)).isEqualTo(clamped);
    }
  }

  /** The reference's doubles on the grid, toward zero. */
  private static int[] steps(RowSchema schema, JsonNode check, String row, String response) {
    List<Double> design = new ArrayList<>();
    check.get(row).forEach(value -> design.add(value.doubleValue()));
    design.add(check.get(response).doubleValue());
    return design.stream().mapToInt(z -> (int) (z / schema.grid().step())).toArray();
  }

  /** 2.5 is below the largest norm of the data, 2.705: some rows are clipped, none is longer. */
  @Test
  void clipsTheLongRowsOfTheWines() throws IOException, RowRejectedException {
    ReferenceTask task = new ReferenceTask("wine_white");
    RowSchema wide =
        RowSchema.of(
            task.columns, 1.0, RowSchema.largestNorm(task.columns, 1.0), MissingValues.REJECT);
    List<Double> norms = new ArrayList<>();
    task.forEachRow(wide, new RowEncoder(wide), r -> norms.add(norm(wide, r)));

    RowSchema tight = RowSchema.of(task.columns, 1.0, 2.5, MissingValues.REJECT);
    RowEncoder encoder = new RowEncoder(tight);
    List<Double> clipped = new ArrayList<>();
    task.forEachRow(tight, encoder, r -> clipped.add(norm(tight, r)));

    double slack = Math.sqrt(tight.dimension()) * tight.grid().step();
    long surely = norms.stream().filter(norm -> norm > 2.5).count();
    long perhaps = norms.stream().filter(norm -> norm > 2.5 - slack).count();
    assertThat(surely).isPositive();
    assertThat(encoder.clipped()).isBetween(surely, perhaps);
    assertThat(clipped).allMatch(norm -> norm <= 2.5);
    assertThat(clipped.stream().filter(norm -> norm > 2.5 - slack).count())
        .isGreaterThanOrEqualTo(encoder.clipped());
  }

  private static double norm(RowSchema schema, EncodedRow row) {
    double square = Arrays.stream(row.values()).mapToDouble(v -> (double) v * v).sum();
    return Math.sqrt(square) * schema.grid().step();
  }

  /** The published slopes of the white wines: alcohol 0.19348, density -150.28. */
  @Test
  void referenceCoefficientsInTheUsersUnits() throws IOException {
    ReferenceTask task = new ReferenceTask("wine_white");
    RowSchema schema =
        RowSchema.of(
            task.columns, 1.0, RowSchema.largestNorm(task.columns, 1.0), MissingValues.REJECT);
    int response = schema.encodedIndex("quality");
    UserUnits units = UserUnits.of(schema, response, IntStream.range(0, response).toArray());
    List<Double> encoded = new ArrayList<>();
    task.answers.at("/solutions/ols/coef").forEach(b -> encoded.add(b.doubleValue()));
    double[] user = units.coefficients(encoded.stream().mapToDouble(Double::doubleValue).toArray());
    assertThat(user[units.names().indexOf("alcohol")]).isCloseTo(0.19348, within(5e-6));
    assertThat(user[units.names().indexOf("density")]).isCloseTo(-150.28, within(5e-3));
    assertThat(user[units.names().indexOf("volatile acidity")]).isCloseTo(-1.8632, within(5e-5));
    assertThat(units.responseScale()).isEqualTo(task.answers.get("response_scale").doubleValue());
  }

  /** First and last row, sums and the largest norm of what was encoded. */
  private static final class Totals {
    final long[] sums;
    final long[] squares;
    int rows;
    long largestSquare;
    int[] first = {};
    int[] last = {};

    Totals(RowSchema schema) {
      sums = new long[schema.dimension()];
      squares = new long[schema.dimension()];
    }

    void add(EncodedRow row) {
      last = row.values().clone();
      if (rows++ == 0) {
        first = last;
      }
      long square = 0;
      for (int i = 0; i < last.length; i++) {
        sums[i] += last[i];
        squares[i] += (long) last[i] * last[i];
        square += (long) last[i] * last[i];
      }
      largestSquare = Math.max(largestSquare, square);
    }
  }
}
