package io.gauze.demo;

import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.plot.Axis;
import io.gauze.plot.Mark;
import io.gauze.plot.Plot;
import io.gauze.plot.Point;
import io.gauze.plot.Series;
import io.gauze.report.EffectsPlot;
import io.gauze.report.HtmlPage;
import io.gauze.report.Messages;
import io.gauze.report.Rounded;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The demo's result as a page, and its plot. */
final class DemoPage {
  private static final int TRUTH = 7;

  private final DemoResult result;

  private DemoPage(DemoResult result) {
    this.result = result;
  }

  /**
   * Returns the page.
   *
   * @param command what made it
   * @param footer by which program
   */
  static String of(DemoResult result, String command, String footer) {
    return new DemoPage(result).page(command, footer);
  }

  /**
   * Returns the effects of all fits side by side, with their intervals and the truth, if known. A
   * fit without coefficients is left out.
   */
  static String plot(DemoResult result) {
    return new DemoPage(result).plot();
  }

  private String page(String command, String footer) {
    HtmlPage html = new HtmlPage("What explains " + result.response(), lead());
    html.section("The answer").plot(plot());
    html.text(
        "The plot shows how much the response changes when a column goes from one end of its public"
            + " range to the other, all else equal. For a category it is the difference from the"
            + " first one.");
    html.table(header(), rows());
    html.text(legend());
    result
        .fits()
        .forEach(
            fit ->
                Messages.paragraphs(fit.warnings())
                    .forEach(text -> html.warning(warning(fit, text))));
    html.section("What is promised")
        .text(result.promise().summary())
        .text(
            "That holds for the release. It does not hold for this page: its non-private fit, its"
                + " errors and its numbers of rows come from the rows themselves.");
    html.section("What it cost")
        .text(
            String.format(
                Locale.ROOT,
                "%s spent epsilon %s and delta %s on the rows, once. Fits cost no privacy (0"
                    + " epsilon), however many. These answer other questions:",
                result.promise().sites() ? "The release of each site" : "The release",
                result.promise().each().epsilon(),
                result.promise().each().delta()))
        .commands(result.next());
    html.section("How to repeat it")
        .commands(List.of(command))
        .text("The noise is new in each run, so the private numbers will differ a little.");
    html.section("The whole guarantee").small(result.promise().sentence());
    return html.html(footer);
  }

  private static String warning(DemoFit fit, String text) {
    return (fit.guarantee().isPresent() ? "release " + fit.source() : fit.source()) + ": " + text;
  }

  private String lead() {
    String excess =
        result
            .answer()
            .excessRmse()
            .map(share -> String.format(Locale.ROOT, " is %.2g %% above", 100 * share))
            .orElse(" cannot be compared with");
    return String.format(
        Locale.ROOT,
        "%,d rows went through Kafka and Flink into %s in %.0f s. The error of the fit %s%s that of a"
            + " fit on the rows themselves.",
        result.sketched(),
        result.promise().sites() ? "private releases of several sites" : "a private release",
        result.seconds(),
        result.promise().sites() ? "of all sites together" : "on the release",
        excess);
  }

  private String legend() {
    return (result.truth().isEmpty()
            ? ""
            : "Truth: the coefficients that made the rows; faulty meters, which least squares"
                + " does not detect, are not in them. ")
        + "Non-private: the fit of the rows themselves. The others are fits of a release. After"
        + " ± is the standard error, of sampling and privacy noise together. RMSE is over all rows.";
  }

  private List<String> header() {
    List<String> cells = new ArrayList<>(List.of("term"));
    if (!result.truth().isEmpty()) {
      cells.add("truth");
    }
    result.fits().forEach(fit -> cells.add(fit.source()));
    return cells;
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (String name : DemoReport.names(result)) {
      List<String> cells = new ArrayList<>(List.of(name));
      if (!result.truth().isEmpty()) {
        Double truth = result.truth().get(name);
        cells.add(truth == null ? "" : Rounded.of(truth, 0));
      }
      result.fits().forEach(fit -> cells.add(estimate(fit, name)));
      rows.add(cells);
    }
    List<String> errors = new ArrayList<>(List.of("RMSE"));
    if (!result.truth().isEmpty()) {
      errors.add("");
    }
    result
        .fits()
        .forEach(fit -> errors.add(fit.rmse().map(value -> Rounded.of(value, 0)).orElse("")));
    rows.add(errors);
    return rows;
  }

  private static String estimate(DemoFit fit, String name) {
    return fit.term(name).map(DemoPage::estimate).orElse("none");
  }

  private static String estimate(Term term) {
    double error = term.stdError();
    String shown = Rounded.of(term.estimate(), error);
    return Double.isNaN(error) ? shown : shown + " ± " + Rounded.of(error, error);
  }

  private String plot() {
    RowSchema schema = result.schema();
    List<String> places =
        schema.encodedNames().subList(1, schema.dimension()).stream()
            .filter(DemoReport.names(result)::contains)
            .toList();
    List<Series> series = new ArrayList<>();
    List<Point> truth = truth(places);
    if (!truth.isEmpty()) {
      series.add(Series.of("truth", Mark.INTERVAL, truth).withColour(TRUTH));
    }
    int colour = 0;
    for (DemoFit fit : result.fits()) {
      List<Point> points = EffectsPlot.points(FitReport.effects(fit.terms(), schema), places);
      if (!points.isEmpty()) {
        series.add(Series.of(fit.source(), Mark.INTERVAL, points).withColour(colour));
      }
      colour = (colour + 1) % TRUTH;
    }
    return new Plot(
            "Change of "
                + result.response()
                + " over the range of each column, 95\u00a0% intervals",
            Axis.categories("", places),
            Axis.linear(result.response()),
            series)
        .svg();
  }

  private List<Point> truth(List<String> places) {
    return places.stream()
        .filter(result.truth()::containsKey)
        .map(name -> Point.of(places.indexOf(name), result.truth().get(name) * range(name)))
        .toList();
  }

  private double range(String name) {
    int column = result.schema().encodedIndex(name);
    return result.schema().upper(column) - result.schema().lower(column);
  }
}
