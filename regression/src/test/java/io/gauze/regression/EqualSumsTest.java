package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.GaussianDp;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two sets of 4,400 rows whose releases have one law, and whose slopes are far apart. In both, 400
 * rows are shortened to a half. In one of them, the slope of these rows is another one than that of
 * the short rows. So no rule that reads a release can tell what shortening does to a slope.
 */
class EqualSumsTest {
  private static final double INTERCEPT = 0.1;
  private static final double BOUND = 0.5;
  private static final double RESPONSE_BOUND = 0.36;

  /** The squared length without the intercept of a row that is shortened to a half. */
  private static final double LONG = 4 * BOUND * BOUND - INTERCEPT * INTERCEPT;

  /** Half of so many rows are this row, and half of them its negative. */
  private record Kind(double x, double y, int rows) {}

  /** A slope of 1 where rows are short, and none in long rows. */
  private static List<Kind> bent() {
    double x = Math.sqrt(0.06);
    return List.of(new Kind(x, x, 4000), new Kind(Math.sqrt(LONG), 0, 400));
  }

  /**
   * One slope in all rows, with the sums of the others. A long row counts for a quarter in them.
   *
   * @param apart whether only the feature decides whether a row is shortened
   */
  private static List<Kind> straight(boolean apart) {
    double squares = 4000 * 0.06 + 100 * LONG;
    double products = 4000 * 0.06;
    double slope = products / squares;
    double longSquare = apart ? LONG : LONG / (1 + slope * slope);
    double x = Math.sqrt((squares - 100 * longSquare) / 4000);
    double residual = Math.sqrt((products - slope * slope * squares) / 4000);
    double longX = Math.sqrt(longSquare);
    return List.of(
        new Kind(x, slope * x + residual, 2000),
        new Kind(x, slope * x - residual, 2000),
        new Kind(longX, slope * longX, 400));
  }

  private static RowSchema schema(boolean apart) {
    double bound = apart ? Math.hypot(BOUND, RESPONSE_BOUND) : BOUND;
    RowSchema schema =
        RowSchema.of(
            List.of(new NumericColumn("x", -1, 1), new NumericColumn("y", -1, 1)),
            INTERCEPT,
            bound,
            MissingValues.REJECT);
    return apart ? schema.withResponses(new ResponseBound(List.of("y"), RESPONSE_BOUND)) : schema;
  }

  @ParameterizedTest(name = "the response apart: {0}")
  @ValueSource(booleans = {false, true})
  void aReleaseDoesNotTellWhatShorteningDoes(boolean apart) throws RowRejectedException {
    RowSchema schema = schema(apart);
    double[] bent = sums(bent(), schema);
    double[] straight = sums(straight(apart), schema);
    double sigma =
        Math.sqrt(2.0) * schema.rowBound() * schema.rowBound() / GaussianDp.mu(1.0, 1e-6);
    for (int i = 0; i < bent.length; i++) { // but for what the grid rounds
      assertThat(bent[i]).as("sum %s", i).isCloseTo(straight[i], within(0.02 * sigma));
    }

    double bentSlope = slope(bent());
    double straightSlope = slope(straight(apart));
    assertThat(bentSlope).isCloseTo(0.377, within(1e-3));
    assertThat(straightSlope).isCloseTo(0.708, within(1e-3));

    RegressionProblem problem =
        new RegressionProblem(schema.encodedNames(), 2, List.of(0, 1), Loss.SQUARED, Penalty.AUTO)
            .withLambda(0.0);
    FitInput release =
        new ReleasedMoments(SymmetricMatrix.ofUpperTriangle(3, bent), sigma, INTERCEPT);
    Fit fit = ((FitOutcome.Fitted) Regression.fit(release, problem)).fit();
    double noise = Math.sqrt(fit.privacyCovariance().get(1, 1));
    assertThat(fit.coefficients().get(1)).isCloseTo(straightSlope, within(noise));
    assertThat(noise).isLessThan(0.025 * (straightSlope - bentSlope));
  }

  private static double slope(List<Kind> rows) {
    double products = 0.0;
    double squares = 0.0;
    for (Kind row : rows) {
      products += row.rows() * row.x() * row.y();
      squares += row.rows() * row.x() * row.x();
    }
    return products / squares;
  }

  /** The sums that a sketch keeps: products of the shortened rows. */
  private static double[] sums(List<Kind> rows, RowSchema schema) throws RowRejectedException {
    RowEncoder encoder = new RowEncoder(schema);
    EncodedRow row = new EncodedRow(schema.dimension());
    double[] sums = new double[6];
    for (Kind kind : rows) {
      for (int sign = -1; sign <= 1; sign += 2) {
        encoder.begin();
        encoder.number(0, sign * kind.x());
        encoder.number(1, sign * kind.y());
        encoder.encode(row);
        int at = 0;
        for (int i = 0; i < 3; i++) {
          for (int j = i; j < 3; j++) {
            double step = schema.grid().step();
            sums[at++] += 0.5 * kind.rows() * (row.values()[i] * step) * (row.values()[j] * step);
          }
        }
      }
    }
    return sums;
  }
}
