package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Converts the coefficients of a linear model from the encoded scale to the user's units.
 *
 * <p>The model {@code z_y = sum_k b_k z_k} over encoded columns is, in the user's units, {@code y =
 * constant + sum_k beta_k x_k}, with {@code beta = T b + offset}: a linear map, so that a
 * covariance C of b becomes {@code T C T'}. The constant term is always present and comes first;
 * the features other than the intercept follow in their order. Immutable.
 */
public final class UserUnits {
  private final double[][] jacobian;
  private final double constant;
  private final double responseScale;
  private final List<String> names;

  private UserUnits(RowSchema schema, double responseScale, double constant, int[] features) {
    this.responseScale = responseScale;
    this.constant = constant;
    names = new ArrayList<>(List.of(RowSchema.INTERCEPT));
    for (int feature : features) {
      if (feature != 0) {
        names.add(schema.encodedNames().get(feature));
      }
    }
    // y = mid_y + half_y sum_k b_k z_k and z_k = (x_k - mid_k) / half_k;
    // the intercept column has x = 1, mid = 0
    jacobian = new double[names.size()][features.length];
    int next = 1;
    for (int k = 0; k < features.length; k++) {
      double slope = responseScale / schema.half(features[k]);
      if (features[k] == 0) {
        jacobian[0][k] = slope;
      } else {
        jacobian[0][k] = -slope * schema.mid(features[k]);
        jacobian[next++][k] = slope;
      }
    }
  }

  /**
   * Creates the map for one response and some features.
   *
   * @param schema the columns
   * @param response encoded index in [1, D)
   * @param features distinct encoded indices in [0, D), none of them the response; 0 is the
   *     intercept and may be absent
   * @throws IllegalArgumentException if an index is out of range, twice among the features, or both
   *     response and feature
   */
  public static UserUnits of(RowSchema schema, int response, int... features) {
    check(schema, response, features);
    return new UserUnits(schema, schema.half(response), schema.mid(response), features);
  }

  /**
   * Creates the map for the log odds of a response's label, which have no unit.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static UserUnits ofLogOdds(RowSchema schema, int response, int... features) {
    check(schema, response, features);
    return new UserUnits(schema, 1.0, 0.0, features);
  }

  private static void check(RowSchema schema, int response, int... features) {
    Checks.within("response", response, 1, schema.dimension() - 1);
    boolean[] used = new boolean[schema.dimension()];
    used[response] = true;
    for (int feature : features) {
      Checks.within("feature", feature, 0, schema.dimension() - 1);
      if (used[feature]) {
        throw new IllegalArgumentException(
            "features must be distinct and not the response. Provided value: "
                + schema.encodedNames().get(feature)
                + " again");
      }
      used[feature] = true;
    }
  }

  /**
   * The names of the user's coefficients, {@link RowSchema#INTERCEPT} (the constant term) first;
   * immutable.
   */
  public List<String> names() {
    return List.copyOf(names);
  }

  /**
   * Converts coefficients to the user's units, in the order of {@link #names()}.
   *
   * @param encoded one coefficient for each feature
   * @throws IllegalArgumentException if the number of coefficients differs
   */
  public double[] coefficients(double[] encoded) {
    if (encoded.length != jacobian[0].length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "encoded must have %d coefficients. Provided value: %d",
              jacobian[0].length,
              encoded.length));
    }
    double[] user = new double[jacobian.length];
    for (int i = 0; i < user.length; i++) {
      for (int k = 0; k < encoded.length; k++) {
        user[i] += jacobian[i][k] * encoded[k];
      }
    }
    user[0] += constant;
    return user;
  }

  /** The matrix T, one row for each of {@link #names()}, one column for each feature; a copy. */
  public double[][] jacobian() {
    double[][] copy = new double[jacobian.length][];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = jacobian[i].clone();
    }
    return copy;
  }

  /** The factor that converts residuals in the encoded scale to residuals in the user's units. */
  public double responseScale() {
    return responseScale;
  }
}
