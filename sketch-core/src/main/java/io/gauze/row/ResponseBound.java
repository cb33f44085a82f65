package io.gauze.row;

import io.gauze.internal.Checks;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;

/**
 * The part of a row that is clipped apart from the rest: the columns that fits are to explain.
 *
 * <p>The other entries x, with the intercept, are shortened to their own bound by a factor f(x);
 * the responses y become f(x) y, shortened to this bound. So the weight of a row depends on its
 * features alone, and a model that is linear in them stays true, but for responses beyond the
 * bound. Clipped together, a row would have a weight that depends on its response, which draws all
 * slopes toward 0.
 *
 * @param columns names of columns, distinct; empty if features and responses are clipped together
 * @param bound the largest l2 norm of the encoded responses of a row, above 0; 0 without columns
 */
public record ResponseBound(List<String> columns, double bound) implements Serializable {
  /** Features and responses are clipped together. */
  public static final ResponseBound NONE = new ResponseBound(List.of(), 0.0);

  /**
   * Checks the bound.
   *
   * @throws IllegalArgumentException if a name is there twice or the bound is out of range
   */
  public ResponseBound {
    columns = List.copyOf(columns);
    if (new HashSet<>(columns).size() < columns.size()) {
      throw new IllegalArgumentException(
          "responses must be distinct columns. Provided value: " + columns);
    }
    if (columns.isEmpty()) {
      Checks.within("responseBound without responses", bound, 0.0, 0.0);
    } else {
      Checks.positiveFinite("responseBound", bound);
    }
  }

  /** Whether features and responses are clipped together. */
  public boolean isEmpty() {
    return columns.isEmpty();
  }

  /**
   * The largest l2 norm of the other entries: {@code sqrt(rowBound^2 - bound^2)}.
   *
   * @throws IllegalArgumentException if the row bound is not above this one
   */
  public double ofFeatures(double rowBound) {
    if (isEmpty()) {
      return rowBound;
    }
    double square = rowBound * rowBound - bound * bound;
    if (!(square > 0.0)) {
      throw new IllegalArgumentException(
          "responseBound must be below rowBound, " + rowBound + ". Provided value: " + bound);
    }
    return StrictMath.sqrt(square);
  }
}
