package io.gauze.regression.twostage;

import io.gauze.mechanism.twostage.NormCounts;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import java.util.Optional;

/**
 * How much of the rows was cut off by shortening them, as noisy counts of their norms measure it.
 * Of the longest rows, which noise hides, it is an assumption: that their numbers fall as before.
 *
 * @param rows the number of rows that were counted
 * @param share of the rows' squared norms, in [0, 1]
 * @param deviation the standard deviation of its noise
 * @param excess what cutting is expected to add to the relative excess of a fit
 */
record CutRows(double rows, double share, double deviation, double excess) {
  /** A larger share is told first. */
  private static final double TOLD = 0.02;

  /**
   * Reads counts.
   *
   * @param bound the squared bound, in the unit of the counts' cells
   * @param columns the number of columns
   */
  static CutRows of(NormCounts counts, double bound, int columns) {
    return new CutRows(
        counts.rows(),
        counts.lostSquares(bound),
        counts.lostSquaresDeviation(bound),
        0.5 * counts.costWithTail(bound) * columns);
  }

  /** Returns what was cut off the rows of both: means by the numbers of rows. */
  CutRows plus(CutRows other) {
    double all = rows + other.rows;
    double part = rows / all;
    return new CutRows(
        all,
        part * share + (1.0 - part) * other.share,
        Math.hypot(part * deviation, (1.0 - part) * other.deviation),
        part * excess + (1.0 - part) * other.excess);
  }

  /** Whether so much was cut that sums of squares, such as those of residuals, are not known. */
  boolean hidesSquares() {
    return share > TOLD;
  }

  /** A message if much was cut. */
  Optional<Message> warning() {
    return hidesSquares()
        ? Optional.of(FitMessage.SHORTENED.of(100.0 * share, 100.0 * deviation))
        : Optional.empty();
  }
}
