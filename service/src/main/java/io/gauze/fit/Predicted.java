package io.gauze.fit;

import io.gauze.internal.Checks;
import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The prediction for a row. Errors and ends are NaN if they are withheld; all numbers are NaN for a
 * row that cannot be predicted.
 *
 * @param fit the prediction: of the response in its own unit, or the probability of its label
 * @param stdError of the mean response; of log odds for labels
 * @param samplingError its part that the rows are a sample
 * @param privacyError its part of noise, sketching and ridge
 * @param lower the lower end of the interval
 * @param upper its upper end
 * @param clamped the columns whose value was moved to an end of their range
 */
public record Predicted(
    double fit,
    double stdError,
    double samplingError,
    double privacyError,
    double lower,
    double upper,
    List<String> clamped) {
  /** The prediction for a row that cannot be predicted: all numbers are NaN. */
  static final Predicted NONE =
      new Predicted(
          Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, List.of());

  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  /** Copies the list. */
  public Predicted {
    clamped = List.copyOf(clamped);
  }

  /** Returns how many standard errors the half of an interval has. */
  static double half(double level) {
    return NORMAL.inverseSurvivalProbability(0.5 * (1.0 - Checks.inOpenUnit("level", level)));
  }
}
