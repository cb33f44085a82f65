package io.gauze.plot;

import io.gauze.internal.Checks;
import java.util.List;
import java.util.Locale;

/**
 * A plot of several series over two axes.
 *
 * <p>Its SVG holds no script, no link and no font, and is equal for equal plots. It follows the
 * reader's choice of light or dark ({@code prefers-color-scheme}). All text is escaped.
 *
 * @param title above the plot; long titles are broken into lines
 * @param x the axis at the bottom
 * @param y the axis at the left: linear or logarithmic
 * @param series at least one, drawn in this order; a legend names them if there are several
 */
public record Plot(String title, Axis x, Axis y, List<Series> series) {
  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException if the title is blank, there is no series, the y axis has
   *     categories, a bar has no category or a logarithmic y axis, a point names no category, or a
   *     value on a logarithmic axis is not above 0
   */
  public Plot {
    Checks.notBlank("title", title);
    series = List.copyOf(series);
    if (series.isEmpty()) {
      throw new IllegalArgumentException("series must be at least 1. Provided value: 0");
    }
    if (y.scale() == Axis.Scale.CATEGORIES) {
      throw new IllegalArgumentException(
          "scale of the y axis must be LINEAR or LOG. Provided value: CATEGORIES");
    }
    for (Series one : series) {
      checkMark(one, x, y);
      for (Point point : one.points()) {
        checkX(point, x);
        if (y.scale() == Axis.Scale.LOG) {
          Checks.positiveFinite("y on a logarithmic axis", point.y());
          Checks.positiveFinite("low on a logarithmic axis", point.low());
        }
      }
    }
  }

  private static void checkMark(Series series, Axis x, Axis y) {
    if (series.mark() == Mark.BAR
        && (x.scale() != Axis.Scale.CATEGORIES || y.scale() != Axis.Scale.LINEAR)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "bars must have an x axis of CATEGORIES and a LINEAR y axis."
                  + " Provided value: %s and %s",
              x.scale(),
              y.scale()));
    }
  }

  private static void checkX(Point point, Axis x) {
    if (x.scale() == Axis.Scale.LOG) {
      Checks.positiveFinite("x on a logarithmic axis", point.x());
    }
    if (x.scale() == Axis.Scale.CATEGORIES) {
      Checks.within("x on an axis of categories", point.x(), 0, x.categories().size() - 1.0);
    }
  }

  /** Returns the plot as a document of SVG 1.1, in time linear in the number of points. */
  public String svg() {
    return new Drawing(this).draw();
  }
}
