package io.gauze.row;

import java.util.ArrayList;
import java.util.List;

/**
 * Shortens the features of a row to their bound and the responses to theirs, see {@link
 * ResponseBound}. Only IEEE operations in a fixed order, as {@link NormBound}, which then decides
 * by integers.
 */
final class PartBounds {
  private static final double ROUNDING = 1.0 + 0x1p-40; // as in NormBound

  private final boolean[] isResponse;
  private final double featureBound;
  private final double responseBound;
  private final boolean vacuous;

  /**
   * Creates the bounds of the parts of a row.
   *
   * @param isResponse whether an entry is of the responses
   * @param vacuous whether no row is longer
   */
  PartBounds(boolean[] isResponse, double featureBound, double responseBound, boolean vacuous) {
    this.isResponse = isResponse;
    this.featureBound = featureBound;
    this.responseBound = responseBound;
    this.vacuous = vacuous;
  }

  /** Returns the bounds of rows with all entries. */
  static PartBounds of(RowSchema schema) {
    return of(schema, RowLayout.ofEntries(schema));
  }

  static PartBounds of(RowSchema schema, RowLayout layout) {
    ResponseBound responses = schema.responses();
    boolean[] isResponse = new boolean[layout.length()];
    List<Column> features = new ArrayList<>();
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      if (responses.columns().contains(column.name())) {
        for (int i = 0; i < layout.width(column); i++) {
          isResponse[layout.start(c) + i] = true;
        }
      } else {
        features.add(column);
      }
    }
    double featureBound = responses.ofFeatures(schema.rowBound());
    boolean vacuous =
        featureBound >= RowSchema.largestNorm(features, schema.intercept())
            && responses.bound() * responses.bound() >= responses.columns().size();
    return new PartBounds(isResponse, featureBound, responses.bound(), vacuous);
  }

  /** Whether no row is longer. */
  boolean isVacuous() {
    return vacuous;
  }

  /** Shortens the row that begins at {@code from}, without NaN; returns whether it was longer. */
  boolean shorten(double[] rows, int from) {
    double square = square(rows, from, false);
    boolean longFeatures = isLonger(square, featureBound);
    if (longFeatures) {
      double factor = featureBound / StrictMath.sqrt(square);
      for (int i = from; i < from + isResponse.length; i++) {
        rows[i] *= factor; // the responses, too: the row has this weight
      }
    }
    square = square(rows, from, true);
    boolean longResponses = isLonger(square, responseBound);
    if (longResponses) {
      double factor = responseBound / StrictMath.sqrt(square);
      for (int i = 0; i < isResponse.length; i++) {
        rows[from + i] *= isResponse[i] ? factor : 1.0;
      }
    }
    return longFeatures || longResponses;
  }

  /** Whether a row would be shortened. */
  boolean isLonger(double... row) {
    return isLonger(square(row, 0, false), featureBound)
        || isLonger(square(row, 0, true), responseBound);
  }

  private static boolean isLonger(double square, double bound) {
    return square > bound * bound && StrictMath.sqrt(square) > bound * ROUNDING;
  }

  private double square(double[] rows, int from, boolean responses) {
    double square = 0.0;
    for (int i = 0; i < isResponse.length; i++) {
      square += isResponse[i] == responses ? rows[from + i] * rows[from + i] : 0.0;
    }
    return square;
  }
}
