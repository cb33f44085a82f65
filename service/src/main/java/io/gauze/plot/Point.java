package io.gauze.plot;

import io.gauze.internal.Checks;
import java.util.Locale;

/**
 * A value at a place, with an interval around it.
 *
 * @param x the place on the x axis; on an axis of categories the index of one
 * @param y the value
 * @param low the lower end of the interval, at most {@code high}
 * @param high the upper end; {@code y} may lie outside the interval, as a mean may
 */
public record Point(double x, double y, double low, double high) {
  /** Larger coordinates are refused, so that no difference of two overflows. */
  static final double LARGEST = 1e100;

  /**
   * Checks the coordinates.
   *
   * @throws IllegalArgumentException if one is not in [-1e100, 1e100], or low is above high
   */
  public Point {
    Checks.within("x", x, -LARGEST, LARGEST);
    Checks.within("y", y, -LARGEST, LARGEST);
    Checks.within("low", low, -LARGEST, LARGEST);
    Checks.within("high", high, -LARGEST, LARGEST);
    if (low > high) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "low must be at most high, %s. Provided value: %s", high, low));
    }
  }

  /** Returns a point without an interval. */
  public static Point of(double x, double y) {
    return new Point(x, y, y, y);
  }

  boolean hasInterval() {
    return low < high;
  }
}
