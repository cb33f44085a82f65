package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.RangeEnd;
import io.gauze.regression.ReferenceDesign;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.Said;
import io.gauze.regression.Simulation;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.regression.strata.ReleasedStrata;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.Grid;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.OrdinalColumn;
import io.gauze.row.RowSchema;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ExponentialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.UniformContinuousDistribution;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Warnings that values crowd at an end of a range: from which share on, and no false alarms. */
final class ClampingCheckTest {
  private static final double INTERCEPT = 0.5;
  private static final double SIGMA = 24.0; // noisy-moments, row bound 2, epsilon 1, delta 1e-6
  private static final int ROWS = 20_000;

  /** One column and a response beside it, 10 to 20. */
  private static final RegressionProblem PROBLEM =
      RegressionProblem.of(
          RowSchema.of(
              List.of(new NumericColumn("x", 10, 20), new NumericColumn("y", 10, 20)), 1.0),
          "y");

  private static DoubleUnaryOperator quantiles(String law) {
    return switch (law) {
      case "uniform" -> UniformContinuousDistribution.of(0, 1)::inverseCumulativeProbability;
      case "bell" -> NormalDistribution.of(0, 1)::inverseCumulativeProbability;
      case "falling" -> ExponentialDistribution.of(1)::inverseCumulativeProbability;
      default -> throw new IllegalArgumentException(law);
    };
  }

  /** Encoded values of a law whose upper end clamps a share; it begins at the lower end. */
  private static double[] clamped(String law, double share) {
    DoubleUnaryOperator quantile = quantiles(law);
    double lower = quantile.applyAsDouble(1e-4);
    double upper = quantile.applyAsDouble(1.0 - share);
    return IntStream.range(0, ROWS)
        .mapToDouble(i -> quantile.applyAsDouble((i + 0.5) / ROWS))
        .map(x -> 2.0 * (Math.min(Math.max(x, lower), upper) - lower) / (upper - lower) - 1.0)
        .toArray();
  }

  /** Moments of x as given and of a y in the middle. */
  private static ExactMoments moments(double... x) {
    ExactMoments moments = ExactMoments.create(3, INTERCEPT);
    Arrays.stream(x).forEach(z -> moments.add(INTERCEPT, z, 0.1 * z));
    return moments;
  }

  private static List<String> crowded(FitInput input, RegressionProblem problem) {
    return Regression.crowdedEnds(input, problem).stream().map(Message::text).toList();
  }

  private static FitInput noisy(ExactMoments moments, SplittableRandom random) {
    return Simulation.release(moments, SIGMA, random);
  }

  /** The shares of the derivation: a ninth, a ninth and a fifth. */
  @ParameterizedTest
  @CsvSource({"uniform, .08, .16", "bell, .07, .15", "falling, .16, .26"})
  void warnsFromAShareOfClampedValuesOn(String law, double few, double many) {
    String upper = "Many values of x lie near the upper end of its range, 20, or were clamped";
    String lower = "Many values of x lie near the lower end of its range, 10, or were clamped";
    double[] z = clamped(law, many);
    double[] mirrored = Arrays.stream(z).map(x -> -x).toArray();

    assertThat(crowded(z)).anyMatch(warning -> warning.startsWith(upper));
    assertThat(crowded(mirrored)).anyMatch(warning -> warning.startsWith(lower));
    assertThat(crowded(clamped(law, few))).noneMatch(warning -> warning.startsWith(upper));
  }

  private static List<String> crowded(double... z) {
    return crowded(noisy(moments(z), new SplittableRandom(1)), PROBLEM);
  }

  @Test
  void warnsWhereAllValuesAreClamped() {
    double[] ones = new double[10 * ROWS];
    Arrays.fill(ones, 1.0);

    assertThat(crowded(ones)).hasSize(1);
  }

  /**
   * The triangular law with its peak at the other end has the ratio of 3/2 exactly, so that any
   * alarm is false: in 2,000 releases at most .07 are expected. FPR: 3 or more, below 1e-4.
   */
  @ParameterizedTest
  @CsvSource({"0, 1", "50, 1", "1000, 1", "20000, 1", "20000, 5000"})
  void noiseIsBlamedForNothing(int rows, int times) {
    double[] triangular =
        IntStream.range(0, rows)
            .mapToDouble(i -> 1.0 - 2.0 * (1.0 - Math.sqrt((i + 0.5) / rows)))
            .toArray();
    SymmetricMatrix once = moments(triangular).moments();
    DMatrixRMaj sums = new DMatrixRMaj(once.dimension(), once.dimension());
    for (int i = 0; i < sums.getNumElements(); i++) {
      sums.set(i, times * once.get(i / sums.numCols, i % sums.numCols));
    }
    ExactMoments moments = ExactMoments.of(SymmetricMatrix.of(sums), INTERCEPT);
    SplittableRandom random = new SplittableRandom(2);
    int alarms = 0;
    for (int i = 0; i < 2_000; i++) {
      alarms += crowded(noisy(moments, random), PROBLEM).size();
    }
    assertThat(alarms).isLessThan(3);
  }

  /** A numeric column with two values is a code, whose range holds all of it. */
  @Test
  void codesOfTwoValuesGiveNoAlarm() {
    double[] code = IntStream.range(0, ROWS).mapToDouble(i -> i % 5 < 2 ? 1.0 : -1.0).toArray();
    double[] withOthers = code.clone();
    for (int i = 0; i < ROWS; i += 10) {
      withOthers[i] = 0.0;
    }

    assertThat(crowded(code)).isEmpty();
    assertThat(crowded(withOthers)).isNotEmpty();
  }

  /** An end of 0 is where amounts end; other kinds of columns have nothing but ends. */
  @Test
  void looksAtEndsThatValuesMayExceed() {
    List<Column> columns =
        List.of(
            new NumericColumn("amount", 0, 20),
            new NumericColumn("price", 300, 20_000),
            new NumericColumn("loss", -20, 0),
            new NumericColumn("age", 16, 100),
            new OrdinalColumn("cut", "cut", Map.of("a", 0.0, "b", 9.0), 0, 9),
            new IndicatorColumn("female", "sex", "Female"),
            new CategoryColumn("region", "region", List.of("n", "s", "e")));

    assertThat(RangeEnd.of(RowSchema.of(columns, 1.0)))
        .containsExactly(
            new RangeEnd(1, true, 20),
            new RangeEnd(2, true, 20_000),
            new RangeEnd(3, false, -20),
            new RangeEnd(4, false, 16),
            new RangeEnd(4, true, 100));
  }

  @Test
  void looksAtColumnsOfTheFitOnly() {
    FitInput input = noisy(moments(clamped("bell", 0.4)), new SplittableRandom(1));
    RegressionProblem without =
        new RegressionProblem(
            PROBLEM.names(),
            2,
            List.of(0),
            PROBLEM.loss(),
            PROBLEM.penalty(),
            PROBLEM.ends(),
            PROBLEM.clipping(),
            false);

    assertThat(crowded(input, without)).isEmpty();
    Fit fit = ((FitOutcome.Fitted) Regression.fit(input, PROBLEM)).fit();
    assertThat(Said.by(fit)).contains(FitMessage.CLAMPED);
    assertThat(Said.of(FitMessage.CLAMPED, fit)).anyMatch(text -> text.contains(" of x lie "));
  }

  /** Of strata all rows together are looked at. */
  @Test
  void strataAreAddedUp() {
    assertThat(crowded(strata(clamped("bell", 0.15)), PROBLEM)).hasSize(1);
    assertThat(crowded(strata(clamped("bell", 0.07)), PROBLEM)).isEmpty();
  }

  private static ReleasedStrata strata(double... z) {
    StratifiedMomentsSpec spec = new StratifiedMomentsSpec(3, 1, 4, new Grid(13));
    double[] values = new double[spec.stateLength()];
    for (int k = 0; k < 4; k++) {
      double from = -1.0 + 0.5 * k;
      double to = k == 3 ? 2.0 : from + 0.5;
      SymmetricMatrix stratum =
          moments(Arrays.stream(z).filter(x -> x >= from && x < to).toArray()).moments();
      int next = k * SymmetricMatrix.length(3);
      for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
          values[next++] = stratum.get(i, j);
        }
      }
    }

    return ReleasedStrata.of(spec, values, 1.0, INTERCEPT);
  }

  /** Public ranges that hold all but 2 % of the values: not one alarm. */
  @ParameterizedTest
  @ValueSource(
      strings = {"california", "diamonds", "wine_white", "wine_red", "flights", "adult_hours"})
  void realDataWithSensibleRangesGiveNoAlarm(String task) throws IOException {
    ReferenceDesign design = new ReferenceDesign(task);

    assertThat(crowded(noisy(design.moments(), new SplittableRandom(1)), problem(design)))
        .isEmpty();
  }

  /** An upper limit of 200,000 clamps 42 % of the prices of houses, one of 250,000 28 %. */
  @ParameterizedTest
  @CsvSource({"200000", "250000"})
  void aRangeThatIsTooNarrowGivesOne(double upper) throws IOException {
    ReferenceDesign design = new ReferenceDesign("california");
    int price = design.names.size() - 1;
    for (double[] row : design.rows) {
      double dollars = 0.5 * (row[price] + 1.0) * 500_001;
      row[price] = 2.0 * Math.min(dollars, upper) / upper - 1.0;
    }

    assertThat(crowded(noisy(design.moments(), new SplittableRandom(1)), problem(design)))
        .singleElement()
        .asString()
        .startsWith("Many values of median_house_value lie near the upper end of its range");
  }

  /** The design's problem, with the ends of its numeric columns. */
  private static RegressionProblem problem(ReferenceDesign design) {
    RegressionProblem problem = design.problem();
    List<RangeEnd> ends = new ArrayList<>();
    for (int c = 1; c < design.names.size(); c++) {
      JsonNode meta =
          c == problem.response()
              ? design.answers.get("response_meta")
              : design.answers.get("predictor_meta").get(c - 1);
      if (!meta.path("kind").asText().equals("indicator") && !meta.path("map").isObject()) {
        NumericColumn column =
            new NumericColumn("c", meta.get("lo").doubleValue(), meta.get("hi").doubleValue());
        for (RangeEnd end : RangeEnd.of(RowSchema.of(List.of(column), 1.0))) {
          ends.add(new RangeEnd(c, end.upper(), end.value()));
        }
      }
    }
    return new RegressionProblem(
        problem.names(),
        problem.response(),
        problem.features(),
        problem.loss(),
        problem.penalty(),
        ends,
        problem.clipping(),
        false);
  }
}
