package io.gauze.regression.twostage;

import io.gauze.mechanism.twostage.NormCounts;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.FitSummary;
import java.util.Optional;

/**
 * How much of the rows was cut off by shortening them, as noisy counts of their norms measure it. A
 * row that keeps the part f of its length has the weight f² in second moments. Of the longest rows,
 * which noise hides, it is an assumption: that their numbers fall as before.
 *
 * @param rows the number of rows that were counted
 * @param weight the part of the rows' weight that was cut off, in [0, 1]
 * @param deviation the standard deviation of its noise
 * @param squares the part of the rows' squared norms that was cut off, in [0, 1]
 */
record CutRows(double rows, double weight, double deviation, double squares) {
  /** A larger part of the weight is told, and no fit is good; of squares, they are not known. */
  private static final double TOLD = 0.02;

  /** A larger part of the weight leaves nothing that an interval should be about. */
  private static final double MOST = 0.1;

  /**
   * Reads counts.
   *
   * @param bound the squared bound, in the unit of the counts' cells
   */
  static CutRows of(NormCounts counts, double bound) {
    return new CutRows(
        counts.rows(),
        counts.lostWeight(bound),
        counts.lostWeightDeviation(bound),
        counts.lostSquares(bound));
  }

  /** Returns what was cut off the rows of both: means by the numbers of rows. */
  CutRows plus(CutRows other) {
    double all = rows + other.rows;
    double part = rows / all;
    return new CutRows(
        all,
        part * weight + (1.0 - part) * other.weight,
        Math.hypot(part * deviation, (1.0 - part) * other.deviation),
        part * squares + (1.0 - part) * other.squares);
  }

  /** Whether so much was cut that a fit of the rows as they were may be another one. */
  boolean isMuch() {
    return weight > TOLD;
  }

  /** Whether so much was cut that intervals would be about other rows. */
  boolean isMost() {
    return weight > MOST;
  }

  /** Whether so much was cut that sums of squares, such as those of residuals, are not known. */
  boolean hidesSquares() {
    return squares > TOLD;
  }

  /** The part of the weight that was cut off, withheld where no count stands out. */
  FitSummary.Estimate shortened() {
    return deviation < 1.0
        ? new FitSummary.Estimate(weight, 0.0, deviation, Optional.empty())
        : FitSummary.Estimate.withheld("noise hides how long the rows are");
  }

  /** A message if much was cut. */
  Optional<Message> warning() {
    return isMuch()
        ? Optional.of(FitMessage.SHORTENED.of(100.0 * weight, 100.0 * deviation))
        : Optional.empty();
  }
}
