package io.gauze.report;

import io.gauze.plot.Axis;
import io.gauze.plot.Mark;
import io.gauze.plot.Plot;
import io.gauze.plot.Point;
import io.gauze.plot.Series;
import io.gauze.regression.FitQuality;
import io.gauze.regression.advice.Advisor.Advice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Advice on mechanisms as a page, and its plot. */
public final class AdvicePage {
  private static final Map<FitQuality, Integer> COLOURS =
      Map.of(FitQuality.GOOD, 2, FitQuality.DOUBTFUL, 4, FitQuality.USELESS, 6);

  private final AdviceReport.Answer answer;

  /** Creates a page. */
  public AdvicePage(AdviceReport.Answer answer) {
    this.answer = answer;
  }

  /**
   * Returns the page.
   *
   * @param command what made it
   * @param footer by which program
   */
  public String html(String command, String footer) {
    AdviceTable table = answer.table();
    HtmlPage html =
        new HtmlPage(
            "Which mechanism for stream " + answer.request().stream(), answer.recommendation());
    html.section("The question")
        .text(
            String.format(
                Locale.ROOT,
                "How accurate can a fit by %s be expected to be, with %s in an epoch, epsilon"
                    + " %s and delta %s (%s), if one mechanism gets the whole budget?",
                table.loss(),
                Figures.rows(table.rows()),
                answer.request().budget().epsilon(),
                answer.request().budget().delta(),
                answer.request().budget().neighbours().label()));
    html.section("The answer");
    if (table.advice().stream().anyMatch(AdvicePage::isDrawn)) {
      html.plot(plot());
    }
    html.table(
        List.of("mechanism", "predicted excess", "gain kept", "verdict", "why"),
        table.advice().stream().map(AdvicePage::line).toList(),
        3);
    html.text(table.legend());
    html.section("What it cost")
        .text("Nothing (0 epsilon): no row was read. All of it follows from the public config.");
    html.section("How to repeat it").commands(List.of(command));
    return html.html(footer);
  }

  private static List<String> line(Advice one) {
    return List.of(
        one.mechanism(),
        AdviceTable.percent(one.predictedExcess()),
        String.format(Locale.ROOT, "%.0f %%", 100.0 * one.gainKept()),
        one.verdict().word(),
        one.why());
  }

  private static boolean isDrawn(Advice one) {
    double excess = one.predictedExcess().orElse(Double.NaN);
    return excess > 0.0 && excess < 1e90; // NaN is not
  }

  /**
   * Returns the predicted excess of each mechanism that has one.
   *
   * @throws IllegalArgumentException if none has
   */
  public String plot() {
    List<Advice> drawn = answer.table().advice().stream().filter(AdvicePage::isDrawn).toList();
    List<String> names = drawn.stream().map(Advice::mechanism).toList();
    List<Series> series = new ArrayList<>();
    for (FitQuality verdict : FitQuality.values()) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < drawn.size(); i++) {
        if (drawn.get(i).verdict() == verdict) {
          points.add(Point.of(i, 100.0 * drawn.get(i).predictedExcess().orElseThrow()));
        }
      }
      if (!points.isEmpty()) {
        series.add(Series.of(verdict.word(), Mark.POINTS, points).withColour(COLOURS.get(verdict)));
      }
    }
    return new Plot(
            "Predicted excess of each mechanism",
            Axis.categories("", names),
            Axis.log("error above the fit without privacy, %"),
            series)
        .svg();
  }
}
