package io.gauze.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.fit.FitReport;
import io.gauze.fit.StreamFits;
import io.gauze.fit.Term;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Penalty;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/** A fit as a table for people: a fit of this program, or one in an answer of the solver. */
public final class FitTable {
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  private FitTable() {}

  /**
   * Returns the report of a fit.
   *
   * @param json what programs see
   * @param whole whether people see the whole guarantee instead of a sentence
   */
  public static Report of(FitReport fit, JsonNode json, boolean whole) {
    Report report = new Report();
    json.properties().forEach(each -> report.field(each.getKey(), each.getValue()));
    FitReport.Model model = fit.model();
    report
        .text(
            String.format(
                Locale.ROOT,
                "What explains %s, by %s, in %s",
                model.response(),
                Figures.loss(model.lossName(), model.lambda()),
                model.userUnits() ? "the user's units" : "the encoded scale"))
        .gap()
        .table(columns(fit.level()), fit.terms())
        .gap();
    addFacts(report, fit);
    fit.streams().ifPresent(streams -> addStreams(report, fit, streams));
    report.gap().text("Guarantee: " + guarantee(fit.guarantee(), whole));
    Messages.lines(fit.messages()).forEach(report::note);
    return report;
  }

  private static void addStreams(Report report, FitReport fit, StreamFits streams) {
    Columns<List<String>> columns = Columns.ofNumbers();
    List<String> heads = streams.heads();
    for (int k = 0; k < heads.size(); k++) {
      int column = k;
      columns.cell(heads.get(k), line -> line.get(column));
    }
    report
        .gap()
        .text("By stream, with standard errors")
        .gap()
        .table(columns, streams.cells(fit.names()))
        .gap()
        .text(streams.sentence(fit.names()));
  }

  private static void addFacts(Report report, FitReport fit) {
    if (fit.outlook().isEmpty()) {
      report.line("rows", String.format(Locale.ROOT, "%,d", Math.round(fit.rows())));
    }
    fit.outlook()
        .ifPresent(
            outlook ->
                report
                    .line("rows, about", rows(fit.rows()))
                    .line("predicted excess", excess(outlook.excess()) + ": " + outlook.verdict()));
    fit.summary()
        .ifPresent(
            summary -> {
              report
                  .line("R squared", shown(summary.rSquared()))
                  .line("residual scale", shown(summary.residualScale()));
              summary.shortened().ifPresent(part -> report.line("cut off long rows", share(part)));
            });
    fit.errors()
        .ifPresent(
            errors ->
                report
                    .line("RMSE", number(errors.rmse()))
                    .line("MAE", number(errors.mae()))
                    .line("objective", number(errors.objective())));
    double lambda = fit.model().lambda();
    report.line(
        "lambda", lambda < Penalty.LARGEST ? Figures.number(lambda) : "infinite: a constant");
  }

  private static String share(FitSummary.Estimate part) {
    return part.reason().isPresent()
        ? shown(part)
        : percent(part.value()) + " ± " + percent(part.standardError()) + " of the weight";
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, share < 0.1 ? "%.2f %%" : "%.0f %%", 100.0 * share);
  }

  private static String shown(FitSummary.Estimate estimate) {
    return estimate
        .reason()
        .map(reason -> "- (" + reason + ")")
        .orElseGet(
            () ->
                String.format(
                    Locale.ROOT, "%.4g ± %.2g", estimate.value(), estimate.standardError()));
  }

  /**
   * Returns the guarantee for people: a fit of rows has a text, a release no summary if it is old.
   */
  static String guarantee(JsonNode guarantee, boolean whole) {
    String all = guarantee.path("sentence").asText(guarantee.path("text").asText());
    return whole ? all : guarantee.path("summary").asText(all);
  }

  private static String excess(double value) {
    return Figures.excess(value)
        + (Double.isNaN(value) ? "" : " above the error of the non-private fit");
  }

  private static Columns<Term> columns(double level) {
    return Columns.<Term>ofNumbers()
        .cell("", Term::name)
        .cell("coefficient", each -> number(each.estimate()))
        .cell(
            "standard error", each -> Double.isNaN(each.stdError()) ? "-" : number(each.stdError()))
        .cell(
            Figures.number(100.0 * level) + " % interval",
            each ->
                each.isWithheld()
                    ? "-"
                    : number(each.confLow()) + " to " + number(each.confHigh()));
  }

  private static String rows(double rows) {
    return Double.isNaN(rows)
        ? "not released"
        : String.format(Locale.ROOT, "%,.0f", new BigDecimal(rows).round(FOUR_DIGITS));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
