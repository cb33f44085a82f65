package io.gauze.regression;

import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.row.RowSchema;
import java.util.Optional;

/**
 * How much of the rows was cut off by shortening them, as noisy counts of a release measure it. A
 * row that keeps the part f of its length has the weight f² in second moments.
 *
 * @param rows the number of rows of which that is known
 * @param hidden the number of others that may have lost all of theirs, since noise hides it; may be
 *     negative, which means 0
 * @param weight the part of the weight of the known rows that was cut off, in [0, 1]
 * @param deviation the standard deviation of its noise
 * @param squares the part of these rows' squared norms that was cut off, in [0, 1]
 * @param limits what is public of it
 */
public record CutRows(
    double rows, double hidden, double weight, double deviation, double squares, Limits limits) {
  /**
   * What is public of how rows are shortened.
   *
   * @param most the largest part of a row's weight that can be cut off, in [0, 1]
   * @param isAssumed whether some rows are taken to have lost the most that their ranges allow
   * @param hasRowBound whether rows are shortened to the bound of the schema, not to one that is
   *     chosen from their norms
   */
  public record Limits(double most, boolean isAssumed, boolean hasRowBound) {
    /** Rows of any length, shortened to a bound that is chosen from their norms. */
    public static final Limits CHOSEN = new Limits(1.0, false, false);

    /** The limits of rows of a schema that are shortened to its bound. */
    public static Limits of(RowSchema schema) {
      return new Limits(schema.largestCut(), schema.shortensResponses(), true);
    }
  }

  /** Creates what was cut off rows that can have any length. */
  public CutRows(double rows, double hidden, double weight, double deviation, double squares) {
    this(rows, hidden, weight, deviation, squares, Limits.CHOSEN);
  }

  /** Returns a copy of which no part is larger than these limits allow. */
  public CutRows within(Limits others) {
    double most = others.most();
    return new CutRows(
        rows,
        hidden,
        Math.min(weight, most),
        Math.min(deviation, most),
        Math.min(squares, most),
        others);
  }

  /**
   * If a larger part of the weight was cut off, or may have been, it is told, and no fit is good;
   * of squares, they are not known.
   */
  private static final double TOLD = 0.02;

  /** If a larger part of the weight was cut off, intervals would be about other rows. */
  private static final double MOST = 0.1;

  /** Noise hides so many deviations of itself: a one-sided test of level 2.3 %. */
  private static final double HIDDEN = 2.0;

  /**
   * Returns what noisy sums over rows measure.
   *
   * @param left the weight that is left, in rows
   * @param lost the weight that was cut off, in rows
   * @param noise the standard deviations of the noise of both
   * @param rounding the most of a row's weight that is rounded away
   * @param squares the squared norms that are left, in squared bounds: a shortened row is as long
   *     as the bound, so at least its lost weight is missing in them
   */
  // Of the share w = lost / (left + lost): d w = ((1 - w) d lost - w d left) / rows. If twice the
  // noise of what is left exceeds it, there may be hardly any rows, and nothing is known.
  public static CutRows measured(
      double left, double lost, Deviations noise, double rounding, double squares) {
    double cut = Math.max(0.0, lost);
    double rows = left + cut;
    if (!(left > HIDDEN * noise.left())) {
      return new CutRows(0.0, Math.max(1.0, HIDDEN * noise.lost()), 0.0, 0.0, 0.0);
    }
    double weight = cut / rows;
    double deviation = Math.hypot((1.0 - weight) * noise.lost(), weight * noise.left());
    double surely = Math.max(0.0, lost - HIDDEN * noise.lost());
    return new CutRows(
        rows,
        HIDDEN * deviation + rounding * rows,
        weight,
        deviation / rows,
        surely / (surely + Math.max(0.0, squares)));
  }

  /**
   * The standard deviations of noisy weights, in rows.
   *
   * @param left of the weight that is left
   * @param lost of the weight that was cut off
   */
  public record Deviations(double left, double lost) {}

  /** Returns what was cut off the rows of both: means by the numbers of rows. */
  public CutRows plus(CutRows other) {
    double all = rows + other.rows;
    double part = all > 0.0 ? rows / all : 1.0;
    return new CutRows(
        all,
        hidden + other.hidden,
        part * weight + (1.0 - part) * other.weight,
        Math.hypot(part * deviation, (1.0 - part) * other.deviation),
        part * squares + (1.0 - part) * other.squares,
        limits);
  }

  /** The part of the weight of which nothing is known, in [0, 1]; the most without rows. */
  private double unknown() {
    double others = Math.max(0.0, hidden);
    return Math.min(limits.most(), rows > 0.0 ? others / (rows + others) : 1.0);
  }

  /** Whether so much was cut that a fit of the rows as they were may be another one. */
  boolean isMuch() {
    return !(Math.min(limits.most(), weight + unknown()) <= TOLD);
  }

  /** Whether more than is told was cut for sure, whatever noise hides. */
  private boolean isSurelyMuch() {
    return weight - HIDDEN * deviation > TOLD;
  }

  // If no count is clear, rows are shortened to the least bound.
  /** Whether so much was cut that intervals would be about other rows. */
  boolean isMost() {
    return weight > MOST || unknown() > MOST;
  }

  /** Whether so much was cut that sums of squares, such as those of residuals, are not known. */
  public boolean hidesSquares() {
    return squares > TOLD || unknown() > TOLD;
  }

  /** The part of the weight that was cut off, withheld where noise hides how long rows are. */
  public FitSummary.Estimate shortened() {
    return unknown() > TOLD && !isSurelyMuch()
        ? FitSummary.Estimate.withheld("noise hides how long the rows are")
        : new FitSummary.Estimate(weight, 0.0, deviation, Optional.empty());
  }

  /** A message if much was cut, or may have been. */
  Optional<Message> warning() {
    if (!isMuch()) {
      return Optional.empty();
    }
    boolean isTold = isSurelyMuch() || (weight > TOLD && unknown() <= TOLD);
    return Optional.of(
        isTold
            ? FitMessage.SHORTENED.of(
                limits.isAssumed() ? "at most" : "about",
                100.0 * weight,
                100.0 * deviation,
                limits.hasRowBound() ? "rowBound or epsilon" : "epsilon")
            : FitMessage.UNCOUNTED.of());
  }
}
