package io.gauze.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.message.Message;
import io.gauze.regression.FitQuality;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Penalty;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A fit as a table for people: a fit of this program, or one in an answer of the solver.
 *
 * @param loss its name for people
 * @param level the probability of the intervals
 * @param rows how many rows were fitted; an estimate if {@code predictedExcess} is present
 * @param predictedExcess empty for a fit of rows; NaN if it is not known
 * @param verdict the word for it; empty for a fit of rows
 * @param facts the known figures of the fit, by name
 */
public record FitTable(
    String response,
    String loss,
    boolean userUnits,
    List<Term> terms,
    double level,
    double rows,
    OptionalDouble predictedExcess,
    String verdict,
    Map<String, String> facts,
    String guarantee,
    List<Message> warnings) {
  private static final String R_SQUARED = "R squared";
  private static final String RESIDUAL_SCALE = "residual scale";
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  /** Returns the report of a fit of this program, with a sentence of its guarantee. */
  public static Report of(FitReport report) {
    return of(report, Optional.empty(), false);
  }

  /**
   * Returns the report of a fit of this program.
   *
   * @param level the probability of the intervals; empty: the usual one, and its JSON has none
   * @param whole whether people see the whole guarantee instead of a sentence
   */
  public static Report of(FitReport report, Optional<Double> level, boolean whole) {
    Map<String, String> facts = new LinkedHashMap<>();
    report.summary().ifPresent(summary -> facts.putAll(facts(summary)));
    report.rmse().ifPresent(value -> facts.put("RMSE", number(value)));
    report.mae().ifPresent(value -> facts.put("MAE", number(value)));
    report.objective().ifPresent(value -> facts.put("objective", number(value)));
    facts.put("lambda", lambda(report.fit().lambda()));
    boolean ofRows = report.rmse().isPresent();
    double shown = level.orElse(Term.USUAL_LEVEL);
    return new FitTable(
            report.fit().problem().responseName(),
            Figures.loss(report.fit().loss(), report.fit().lambda()),
            report.userUnits(),
            report.terms(shown),
            shown,
            report.fit().rows(),
            ofRows ? OptionalDouble.empty() : OptionalDouble.of(report.fit().predictedExcess()),
            report.verdict().map(FitQuality::word).orElse(""),
            facts,
            guarantee(report.guarantee(), whole),
            report.fit().warnings())
        .report(level.isPresent() ? report.json(level.get()) : report.json());
  }

  private static String lambda(double value) {
    return value < Penalty.LARGEST ? Figures.number(value) : "infinite: a constant";
  }

  private static Map<String, String> facts(FitSummary summary) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(R_SQUARED, shown(summary.rSquared()));
    facts.put(RESIDUAL_SCALE, shown(summary.residualScale()));
    return facts;
  }

  /** Returns the facts of the summary of an answer; of rows there is none. */
  private static Map<String, String> facts(JsonNode summary) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (summary.isObject()) {
      facts.put(R_SQUARED, shown(estimate(summary.path("rSquared"))));
      facts.put(RESIDUAL_SCALE, shown(estimate(summary.path("residualScale"))));
    }
    return facts;
  }

  private static FitSummary.Estimate estimate(JsonNode json) {
    return new FitSummary.Estimate(
        parsed(json.path("estimate")),
        parsed(json.path("samplingError")),
        parsed(json.path("privacyError")),
        json.has("reason") ? Optional.of(json.path("reason").asText()) : Optional.empty());
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

  /** Returns the terms of a fit in an answer, with its intervals. */
  public static List<Term> terms(JsonNode answer) {
    List<Term> terms = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : answer.path("coefficients").properties()) {
      String name = each.getKey();
      terms.add(
          new Term(
              name,
              parsed(each.getValue()),
              parsed(answer.path("standardErrors").path(name)),
              parsed(answer.path("statistic").path(name)),
              parsed(answer.path("pValue").path(name)),
              parsed(answer.path("confLow").path(name)),
              parsed(answer.path("confHigh").path(name))));
    }
    return terms;
  }

  /**
   * Returns the report of a fit in an answer.
   *
   * @param whole whether people see the whole guarantee instead of a sentence
   */
  public static Report of(JsonNode answer, boolean whole) {
    Map<String, String> facts = facts(answer.path("summary"));
    for (String name : List.of("RMSE", "MAE", "objective", "lambda")) {
      String key = name.toLowerCase(Locale.ROOT);
      if (answer.has(key)) {
        double value = parsed(answer.path(key));
        facts.put(name, key.equals("lambda") ? Figures.number(value) : number(value));
      }
    }
    boolean ofRows = answer.has("n");
    return new FitTable(
            answer.path("response").asText(),
            Figures.loss(answer.path("loss").asText(), parsed(answer.path("lambda"))),
            answer.path("scale").asText().equals("user"),
            terms(answer),
            answer.path("level").asDouble(Term.USUAL_LEVEL),
            parsed(answer.path(ofRows ? "n" : "rowsEstimate")),
            ofRows
                ? OptionalDouble.empty()
                : OptionalDouble.of(parsed(answer.path("predictedExcess"))),
            answer.path("verdict").asText(),
            facts,
            guarantee(answer.path("guarantee"), whole),
            Messages.of(answer))
        .report(answer);
  }

  /**
   * Parses a number, which is a text in JSON if it is not finite, and null or missing if it is
   * withheld.
   */
  private static double parsed(JsonNode value) {
    return value.isNull() || value.isMissingNode()
        ? Double.NaN
        : Double.parseDouble(value.asText());
  }

  /**
   * Returns the guarantee for people: a fit of rows has a text, a release no summary if it is old.
   */
  static String guarantee(JsonNode guarantee, boolean whole) {
    String all = guarantee.path("sentence").asText(guarantee.path("text").asText());
    return whole ? all : guarantee.path("summary").asText(all);
  }

  private Report report(JsonNode json) {
    Report report = new Report();
    json.properties().forEach(each -> report.field(each.getKey(), each.getValue()));
    report
        .text(
            String.format(
                Locale.ROOT,
                "What explains %s, by %s, in %s",
                response,
                loss,
                userUnits ? "the user's units" : "the encoded scale"))
        .gap()
        .table(columns(level), terms)
        .gap();
    if (predictedExcess.isEmpty()) {
      report.line("rows", String.format(Locale.ROOT, "%,d", Math.round(rows)));
    } else {
      report
          .line("rows, about", Double.isNaN(rows) ? "not released" : estimate())
          .line("predicted excess", excess(predictedExcess.getAsDouble()) + ": " + verdict);
    }
    facts.forEach(report::line);
    report.gap().text("Guarantee: " + guarantee);
    Messages.lines(warnings).forEach(report::note);
    return report;
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

  private String estimate() {
    return String.format(Locale.ROOT, "%,.0f", new BigDecimal(rows).round(FOUR_DIGITS));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
