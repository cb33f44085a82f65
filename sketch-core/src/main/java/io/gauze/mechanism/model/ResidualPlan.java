package io.gauze.mechanism.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.model.ResidualNoise;
import io.gauze.model.track.ResidualFilter;
import io.gauze.row.RowSchema;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * What is expected of the rows of an epoch; guesses from public numbers, which decide predictions
 * and warnings alone.
 *
 * @param rows of an epoch
 * @param square the mean square of a feature
 * @param median of the sizes of residuals, in the encoded scale
 */
public record ResidualPlan(double rows, double square, double median) implements Serializable {
  static final String SQUARE = "featureSquare";
  static final String MEDIAN = "residualMedian";

  private static final double LEAST_SQUARE = 0x1p-20;

  /** Of a normal residual, in root mean squares of the response. */
  private static final double MEDIAN_OF_RESPONSE = 0.6745 * Tuning.RESIDUAL;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is not positive and finite
   */
  public ResidualPlan {
    Checks.positiveFinite("rows", rows);
    Checks.positiveFinite("square", square);
    Checks.positiveFinite("median", median);
  }

  /** Returns what is expected by the schema; rows are scaled down to the bound. */
  static ResidualPlan of(StreamRequest stream, ModelColumns columns, double bound) {
    RowSchema schema = stream.schema();
    DoubleVector squares = ExpectedSquares.of(schema);
    double sum = schema.intercept() * schema.intercept();
    for (int feature : columns.features()) {
      sum += feature == 0 ? 0.0 : squares.get(feature - 1);
    }
    double mean = Math.min(sum, bound * bound) / columns.features().size();
    double response = squares.get(columns.response() - 1);
    return new ResidualPlan(
        stream.expectedRows(),
        Math.max(LEAST_SQUARE, mean),
        MEDIAN_OF_RESPONSE * Math.sqrt(response));
  }

  double variance(ResidualNoise noise) {
    return ResidualFilter.expectedVariance(noise, rows, square, median);
  }

  Map<String, Double> parameters() {
    return Map.of(Mechanism.EXPECTED_ROWS, rows, SQUARE, square, MEDIAN, median);
  }

  /** Warns if the noise of an epoch is larger than what its rows are likely to say. */
  List<Message> warnings(String sketch, ResidualNoise noise) {
    double signal = rows * square;
    double needed = Tuning.LEAST_SIGNAL * noise.hessian() * Math.sqrt(noise.features());
    return signal >= needed
        ? List.of()
        : List.of(
            PlanMessage.DROWNED.of(
                sketch,
                "an epoch",
                signal,
                needed,
                "more rows an epoch, a larger epsilon, or huber-track"));
  }
}
