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
 * @param rows the number of rows whose norms are known
 * @param hidden that of the others, whose counts noise hides; as the moments have it, so it may be
 *     negative
 * @param weight the part of the weight of the known rows that was cut off, in [0, 1]
 * @param deviation the standard deviation of its noise
 * @param squares the part of these rows' squared norms that was cut off, in [0, 1]
 */
record CutRows(double rows, double hidden, double weight, double deviation, double squares) {
  /**
   * If a larger part of the weight was cut off, or may have been, it is told, and no fit is good;
   * of squares, they are not known.
   */
  private static final double TOLD = 0.02;

  /** If a larger part of the weight was cut off, intervals would be about other rows. */
  private static final double MOST = 0.1;

  /**
   * Reads counts.
   *
   * @param rows their number, as the moments have it
   * @param bound the squared bound, in the unit of the counts' cells
   */
  static CutRows of(NormCounts counts, double rows, double bound) {
    return counts.isHidden()
        ? new CutRows(0.0, rows, 0.0, 0.0, 0.0)
        : new CutRows(
            counts.rows(),
            0.0,
            counts.lostWeight(bound),
            counts.lostWeightDeviation(bound),
            counts.lostSquares(bound));
  }

  /** Returns what was cut off the rows of both: means by the numbers of rows. */
  CutRows plus(CutRows other) {
    double all = rows + other.rows;
    double part = all > 0.0 ? rows / all : 1.0;
    return new CutRows(
        all,
        hidden + other.hidden,
        part * weight + (1.0 - part) * other.weight,
        Math.hypot(part * deviation, (1.0 - part) * other.deviation),
        part * squares + (1.0 - part) * other.squares);
  }

  /** The part of the rows of which nothing is known, in [0, 1]; 1 without rows. */
  private double unknown() {
    return rows > 0.0 ? Math.max(0.0, hidden) / (rows + Math.max(0.0, hidden)) : 1.0;
  }

  /** Whether so much was cut that a fit of the rows as they were may be another one. */
  boolean isMuch() {
    return weight > TOLD || unknown() > TOLD;
  }

  // If no count is clear, rows are shortened to the least bound.
  /** Whether so much was cut that intervals would be about other rows. */
  boolean isMost() {
    return weight > MOST || unknown() > MOST;
  }

  /** Whether so much was cut that sums of squares, such as those of residuals, are not known. */
  boolean hidesSquares() {
    return squares > TOLD || unknown() > TOLD;
  }

  /** The part of the weight that was cut off, withheld where noise hides how long rows are. */
  FitSummary.Estimate shortened() {
    return unknown() > TOLD
        ? FitSummary.Estimate.withheld("noise hides how long the rows are")
        : new FitSummary.Estimate(weight, 0.0, deviation, Optional.empty());
  }

  /** A message if much was cut, or may have been. */
  Optional<Message> warning() {
    if (unknown() > TOLD) {
      return Optional.of(FitMessage.UNCOUNTED.of());
    }
    return isMuch()
        ? Optional.of(FitMessage.SHORTENED.of(100.0 * weight, 100.0 * deviation))
        : Optional.empty();
  }
}
