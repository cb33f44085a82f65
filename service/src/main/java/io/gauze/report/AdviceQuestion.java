package io.gauze.report;

import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.Loss;
import io.gauze.row.Grid;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A question for the mechanism to take.
 *
 * @param loss what is to be fitted: ridge, lad or logistic
 * @param rows the rows expected in an epoch and group; empty: those that the stream expects
 * @param epsilon of the whole budget; empty: that of the stream
 * @param error a predicted excess that is wanted; empty: none
 * @param explained a public guess of the share of the response's variance that features explain
 * @param all whether the advice is on all mechanisms, not only on those that people should take and
 *     those that the stream names
 */
public record AdviceQuestion(
    String loss,
    OptionalLong rows,
    OptionalDouble epsilon,
    Optional<Wanted> error,
    double explained,
    boolean all) {
  /** The share of the response's variance that is assumed if none is given. */
  public static final double USUAL_EXPLAINED = AssumedDataModel.EXPLAINED;

  /**
   * A wanted predicted excess.
   *
   * @param share in (0, 1)
   * @param label the same for people, such as 1 %
   */
  public record Wanted(double share, String label) {}

  /**
   * Checks loss and rows.
   *
   * @throws IllegalArgumentException if one of them is not allowed; the message begins with its
   *     name
   */
  public AdviceQuestion {
    if (!loss.equals("ridge") && !loss.equals("lad") && !loss.equals("logistic")) {
      throw new IllegalArgumentException(
          "loss must be ridge, lad or logistic. Provided value: " + loss);
    }
    if (rows.isPresent() && (rows.getAsLong() < 1 || rows.getAsLong() > Grid.MAX_ROWS)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rows must be in [1, %d]. Provided value: %d",
              Grid.MAX_ROWS,
              rows.getAsLong()));
    }
  }

  /** The loss as the library names it. */
  Loss kind() {
    return switch (loss) {
      case "ridge" -> Loss.SQUARED;
      case "lad" -> Loss.ABSOLUTE;
      default -> Loss.LOGISTIC;
    };
  }
}
