package io.gauze.model;

import io.gauze.accounting.Neighbours;
import java.util.Objects;

/**
 * The sensitivity of the moments that one round releases: {@code sum w u u'}, one number for each
 * unordered pair of features, and {@code sum w u y}. Weights are in [0, 1], whatever they are
 * computed from; {@code |u| <= B_x} and {@code |y| <= B_y}. Under replace-one a row changes its
 * values, or moves to another cell. All bounds are attained for two features and more;
 * PROOF-weighted-sensitivity.md has the proofs.
 *
 * @param features p
 * @param featureBound B_x
 * @param responseBound B_y
 */
record WeightedSensitivity(int features, double featureBound, double responseBound) {
  private static final double ROUNDED_UP = 1.0 + 0x1p-48;

  static WeightedSensitivity of(IrlsSpec spec) {
    return new WeightedSensitivity(spec.features(), spec.featureBound(), spec.responseBound());
  }

  /**
   * In the Euclidean norm of all entries of the symmetric matrix of features and response, but that
   * of the response with itself: entries off the diagonal count twice.
   */
  double euclidean(Neighbours neighbours) {
    Objects.requireNonNull(neighbours, "neighbours");
    double x = featureBound;
    double y = responseBound;
    double bound =
        neighbours == Neighbours.ADD_REMOVE
            ? x * Math.sqrt(x * x + 2.0 * y * y)
            : y <= x ? Math.sqrt(2.0) * (x * x + y * y) : Math.sqrt(8.0) * x * y;
    return ROUNDED_UP * bound;
  }

  /** In the l1 norm of the numbers that are released. */
  double absolute(Neighbours neighbours) {
    Objects.requireNonNull(neighbours, "neighbours");
    double rows = neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    double x = featureBound;
    double bound = x * x * 0.5 * (features + 1.0) + Math.sqrt(features) * x * responseBound;
    return ROUNDED_UP * rows * bound;
  }

  /** A bound on the squared norm of a row with its response. */
  double squaredRow() {
    return ROUNDED_UP * (featureBound * featureBound + responseBound * responseBound);
  }
}
