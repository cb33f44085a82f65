package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Locale;

/** How wide rows may be. */
public final class Dimensions {
  /** The most encoded columns, intercept included. */
  public static final int MOST = 20_000;

  /**
   * The most entries of a row that differ from 0, the intercept included, and so the most columns
   * with it: up to it, sums of squares are computed to within 2^-40.
   *
   * <p>Also the most encoded columns of sketches and models that have a number for each two of
   * them.
   */
  public static final int MOST_CELLS = 4096;

  private Dimensions() {}

  /**
   * Checks the number of encoded columns of anything but a {@code CountSketch} or a projection.
   *
   * @param what its name, for the message
   * @return the number
   * @throws IllegalArgumentException if it is not in [1, 4096]
   */
  public static int square(String what, int dimension) {
    if (dimension > MOST_CELLS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be in [1, %d] for all mechanisms but count-sketch and jl with state"
                  + " projection; list fewer categories, with other for the rest, or take"
                  + " count-sketch. Provided value: %d",
              what,
              MOST_CELLS,
              dimension));
    }
    return Checks.within(what, dimension, 1, MOST_CELLS);
  }
}
