package io.gauze.regression;

import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How the rows of a release were clipped, and whether that biases a fit. Rows that are shortened
 * together with the response have a weight that depends on it, which draws slopes toward 0 however
 * many rows there are.
 *
 * @param bound the largest norm of the features, or of the whole row if responses is empty;
 *     infinite if unknown
 * @param responses the encoded columns that are clipped apart from the features
 * @param ranges of the entries of a row; empty if unknown
 * @param longest the norm of the longest row, without the responses; infinite if unknown
 */
public record Clipping(
    double bound, List<Integer> responses, List<EntryRange> ranges, double longest) {
  /** The clipping of rows whose bound is unknown, or that no row exceeds. */
  static final Clipping UNKNOWN = new Clipping(Double.POSITIVE_INFINITY, List.of());

  /**
   * The share of the squared bound from which on many rows were probably shortened. Where columns
   * are skewed, 19 % were at .77, a slope came out a fifth too small, and its interval missed.
   */
  private static final double MANY = 0.7;

  /**
   * What clipping costs where it clips many rows and features explain nothing, as a relative
   * excess, divided by how far the logarithm of the least weight of a row is below 0. A release
   * does not show it: it was right within a factor of 3 for 29 of 36 fits of ten data sets.
   */
  private static final double OFTEN = 3e-4;

  /** So many deviations beyond the mean of squared norms, clipping costs half of that. */
  private static final double HALF = 3.0;

  /** What clipping costs if the rows' squares are not known. */
  private static final double UNKNOWN_COST = 3e-5;

  /** Below such an excess, clipping can be most of the error. */
  private static final double DOUBTFUL = 9e-4;

  /** Copies the lists. */
  public Clipping {
    responses = List.copyOf(responses);
    ranges = List.copyOf(ranges);
  }

  /** Creates clipping of rows the ranges of whose entries are not known. */
  public Clipping(double bound, List<Integer> responses) {
    this(bound, responses, List.of(), Double.POSITIVE_INFINITY);
  }

  static Clipping of(RowSchema schema) {
    ResponseBound apart = schema.responses();
    if (schema.rowBound() >= schema.largestNorm()) {
      return UNKNOWN; // no row was clipped
    }
    List<Integer> indexes = new ArrayList<>();
    double longest = schema.intercept() * schema.intercept();
    for (int c = 0; c < schema.columns().size(); c++) {
      double end = schema.factor(c) * schema.factor(c);
      boolean isApart = apart.columns().contains(schema.columns().get(c).name());
      longest += isApart ? 0.0 : end;
      for (int i = 0; i < schema.columns().get(c).width(); i++) {
        if (isApart) {
          indexes.add(schema.offset(c) + i);
        }
      }
    }
    return new Clipping(
        apart.ofFeatures(schema.rowBound()), indexes, EntryRange.of(schema), Math.sqrt(longest));
  }

  /** Returns the clipping of the same rows, where a release does not have all of their squares. */
  Clipping withoutSquares() {
    return new Clipping(bound, List.of());
  }

  /** Returns what clipping costs, as a relative excess, where the rows' squares are not known. */
  double excess() {
    return Double.isFinite(bound) ? UNKNOWN_COST : 0.0;
  }

  // A clipped row has the weight (bound / norm)^2. Unequal weights move a fit by the part of the
  // response that is not linear, which is a part of its variance, and the more the smaller weights
  // can be. Squared norms have longer tails than a normal law, so the cost falls with a power of
  // the distance between their mean and the bound: the fourth fits the reference data.
  /**
   * Returns what clipping is expected to cost, as a relative excess where the features explain
   * nothing: 0 if no row can be clipped. It can be a few times that, or hardly anything.
   */
  double excess(NoisyMomentsInput input) {
    if (!Double.isFinite(bound) || ranges.size() != input.dimension()) {
      return excess();
    }
    double often = OFTEN * 2.0 * Math.log(longest / bound);
    double distance =
        SquaredNorms.of(input, this).deviations(bound * bound, longest * longest) / HALF;
    return distance > 0.0 ? often / (1.0 + Math.pow(distance, 4.0)) : often; // NaN: no rows
  }

  /** Returns a warning if clipping may be most of the error of a fit with this predicted excess. */
  Optional<String> doubt(double expected) {
    return Double.isFinite(bound) && expected < DOUBTFUL
        ? Optional.of(
            "the noise is small, and what it costs that rows longer than the row bound are shortened"
                + " is only guessed, in the predicted excess and in standard errors of coefficients:"
                + " where columns have long tails it can be many times as much and intervals can miss,"
                + " and R squared and the residual scale are those of the shortened rows; a new stream"
                + " with a larger rowBound has less of it, or one with the logarithm of a column whose"
                + " effects multiply, such as a cost")
        : Optional.empty();
  }

  /**
   * Returns a warning if many of the rows of a release were probably shortened together with the
   * response.
   *
   * @param response the encoded column that is explained
   */
  Optional<String> warning(NoisyMomentsInput input, int response) {
    if (responses.contains(response) || !Double.isFinite(bound)) {
      return Optional.empty();
    }
    NoisyDiagonal diagonal = NoisyDiagonal.of(input, responses);
    double share = diagonal.meanSquare() / (bound * bound);
    double deviation = diagonal.deviation() / (bound * bound);
    return diagonal.countsRows() && share - 2.0 * deviation > MANY
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the mean square of the rows is %.0f %% of the square of the bound to which they were"
                    + " clipped: many were probably shortened, which draws slopes toward 0 and makes the number"
                    + " of rows and the residual scale too small, and no standard error or interval shows"
                    + " it; name the response in the config of a new stream, or raise rowBound there",
                100.0 * Math.min(1.0, share)))
        : Optional.empty();
  }
}
