package io.gauze.report;

import io.gauze.fit.FitReport;
import io.gauze.fit.StreamFits;
import io.gauze.fit.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A fit as a page: what was asked, plot, table, warnings, guarantee, cost, how to repeat it. */
public final class FitPage {
  private final FitReport report;

  private FitPage(FitReport report) {
    this.report = report;
  }

  /**
   * Returns a page.
   *
   * @param command what made the report
   * @param footer by which program
   */
  public static String of(FitReport report, String command, String footer) {
    FitPage page = new FitPage(report);
    HtmlPage html = new HtmlPage("What explains " + report.model().response(), page.lead());
    page.addNumbers(html);
    Messages.paragraphs(report.messages()).forEach(html::warning);
    if (page.ofRows()) {
      addRows(html);
    } else {
      page.addGuarantee(html);
    }
    html.section("How to repeat it").commands(List.of(command));
    if (!page.ofRows()) {
      html.section("The whole guarantee").small(report.guarantee().path("sentence").asText());
    }
    return html.html(footer);
  }

  private boolean ofRows() {
    return report.errors().isPresent();
  }

  private String lead() {
    String loss = Figures.loss(report.model().lossName(), report.model().lambda());
    if (ofRows()) {
      return String.format(
          Locale.ROOT,
          "NOT PRIVATE. A fit by %s of %,d raw rows, for comparison only. Its error (RMSE) is %s.",
          loss,
          Math.round(report.rows()),
          Rounded.significant(report.errors().get().rmse()));
    }
    double rows = report.rows();
    FitReport.Outlook outlook = report.outlook().orElseThrow();
    return String.format(
        Locale.ROOT,
        "A fit by %s of %s%s. Its error %s: %s.",
        loss,
        releases(),
        Double.isNaN(rows) ? "" : String.format(Locale.ROOT, ", about %,.0f rows", rows),
        excess(outlook.excess()),
        outlook.verdict());
  }

  private static String excess(double value) {
    return Double.isNaN(value)
        ? "cannot be predicted"
        : "is predicted to be " + Figures.excess(value) + " above that of the fit without privacy";
  }

  private String releases() {
    List<String> ids = new ArrayList<>();
    report.guarantee().path("releases").forEach(id -> ids.add(id.asText()));
    return report.guarantee().has("streams")
        ? "the releases " + String.join(", ", ids)
        : ids.size() <= 1
            ? "release " + String.join("", ids)
            : ids.size() + " releases, " + ids.get(0) + " to " + ids.get(ids.size() - 1);
  }

  private void addNumbers(HtmlPage html) {
    String shown = Figures.number(100 * report.level()) + " % interval";
    html.section("The answer").plot(EffectsPlot.svg(report));
    html.text(
        "The plot shows how much the response changes from one end of a column's public range to the"
            + " other, all else equal; for a category, from the first one. The table has the"
            + " coefficients in "
            + (report.model().userUnits() ? "the columns' own units." : "the encoded scale."));
    html.table(
        List.of("term", "coefficient", "standard error", shown),
        report.terms().stream().map(FitPage::line).toList());
    html.text(
        ofRows()
            ? "Standard errors count the sampling of rows."
            : "Standard errors and intervals count the sampling of rows and the noise of the release."
                + " A withheld one cannot be told honestly from this release."
                + (report.isCentred()
                    ? ""
                    : " Intervals need not be around the coefficient, which is drawn to 0 for the noise."));
    report.streams().ifPresent(streams -> addStreams(html, streams));
  }

  private void addStreams(HtmlPage html, StreamFits streams) {
    html.section("By stream");
    html.table(streams.heads(), streams.cells(report.names()));
    html.text(streams.sentence(report.names()));
  }

  static List<String> line(Term term) {
    double error = term.stdError();
    return List.of(
        term.name(),
        Rounded.of(term.estimate(), error),
        Rounded.of(error, error),
        term.isWithheld()
            ? "withheld"
            : Rounded.of(term.confLow(), error) + " to " + Rounded.of(term.confHigh(), error));
  }

  private static void addRows(HtmlPage html) {
    html.section("What is promised, and what it cost")
        .warning(
            "Nothing is promised: this fit comes from the rows themselves and is NOT private. Do"
                + " not publish it. Private fits come from releases: gauze fit.");
  }

  private String cost() {
    return report.guarantee().has("streams")
        ? "The releases cost what the guarantees of their streams say."
        : "The release cost what its guarantee says: epsilon "
            + report.guarantee().path("epsilon").asText()
            + " and delta "
            + report.guarantee().path("delta").asText()
            + ".";
  }

  private void addGuarantee(HtmlPage html) {
    html.section("What is promised").text(report.guarantee().path("summary").asText());
    html.section("What it cost")
        .text(
            "This fit cost no privacy (0 epsilon): it was computed from what is published already."
                + " So will be every further fit. "
                + cost());
  }
}
