package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fits say how much shortening took off the rows, which no standard error shows. */
class ClippingTest {
  private static final double ROWS = 10_000;
  private static final RowSchema TOGETHER =
      RowSchema.of(
          List.of(
              new NumericColumn("x", -1, 1),
              new NumericColumn("y", -1, 1),
              new NumericColumn("z", -1, 1)),
          0.5,
          1.0,
          MissingValues.REJECT);
  private static final RowSchema LOOSE = RowSchema.of(TOGETHER.columns(), 0.5);

  /** Independent columns; x explains a quarter of y. */
  private static ReleasedMoments release(double sigma) {
    double[] upper = {0.25, 0, 0, 0, 0.2, 0.1, 0, 0.2, 0, 0.2};
    for (int i = 0; i < upper.length; i++) {
      upper[i] *= ROWS;
    }
    return new ReleasedMoments(SymmetricMatrix.ofUpperTriangle(4, upper), sigma, 0.5);
  }

  /** The same of rows that lost this weight, measured with this noise. */
  private static ReleasedMoments cut(double lost, double deviation) {
    return cut(lost, deviation, TOGETHER);
  }

  private static ReleasedMoments cut(double lost, double deviation, RowSchema schema) {
    return release(1).with(lost(lost, deviation, 0.5, schema));
  }

  private static ReleasedMoments.LostWeight lost(
      double lost, double deviation, double constant, RowSchema schema) {
    return new ReleasedMoments.LostWeight(
        lost, deviation * deviation, constant, schema.rowBound(), CutRows.Limits.of(schema));
  }

  private static Fit fit(FitInput input, RowSchema schema) {
    RegressionProblem problem = RegressionProblem.of(schema, "y");
    return ((FitOutcome.Fitted) Regression.fit(input, problem)).fit();
  }

  @Test
  void littleThatWasCutIsToldAsAShareOnly() {
    FitInput input = cut(100, 10);
    Fit fit = fit(input, TOGETHER);
    assertThat(fit.warnings()).isEmpty();
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.GOOD);
    FitSummary.Estimate shortened = input.summary(fit).shortened().orElseThrow();
    assertThat(shortened.value()).isCloseTo(100.0 / 10_100, within(1e-12));
    double weight = 100.0 / 10_100; // 4 rows is sigma over c0^2, of the weight that is left
    assertThat(shortened.privacyError())
        .isCloseTo(Math.hypot((1.0 - weight) * 10, weight * 4) / 10_100, within(1e-12));
    assertThat(input.summary(fit).rSquared().reason()).isEmpty();
  }

  @Test
  void muchThatWasCutIsSaidAndNeverGood() {
    FitInput input = cut(300, 10);
    Fit fit = fit(input, TOGETHER);
    assertThat(Said.of(FitMessage.SHORTENED, fit)).singleElement().asString().contains("2.9 %");
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.DOUBTFUL);
    assertThat(fit.withheld()).isEmpty();
    assertThat(input.summary(fit).residualScale().reason()).isPresent();
  }

  @Test
  void ofRowsThatLostATenthThereAreNoErrors() {
    Fit fit = fit(cut(1_500, 10), TOGETHER);
    assertThat(Said.by(fit)).containsExactly(FitMessage.SHORTENED);
    assertThat(fit.withheld()).hasSize(4 - 1);
    assertThat(fit.sets()).isEmpty();
  }

  /** Twice the deviation is above 2 %: nothing that is lost would be seen. */
  @Test
  void countsThatNoiseHidesAreSaidAndNeverGood() {
    FitInput input = cut(0, 150);
    Fit fit = fit(input, TOGETHER);
    assertThat(Said.by(fit)).containsExactly(FitMessage.UNCOUNTED);
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.DOUBTFUL);
    assertThat(input.summary(fit).shortened().orElseThrow().reason()).isPresent();
    Fit surely = fit(cut(1_000, 150), TOGETHER);
    assertThat(Said.by(surely)).as("9 %, whatever noise hides").contains(FitMessage.SHORTENED);
  }

  /** The longest row that the ranges allow loses less than 2 %, so noise hides nothing. */
  @Test
  void whatTheRowBoundRulesOutIsNotSaid() {
    double bound = 0.995 * LOOSE.rowBound();
    RowSchema nearly = RowSchema.of(TOGETHER.columns(), 0.5, bound, MissingValues.REJECT);
    assertThat(nearly.largestCut()).isCloseTo(1.0 - 0.995 * 0.995, within(1e-12));
    FitInput input = cut(150, 150, nearly);
    Fit fit = fit(input, nearly);
    assertThat(fit.warnings()).isEmpty();
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.GOOD);
    FitSummary.Estimate shortened = input.summary(fit).shortened().orElseThrow();
    assertThat(shortened.value()).isEqualTo(nearly.largestCut());
    assertThat(shortened.privacyError()).isLessThanOrEqualTo(nearly.largestCut());
    assertThat(input.summary(fit).rSquared().reason()).isEmpty();
    FitInput hidden = cut(-150, 150, nearly);
    assertThat(hidden.summary(fit).shortened().orElseThrow().value()).isZero();
  }

  /** The longest row loses 3 %: errors are still those of these rows, whatever noise hides. */
  @Test
  void whatIsHiddenIsAtMostWhatTheRowBoundAllows() {
    double bound = 0.985 * LOOSE.rowBound();
    RowSchema nearly = RowSchema.of(TOGETHER.columns(), 0.5, bound, MissingValues.REJECT);
    Fit fit = fit(cut(0, 1_500, nearly), nearly);
    assertThat(Said.by(fit)).containsExactly(FitMessage.UNCOUNTED);
    assertThat(fit.withheld()).isEmpty();
    assertThat(fit(cut(0, 1_500), TOGETHER).withheld()).isNotEmpty();
  }

  /** A response at its bound is taken for the end of its range. */
  @Test
  void whatResponsesLostIsToldAsTheMost() {
    RowSchema apart = TOGETHER.withResponses(new ResponseBound(List.of("y"), 0.5));
    assertThat(fit(cut(300, 10, apart), apart).warnings())
        .singleElement()
        .extracting(Message::text)
        .asString()
        .contains("took off at most 2.9 %")
        .contains("Raise rowBound or epsilon, or");
    assertThat(Said.of(FitMessage.SHORTENED, fit(cut(300, 10), TOGETHER)))
        .singleElement()
        .asString()
        .contains("took off about 2.9 %");
  }

  @Test
  void responsesLoseTheirPartBesideTheOthers() {
    ResponseBound bound = new ResponseBound(List.of("y"), 0.8);
    assertThat(TOGETHER.withResponses(bound).largestCut()).isEqualTo(1.0);
    RowSchema wider = RowSchema.of(TOGETHER.columns(), 0.5, 1.6, MissingValues.REJECT);
    assertThat(wider.withResponses(bound).largestCut())
        .as("two features and the constant, and the response")
        .isCloseTo((1.0 - (1.6 * 1.6 - 0.64) / 2.25) + (1.0 - 0.64), within(1e-12));
    assertThat(LOOSE.largestCut()).isZero();
  }

  /** Less is measured, but within two deviations it may be more than 2 %. */
  @Test
  void whatMayBeMuchIsNotGood() {
    FitInput input = cut(150, 40);
    Fit fit = fit(input, TOGETHER);
    assertThat(Said.by(fit)).containsExactly(FitMessage.UNCOUNTED);
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.DOUBTFUL);
    assertThat(input.summary(fit).shortened().orElseThrow().reason()).isEmpty();
    assertThat(FitQuality.of(cut(150, 20), fit)).isEqualTo(FitQuality.GOOD);
    assertThat(FitQuality.of(cut(Double.NaN, 20), fit)).isEqualTo(FitQuality.DOUBTFUL);
  }

  /** Noise alone is not taken for squares that are missing. */
  @Test
  void squaresAreWithheldIfSomeAreMissingForSure() {
    FitInput input = cut(100, 49);
    assertThat(input.summary(fit(input, TOGETHER)).rSquared().reason()).isEmpty();
    FitInput sure = cut(190, 1);
    assertThat(sure.summary(fit(sure, TOGETHER)).rSquared().reason()).isPresent();
  }

  /** With a constant of 64 steps a row may have lost 3 % without a trace. */
  @Test
  void whatASmallConstantHidesIsNotGood() {
    double constant = 64 * 0x1p-15;
    double[] upper = {constant * constant, 0, 0, 0, 0.2, 0.1, 0, 0.2, 0, 0.2};
    for (int i = 0; i < upper.length; i++) {
      upper[i] *= 1e9;
    }
    SymmetricMatrix moments = SymmetricMatrix.ofUpperTriangle(4, upper);
    FitInput input =
        new ReleasedMoments(moments, 1.0, constant).with(lost(0.0, 1.0, constant, TOGETHER));
    Fit fit = fit(input, TOGETHER);
    assertThat(Said.by(fit)).contains(FitMessage.UNCOUNTED);
    assertThat(FitQuality.of(input, fit)).isNotEqualTo(FitQuality.GOOD);
  }

  @Test
  void lostWeightOfMergedReleasesAddsUp() {
    ReleasedMoments merged = cut(100, 30).plus(cut(300, 40));
    assertThat(merged.lost().orElseThrow()).isEqualTo(lost(400, 50, 0.5, TOGETHER));
    assertThat(cut(0, 1).plus(release(1)).cut()).isEmpty();
  }

  @Test
  void aReleaseThatDoesNotTellIsNeverGood() {
    FitInput input = release(1);
    Fit fit = fit(input, TOGETHER);
    assertThat(Said.by(fit)).containsExactly(FitMessage.LONG);
    assertThat(FitQuality.of(input, fit)).isEqualTo(FitQuality.DOUBTFUL);
    Fit loose = fit(input, LOOSE);
    assertThat(loose.warnings()).isEmpty();
    assertThat(FitQuality.of(input, loose)).isEqualTo(FitQuality.GOOD);
  }

  @Test
  void ofAResponseClippedApartTheFeaturesHaveTheBound() {
    RowSchema apart = TOGETHER.withResponses(new ResponseBound(List.of("y"), 0.5));
    Clipping clipping = Clipping.of(apart);
    assertThat(clipping.bound()).isEqualTo(Math.sqrt(0.75));
    assertThat(clipping.responses()).containsExactly(2);
    assertThat(Clipping.of(LOOSE)).isEqualTo(Clipping.UNKNOWN);
    RowSchema responseAlone =
        RowSchema.of(TOGETHER.columns(), 0.5, LOOSE.rowBound(), MissingValues.REJECT)
            .withResponses(new ResponseBound(List.of("y"), 0.5));
    assertThat(Clipping.of(responseAlone).isBounded()).as("responses are shortened").isTrue();
  }
}
