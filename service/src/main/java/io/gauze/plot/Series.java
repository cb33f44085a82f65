package io.gauze.plot;

import io.gauze.internal.Checks;
import java.util.List;
import java.util.OptionalInt;

/**
 * Points of one kind under one name in the legend.
 *
 * @param name in the legend
 * @param mark how the points are drawn
 * @param points at least one, in the order in which a line joins them
 * @param colour the colour's index, in [0, 7]; if empty, the series' place in the plot modulo 8
 * @param dashed whether lines and whiskers are dashed
 */
public record Series(
    String name, Mark mark, List<Point> points, OptionalInt colour, boolean dashed) {
  static final int COLOURS = 8;

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if the name is blank, there is no point, or the colour is not
   *     in [0, 7]
   */
  public Series {
    Checks.notBlank("name", name);
    points = List.copyOf(points);
    if (points.isEmpty()) {
      throw new IllegalArgumentException(
          "points of series '" + name + "' must be at least 1. Provided value: 0");
    }
    colour.ifPresent(index -> Checks.within("colour", index, 0, COLOURS - 1));
  }

  /** Returns a series in the colour of its place in the plot, not dashed. */
  public static Series of(String name, Mark mark, List<Point> points) {
    return new Series(name, mark, points, OptionalInt.empty(), false);
  }

  /** Returns the series in the colour with an index in [0, 7]. */
  public Series withColour(int index) {
    return new Series(name, mark, points, OptionalInt.of(index), dashed);
  }

  /** Returns the series with dashed lines. */
  public Series asDashed() {
    return new Series(name, mark, points, colour, true);
  }
}
