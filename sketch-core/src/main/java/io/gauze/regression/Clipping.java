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
 */
public record Clipping(double bound, List<Integer> responses) {
  /** Nothing is known, or no row can be longer. */
  static final Clipping UNKNOWN = new Clipping(Double.POSITIVE_INFINITY, List.of());

  /** The share of the squared bound from which on many rows must have been shortened. */
  private static final double MANY = 0.9;

  /**
   * What clipping costs at least where it clips anything, as a relative excess: a release does not
   * show it. On reference data it was .00002 to .007.
   */
  private static final double LEAST = 3e-5;

  /** Below so many times that excess, clipping can be most of the error. */
  private static final double DOUBTFUL = 30.0;

  /** Copies the responses. */
  public Clipping {
    responses = List.copyOf(responses);
  }

  static Clipping of(RowSchema schema) {
    ResponseBound apart = schema.responses();
    if (schema.rowBound() >= schema.largestNorm()) {
      return UNKNOWN; // no row was clipped
    }
    List<Integer> indexes = new ArrayList<>();
    for (int c = 0; c < schema.columns().size(); c++) {
      if (apart.columns().contains(schema.columns().get(c).name())) {
        for (int i = 0; i < schema.columns().get(c).width(); i++) {
          indexes.add(schema.offset(c) + i);
        }
      }
    }
    return new Clipping(apart.ofFeatures(schema.rowBound()), indexes);
  }

  /** Returns the part of an expected excess that is due to clipping; 0 if no row can be clipped. */
  double excess() {
    return Double.isFinite(bound) ? LEAST : 0.0;
  }

  /** Returns a warning if clipping may be most of the error of a fit with this expected excess. */
  Optional<String> doubt(double expected) {
    return Double.isFinite(bound) && expected < DOUBTFUL * LEAST
        ? Optional.of(
            "the noise is small, and what it costs that rows longer than the row bound are shortened"
                + " is not known: it can be several times the expected excess, and standard errors leave"
                + " it out; a new stream with a larger rowBound has less of it")
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
                    + " clipped: many were probably shortened, which draws slopes toward 0, and no standard"
                    + " error shows it; name the response in the config of a new stream, or raise rowBound"
                    + " there",
                100.0 * Math.min(1.0, share)))
        : Optional.empty();
  }
}
