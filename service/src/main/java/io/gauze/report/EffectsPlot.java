package io.gauze.report;

import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.plot.Axis;
import io.gauze.plot.Mark;
import io.gauze.plot.Plot;
import io.gauze.plot.Point;
import io.gauze.plot.Series;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** The effects of a fit with their intervals. Coefficients in user units cannot share an axis. */
public final class EffectsPlot {
  /** How many times further than the median effect one may reach before the axis leaves it out. */
  private static final double FURTHEST = 8.0;

  /** The part of an axis beyond what it shows. */
  private static final double MARGIN = 0.04;

  private EffectsPlot() {}

  /**
   * Returns the plot; a withheld interval is left out, its effect is a dot. The axis leaves out an
   * end that would flatten most effects, and the title names it.
   */
  public static String svg(FitReport report) {
    return svg(report.model().response(), report.effects(), report.level());
  }

  /**
   * Returns the plot of some effects.
   *
   * @param level of their intervals
   */
  static String svg(String response, List<Term> effects, double level) {
    List<String> names = effects.stream().map(Term::name).toList();
    List<String> beyond = beyond(effects);
    String title =
        String.format(
            Locale.ROOT,
            "Change of %s over the range of each column, %s%s",
            response,
            intervals(effects, level),
            beyond.isEmpty() ? "" : "; beyond the axis: " + String.join(", ", beyond));
    return new Plot(
            title,
            Axis.categories("", names),
            axis(response, effects, beyond),
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

  /** The names of effects that reach much further than the median one. */
  static List<String> beyond(List<Term> effects) {
    double[] reaches = effects.stream().mapToDouble(EffectsPlot::reach).sorted().toArray();
    double limit = reaches.length == 0 ? 0.0 : FURTHEST * reaches[reaches.length / 2];
    return limit > 0.0
        ? effects.stream().filter(each -> reach(each) > limit).map(Term::name).toList()
        : List.of();
  }

  /** The largest distance from 0 of an effect and the ends of its interval. */
  private static double reach(Term effect) {
    double estimate = Math.abs(effect.estimate());
    return effect.isWithheld()
        ? estimate
        : Math.max(estimate, Math.max(Math.abs(effect.confLow()), Math.abs(effect.confHigh())));
  }

  private static Axis axis(String response, List<Term> effects, List<String> beyond) {
    Axis axis = Axis.linear(response);
    if (beyond.isEmpty()) {
      return axis;
    }
    DoubleSummaryStatistics ends =
        effects.stream()
            .filter(each -> !beyond.contains(each.name()))
            .flatMapToDouble(EffectsPlot::ends)
            .summaryStatistics();
    double low = Math.min(0.0, ends.getMin());
    double high = Math.max(0.0, ends.getMax());
    double margin = MARGIN * (high - low);
    return axis.between(low - margin, high + margin);
  }

  private static DoubleStream ends(Term effect) {
    return effect.isWithheld()
        ? DoubleStream.of(effect.estimate())
        : DoubleStream.of(effect.confLow(), effect.estimate(), effect.confHigh());
  }

  private static String intervals(List<Term> effects, double level) {
    boolean given = effects.stream().anyMatch(effect -> !effect.isWithheld());
    return given
        ? String.format(Locale.ROOT, "with %s\u00a0%% intervals", Figures.number(100 * level))
        : "without intervals, which are withheld";
  }
}
