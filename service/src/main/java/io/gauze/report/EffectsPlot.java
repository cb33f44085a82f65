package io.gauze.report;

import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.plot.Axis;
import io.gauze.plot.Mark;
import io.gauze.plot.Plot;
import io.gauze.plot.Point;
import io.gauze.plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The effects of a fit with their intervals. Coefficients in user units cannot share an axis. */
public final class EffectsPlot {
  private EffectsPlot() {}

  /** Returns the plot; a withheld interval is left out, its effect is a dot. */
  public static String svg(FitReport report) {
    List<Term> effects = report.effects();
    List<String> names = effects.stream().map(Term::name).toList();
    String response = report.model().response();
    String title =
        String.format(
            Locale.ROOT,
            "Change of %s over the range of each column, %s",
            response,
            intervals(effects, report.level()));
    return new Plot(
            title,
            Axis.categories("", names),
            Axis.linear(response),
            List.of(Series.of("effect", Mark.INTERVAL, points(effects, names))))
        .svg();
  }

  /**
   * Returns the marks of effects.
   *
   * @param names of the places on the axis, with those of all effects
   */
  public static List<Point> points(List<Term> effects, List<String> names) {
    List<Point> points = new ArrayList<>();
    for (Term effect : effects) {
      int place = names.indexOf(effect.name());
      points.add(
          effect.isWithheld()
              ? Point.of(place, effect.estimate())
              : new Point(place, effect.estimate(), effect.confLow(), effect.confHigh()));
    }
    return points;
  }

  private static String intervals(List<Term> effects, double level) {
    boolean given = effects.stream().anyMatch(effect -> !effect.isWithheld());
    return given
        ? String.format(Locale.ROOT, "with %s\u00a0%% intervals", Figures.number(100 * level))
        : "without intervals, which are withheld";
  }
}
