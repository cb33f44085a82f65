package io.gauze.regression;

import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.row.RowSchema;
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
 */
public record Clipping(double bound, List<Integer> responses) {
  /** The clipping of rows whose bound is unknown, or that no row exceeds. */
  public static final Clipping UNKNOWN = new Clipping(Double.POSITIVE_INFINITY, List.of());

  /** Copies the list. */
  public Clipping {
    responses = List.copyOf(responses);
  }

  static Clipping of(RowSchema schema) {
    if (!schema.shortens()) {
      return UNKNOWN;
    }
    return new Clipping(schema.responses().ofFeatures(schema.rowBound()), schema.responseIndexes());
  }

  /** Whether rows may have been shortened. */
  boolean isBounded() {
    return Double.isFinite(bound);
  }

  /**
   * Returns a warning if shortening may be most of the error of a fit of an input that does not
   * measure it.
   */
  Optional<Message> doubt(FitInput input, Fit fit) {
    boolean isDoubtful =
        input.isShapedByShortening() || fit.predictedExcess() < Tuning.DOUBTFUL_CLIPPING;
    return isBounded() && isDoubtful ? Optional.of(FitMessage.LONG.of()) : Optional.empty();
  }
}
