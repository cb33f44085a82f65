package io.gauze.plot;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws the points of all series in a frame. */
final class SeriesMarks {
  private static final int MOST_DOTS = 60; // a line of more points has none
  private static final double WIDEST_BAR = 60;
  private static final double WHISKERS_APART = 9;
  private static final double PART_OF_A_SLOT = 0.8;

  private final List<Series> series;
  private final DoubleUnaryOperator across;
  private final DoubleUnaryOperator down;
  private final StringBuilder out;
  private final double spacing;

  SeriesMarks(
      List<Series> series,
      DoubleUnaryOperator across,
      DoubleUnaryOperator down,
      StringBuilder out) {
    this.series = series;
    this.across = across;
    this.down = down;
    this.out = out;
    this.spacing = spacing();
  }

  /** Returns the least distance between places that bars and whiskers share. */
  private double spacing() {
    double[] places =
        series.stream()
            .filter(SeriesMarks::standsBeside)
            .flatMap(one -> one.points().stream())
            .mapToDouble(point -> across.applyAsDouble(point.x()))
            .sorted()
            .distinct()
            .toArray();
    double widest = WIDEST_BAR * Math.max(1, series.size());
    return IntStream.range(1, places.length)
        .mapToDouble(i -> places[i] - places[i - 1])
        .reduce(widest, Math::min);
  }

  private static boolean standsBeside(Series series) {
    return series.mark() == Mark.BAR || series.mark() == Mark.INTERVAL;
  }

  void draw() {
    for (int i = 0; i < series.size(); i++) {
      Series one = series.get(i);
      Theme.Look look = Theme.look(one, i);
      switch (one.mark()) {
        case LINE -> line(one, look);
        case POINTS -> one.points().forEach(point -> dot(look, point, 0));
        case INTERVAL -> intervals(one, look, slots(Mark.INTERVAL, i));
        case BAR -> bars(one, look, slots(Mark.BAR, i));
      }
    }
  }

  /** Where a series stands among those of its mark: its middle and its width. */
  private record Slot(double offset, double width) {}

  private Slot slots(Mark mark, int place) {
    long all = series.stream().filter(one -> one.mark() == mark).count();
    long before = series.subList(0, place).stream().filter(one -> one.mark() == mark).count();
    double most = mark == Mark.BAR ? WIDEST_BAR : WHISKERS_APART;
    double width = Math.min(most, PART_OF_A_SLOT * spacing / all);
    return new Slot((before - (all - 1) / 2.0) * width, width);
  }

  private void line(Series one, Theme.Look look) {
    List<Point> points = one.points();
    if (points.stream().anyMatch(Point::hasInterval)) {
      Stream<String> highs = points.stream().map(point -> pair(point.x(), point.high()));
      Stream<String> lows =
          IntStream.range(0, points.size())
              .mapToObj(i -> points.get(points.size() - 1 - i))
              .map(point -> pair(point.x(), point.low()));
      shape("polygon", "band " + look.fill(), Stream.concat(highs, lows));
    }
    shape("polyline", look.stroke(), points.stream().map(point -> pair(point.x(), point.y())));
    if (points.size() <= MOST_DOTS) {
      points.forEach(point -> dot(look, point, 0));
    }
  }

  private String pair(double x, double y) {
    return SvgText.number(across.applyAsDouble(x)) + "," + SvgText.number(down.applyAsDouble(y));
  }

  private void shape(String element, String look, Stream<String> pairs) {
    out.append(
        String.format(
            Locale.ROOT,
            "<%s class=\"%s\" points=\"%s\"/>\n",
            element,
            look,
            pairs.collect(Collectors.joining(" "))));
  }

  private void intervals(Series one, Theme.Look look, Slot slot) {
    for (Point point : one.points()) {
      whisker(look.stroke(), point, slot);
      dot(look, point, slot.offset);
    }
  }

  private void bars(Series one, Theme.Look look, Slot slot) {
    for (Point point : one.points()) {
      double zero = down.applyAsDouble(0);
      double end = down.applyAsDouble(point.y());
      out.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"bar %s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n",
              look.fill(),
              SvgText.number(across.applyAsDouble(point.x()) + slot.offset - slot.width / 2),
              SvgText.number(Math.min(zero, end)),
              SvgText.number(slot.width),
              SvgText.number(Math.abs(zero - end))));
      whisker("line whisker", point, slot);
    }
  }

  /** A line from low to high with a short line at each end. */
  private void whisker(String look, Point point, Slot slot) {
    if (!point.hasInterval()) {
      return;
    }
    double middle = across.applyAsDouble(point.x()) + slot.offset;
    double half = Math.min(4, slot.width / 2);
    String high = SvgText.number(down.applyAsDouble(point.high()));
    String low = SvgText.number(down.applyAsDouble(point.low()));
    String cap = SvgText.number(middle - half) + " %s H" + SvgText.number(middle + half);
    out.append(
        String.format(
            Locale.ROOT,
            "<path class=\"%s\" d=\"M%s %s V%s M%s M%s\"/>\n",
            look,
            SvgText.number(middle),
            low,
            high,
            String.format(Locale.ROOT, cap, low),
            String.format(Locale.ROOT, cap, high)));
  }

  private void dot(Theme.Look look, Point point, double offset) {
    dot(out, look, across.applyAsDouble(point.x()) + offset, down.applyAsDouble(point.y()));
  }

  static void dot(StringBuilder out, Theme.Look look, double x, double y) {
    out.append(
        String.format(
            Locale.ROOT,
            "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"2.6\"/>\n",
            look.fill(),
            SvgText.number(x),
            SvgText.number(y)));
  }
}
