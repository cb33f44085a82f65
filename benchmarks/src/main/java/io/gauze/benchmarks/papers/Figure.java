package io.gauze.benchmarks.papers;

import io.gauze.plot.Axis;
import io.gauze.plot.Mark;
import io.gauze.plot.Plot;
import io.gauze.plot.Point;
import io.gauze.plot.Series;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * A figure of a paper, measured: curves whose names end in ", as published" are dashed and share
 * the colour of the curve of the same name as corrected.
 *
 * @param name of the files
 * @param title above the plot
 * @param x the axis of the places
 * @param y the axis of the values
 * @param rows all points of all curves
 */
record Figure(String name, String title, Axis x, Axis y, List<FigureRow> rows) {
  static final String PUBLISHED = ", as published";
  static final String NOT_PRIVATE = ", as published (not private)";
  static final String CORRECTED = ", as corrected";
  private static final int MOST_BANDS = 10;
  private static final double LARGEST = 1e12;
  private static final int MOST_PLACES = 8; // of a table, else it has a part of them

  private Map<String, List<FigureRow>> curves() {
    Map<String, List<FigureRow>> curves = new LinkedHashMap<>();
    rows.forEach(row -> curves.computeIfAbsent(row.variant(), v -> new ArrayList<>()).add(row));
    return curves;
  }

  String svg() {
    List<String> bases = curves().keySet().stream().map(Figure::base).distinct().toList();
    List<Series> series = new ArrayList<>();
    boolean hasBands = curves().size() <= MOST_BANDS; // more would hide each other
    curves()
        .forEach(
            (name, curve) -> {
              List<Point> points =
                  curve.stream().filter(this::isShown).map(row -> point(row, hasBands)).toList();
              if (points.isEmpty()) {
                return;
              }
              Series one =
                  Series.of(name, Mark.LINE, points).withColour(bases.indexOf(base(name)) % 8);
              series.add(name.contains(PUBLISHED) ? one.asDashed() : one);
            });
    return new Plot(title, x, y, series).svg();
  }

  private static String base(String variant) {
    return variant.replaceAll(", as (published|corrected).*", "");
  }

  /** A place without a result, or a 0 on a logarithmic axis, is left out. */
  private boolean isShown(FigureRow row) {
    return row.median() < LARGEST && (y.scale() != Axis.Scale.LOG || row.median() > 1 / LARGEST);
  }

  private Point point(FigureRow row, boolean hasBand) {
    if (!hasBand) {
      return Point.of(row.x(), shown(row.median()));
    }
    return new Point(row.x(), shown(row.median()), shown(row.low()), shown(row.high()));
  }

  private double shown(double value) {
    boolean isBelow = y.scale() == Axis.Scale.LOG && value < 1 / LARGEST;
    return isBelow ? 1 / LARGEST : Math.min(value, LARGEST);
  }

  /**
   * A page in Markdown: the picture, which is beside it, and the table.
   *
   * @param command that makes the page again
   * @param day on which the figure was measured
   */
  String page(String command, LocalDate day) {
    return String.format(
        Locale.ROOT,
        """
        # %s

        Recorded on %s. This command measures it again, with the reference data in the folder DATA:

            %s

        Values: %s. Where a point stands for several releases, its value is their median.

        ![%s](%s.svg)

        %s""",
        title,
        day,
        command,
        y.label(),
        title,
        name,
        table());
  }

  /** A line for each curve, a column for each place; medians. */
  String table() {
    TreeSet<Double> places = new TreeSet<>();
    double[] all = rows.stream().mapToDouble(FigureRow::x).sorted().distinct().toArray();
    int every = (all.length + MOST_PLACES - 1) / MOST_PLACES;
    for (int i = 0; i < all.length; i += every) {
      places.add(all[i]);
    }
    StringBuilder out = new StringBuilder("| " + x.label() + " |");
    places.forEach(place -> out.append(' ').append(place(place)).append(" |"));
    out.append("\n|---|").append("---|".repeat(places.size())).append('\n');
    curves()
        .forEach(
            (name, curve) -> {
              out.append("| ").append(name).append(" |");
              for (double place : places) {
                out.append(
                    curve.stream()
                        .filter(row -> row.x() == place)
                        .findFirst()
                        .map(row -> ' ' + value(row.median()) + " |")
                        .orElse(" |"));
              }
              out.append('\n');
            });
    return out.toString();
  }

  private String place(double place) {
    return x.scale() == Axis.Scale.CATEGORIES
        ? x.categories().get((int) place)
        : value(place).replaceAll("(\\.\\d*?)0+$", "$1").replaceAll("\\.$", "");
  }

  static String value(double value) {
    if (value >= LARGEST) {
      return "no result";
    }
    double size = Math.abs(value);
    boolean isLarge = size >= 1e6 || (size >= 1e4 && size != Math.rint(size));
    boolean isSmall = size < 1e-3 && size > 0;
    return isLarge || isSmall
        ? String.format(Locale.ROOT, "%.1e", value)
        : String.format(Locale.ROOT, size >= 100 ? "%.0f" : "%.3g", value);
  }
}
