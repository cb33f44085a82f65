package io.gauze.plot;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Lays a plot out and writes it: title, axes, legend, then the series in a clipped frame. */
final class Drawing {
  private static final double WIDTH = 520; // of the frame, in pixels
  private static final double HEIGHT = 300;
  private static final double LINE = 18;

  /** How much wider the title's font, 14 px and bold, is than that of labels. */
  private static final double TITLE = 1.27;

  private static final double GAP = 6;
  private static final double LONGEST_SLANTED = 150;

  private final Plot plot;
  private final Span x;
  private final Span y;
  private final List<Span.Tick> xTicks;
  private final List<Span.Tick> yTicks;
  private final List<String> title;
  private final double left;
  private final double top;
  private final boolean isSlanted;
  private final double slanted; // the length of the longest slanted label
  private final StringBuilder out = new StringBuilder();

  Drawing(Plot plot) {
    this.plot = plot;
    x = Span.of(plot.x(), values(point -> DoubleStream.of(point.x())));
    y = Span.of(plot.y(), DoubleStream.concat(floor(), values(Drawing::heights)));
    xTicks = x.ticks();
    yTicks = y.ticks();
    title = SvgText.lines(plot.title(), WIDTH / TITLE);
    top = LINE * (title.size() + 0.5);
    isSlanted =
        xTicks.stream().mapToDouble(Drawing::room).sum() > WIDTH
            || (plot.x().scale() == Axis.Scale.CATEGORIES && hasOverlaps(x, xTicks));
    slanted = Math.min(widest(xTicks.stream().map(Span.Tick::label)), LONGEST_SLANTED);
    double beforeFirst = isSlanted ? 0.82 * slanted - WIDTH * x.at(xTicks.get(0).value()) : 0;
    left = 2 * LINE + GAP + Math.max(widest(yTicks.stream().map(Span.Tick::label)), beforeFirst);
  }

  /** Checks whether two labels side by side overlap. Of numbers one can go, of names none. */
  private static boolean hasOverlaps(Span x, List<Span.Tick> ticks) {
    for (int k = 1; k < ticks.size(); k++) {
      Span.Tick one = ticks.get(k - 1);
      Span.Tick next = ticks.get(k);
      double both = SvgText.width(one.label()) + SvgText.width(next.label());
      if (WIDTH * (x.at(next.value()) - x.at(one.value())) < both / 2) {
        return true;
      }
    }
    return false;
  }

  private static double room(Span.Tick tick) {
    return SvgText.width(tick.label()) + 2 * GAP;
  }

  private static DoubleStream heights(Point point) {
    return DoubleStream.of(point.y(), point.low(), point.high());
  }

  private DoubleStream values(Function<Point, DoubleStream> coordinates) {
    return plot.series().stream()
        .flatMap(series -> series.points().stream())
        .flatMapToDouble(coordinates);
  }

  /** Bars begin at 0. */
  private DoubleStream floor() {
    boolean hasBars = plot.series().stream().anyMatch(series -> series.mark() == Mark.BAR);
    return hasBars ? DoubleStream.of(0) : DoubleStream.empty();
  }

  private static double widest(Stream<String> texts) {
    return texts.mapToDouble(SvgText::width).max().orElse(0);
  }

  String draw() {
    double legend =
        plot.series().size() > 1 ? 40 + widest(plot.series().stream().map(Series::name)) : 0;
    double below = isSlanted ? GAP + 0.6 * slanted + LINE : LINE;
    double width = left + WIDTH + LINE + legend;
    double height =
        Math.max(top + HEIGHT + below + 2 * LINE, top + LINE * (plot.series().size() + 1));
    begin(width, height);
    grid();
    labels(below);
    frame();
    if (legend > 0) {
      legend();
    }
    return out.append("</svg>\n").toString();
  }

  private void begin(double width, double height) {
    out.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%1$s\""
                + " height=\"%2$s\" role=\"img\" class=\"gz\">\n",
            SvgText.number(Math.ceil(width)),
            SvgText.number(Math.ceil(height))));
    out.append("<title>").append(Markup.escape(plot.title())).append("</title>\n");
    out.append(Theme.STYLE);
    out.append("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
  }

  private double across(double value) {
    return left + WIDTH * x.at(value);
  }

  private double down(double value) {
    return top + HEIGHT * (1 - y.at(value));
  }

  private void grid() {
    for (Span.Tick tick : yTicks) {
      String kind = tick.value() == 0 ? "axis" : "grid"; // on which side of 0 a value is, matters
      line(kind, left, down(tick.value()), left + WIDTH, down(tick.value()));
      text("end", left - GAP, down(tick.value()) + 4, tick.label());
    }
    double free = left - WIDTH; // the right end of the last label
    for (Span.Tick tick : xTicks) {
      double at = across(tick.value());
      if (plot.x().scale() != Axis.Scale.CATEGORIES) {
        line("grid", at, top, at, top + HEIGHT);
      }
      double half = isSlanted ? LINE / 2 : SvgText.width(tick.label()) / 2;
      if (at - half >= free) { // else labels would overlap
        free = at + half;
        xLabel(at, tick.label());
      }
    }
    line("axis", left, top + HEIGHT, left + WIDTH, top + HEIGHT);
    line("axis", left, top, left, top + HEIGHT);
  }

  private void xLabel(double at, String label) {
    double base = top + HEIGHT + LINE;
    if (!isSlanted) {
      text("middle", at, base, label);
      return;
    }
    int most = (int) (LONGEST_SLANTED / SvgText.width("m"));
    String shown = SvgText.shortened(label, most);
    turned("end", at + 4, base - 4, -35, shown);
  }

  private void labels(double below) {
    double baseline = LINE;
    for (String line : title) {
      out.append(
          String.format(
              Locale.ROOT,
              "<text class=\"title\" x=\"%s\" y=\"%s\">%s</text>\n",
              SvgText.number(left),
              SvgText.number(baseline),
              Markup.escape(line)));
      baseline += LINE;
    }
    text("middle", left + WIDTH / 2, top + HEIGHT + below + LINE, plot.x().label());
    turned("middle", LINE, top + HEIGHT / 2, -90, plot.y().label());
  }

  private void frame() {
    out.append(
        String.format(
            Locale.ROOT,
            "<svg x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" overflow=\"hidden\">\n",
            SvgText.number(left),
            SvgText.number(top),
            SvgText.number(WIDTH),
            SvgText.number(HEIGHT)));
    SeriesMarks marks =
        new SeriesMarks(plot.series(), v -> WIDTH * x.at(v), v -> HEIGHT * (1 - y.at(v)), out);
    marks.draw();
    out.append("</svg>\n");
  }

  private void legend() {
    double from = left + WIDTH + LINE;
    for (int i = 0; i < plot.series().size(); i++) {
      Series series = plot.series().get(i);
      double middle = top + LINE * (i + 0.5);
      Theme.Look look = Theme.look(series, i);
      if (series.mark() == Mark.BAR) {
        out.append(
            String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"22\" height=\"10\"/>\n",
                look.fill(),
                SvgText.number(from),
                SvgText.number(middle - 5)));
      } else {
        if (series.mark() != Mark.POINTS) {
          line(look.stroke(), from, middle, from + 22, middle);
        }
        SeriesMarks.dot(out, look, from + 11, middle);
      }
      text("start", from + 28, middle + 4, series.name());
    }
  }

  private void line(String look, double x1, double y1, double x2, double y2) {
    out.append(
        String.format(
            Locale.ROOT,
            "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n",
            look,
            SvgText.number(x1),
            SvgText.number(y1),
            SvgText.number(x2),
            SvgText.number(y2)));
  }

  private void text(String anchor, double at, double baseline, String text) {
    if (!text.isEmpty()) {
      out.append(
          String.format(
              Locale.ROOT,
              "<text text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n",
              anchor,
              SvgText.number(at),
              SvgText.number(baseline),
              Markup.escape(text)));
    }
  }

  private void turned(String anchor, double at, double baseline, int angle, String text) {
    if (!text.isEmpty()) {
      out.append(
          String.format(
              Locale.ROOT,
              "<text text-anchor=\"%s\" transform=\"translate(%s %s) rotate(%d)\">%s</text>\n",
              anchor,
              SvgText.number(at),
              SvgText.number(baseline),
              angle,
              Markup.escape(text)));
    }
  }
}
