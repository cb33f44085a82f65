package io.gauze.regression;

import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
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
  public static final Clipping UNKNOWN = new Clipping(Double.POSITIVE_INFINITY, List.of());

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
  public Clipping withoutSquares() {
    return new Clipping(bound, List.of());
  }

  /** Returns what clipping costs, as a relative excess, where the rows' squares are not known. */
  public double excess() {
    return Double.isFinite(bound) ? Tuning.UNKNOWN_CLIPPING : 0.0;
  }

  /** Returns a warning if clipping may be most of the error of a fit with this predicted excess. */
  Optional<Message> doubt(double expected) {
    return Double.isFinite(bound) && expected < Tuning.DOUBTFUL_CLIPPING
        ? Optional.of(FitMessage.LONG.of())
        : Optional.empty();
  }
}
