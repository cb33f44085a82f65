package io.gauze.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Verdict;
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
 * @param rows how many rows were fitted; an estimate if {@code predictedExcess} is present
 * @param predictedExcess empty for a fit of rows
 * @param verdict the word for it; empty for a fit of rows
 * @param facts the known figures of the fit, by name
 */
public record FitTable(
    String response,
    String loss,
    boolean userUnits,
    List<Coefficient> coefficients,
    double rows,
    OptionalDouble predictedExcess,
    String verdict,
    Map<String, Double> facts,
    String guarantee,
    List<String> warnings) {
  private static final Columns<Coefficient> COLUMNS =
      Columns.<Coefficient>ofNumbers()
          .cell("", Coefficient::name)
          .cell("coefficient", each -> number(each.estimate()))
          .cell(
              "standard error",
              each -> Double.isNaN(each.standardError()) ? "-" : number(each.standardError()));

  /**
   * A term of the model.
   *
   * @param standardError NaN if it is withheld
   */
  public record Coefficient(String name, double estimate, double standardError) {}

  /** Returns the report of a fit of this program. */
  public static Report of(FitReport report) {
    return of(report, Optional.empty());
  }

  /**
   * Returns the report of a fit of this program.
   *
   * @param level the probability of the intervals in its JSON; empty: it has none
   */
  public static Report of(FitReport report, Optional<Double> level) {
    Map<String, Double> facts = new LinkedHashMap<>();
    report.rmse().ifPresent(value -> facts.put("RMSE", value));
    report.mae().ifPresent(value -> facts.put("MAE", value));
    report.objective().ifPresent(value -> facts.put("objective", value));
    facts.put("lambda", report.fit().lambda());
    boolean ofRows = report.rmse().isPresent();
    return new FitTable(
            report.fit().problem().responseName(),
            report.fit().loss(),
            report.userUnits(),
            coefficients(report.coefficients()),
            report.fit().rows(),
            ofRows ? OptionalDouble.empty() : OptionalDouble.of(report.fit().predictedExcess()),
            report.verdict().map(Verdict::word).orElse(""),
            facts,
            guarantee(report.guarantee()),
            report.fit().warnings())
        .report(level.isPresent() ? report.json(level.get()) : report.json());
  }

  private static List<Coefficient> coefficients(CoefficientTable table) {
    List<Coefficient> coefficients = new ArrayList<>();
    for (int k = 0; k < table.names().size(); k++) {
      coefficients.add(
          new Coefficient(
              table.names().get(k), table.estimates().get(k), table.standardErrors().get(k)));
    }
    return coefficients;
  }

  private static List<Coefficient> coefficients(JsonNode answer) {
    List<Coefficient> coefficients = new ArrayList<>();
    JsonNode errors = answer.path("standardErrors");
    for (Map.Entry<String, JsonNode> each : answer.path("coefficients").properties()) {
      String name = each.getKey();
      coefficients.add(new Coefficient(name, parsed(each.getValue()), parsed(errors.path(name))));
    }
    return coefficients;
  }

  /** Returns the terms of a fit in an answer, with intervals of this level. */
  public static List<Term> terms(JsonNode answer, double level) {
    return coefficients(answer).stream()
        .map(each -> Term.of(each.name(), each.estimate(), each.standardError(), level))
        .toList();
  }

  /** Returns the report of a fit in an answer. */
  public static Report of(JsonNode answer) {
    List<Coefficient> coefficients = coefficients(answer);
    Map<String, Double> facts = new LinkedHashMap<>();
    for (String name : List.of("RMSE", "MAE", "objective", "lambda")) {
      String key = name.toLowerCase(Locale.ROOT);
      if (answer.has(key)) {
        facts.put(name, parsed(answer.path(key)));
      }
    }
    boolean ofRows = answer.has("n");
    List<String> warnings = new ArrayList<>();
    answer.path("warnings").forEach(warning -> warnings.add(warning.asText()));
    return new FitTable(
            answer.path("response").asText(),
            answer.path("loss").asText(),
            answer.path("scale").asText().equals("user"),
            coefficients,
            parsed(answer.path(ofRows ? "n" : "rowsEstimate")),
            ofRows
                ? OptionalDouble.empty()
                : OptionalDouble.of(answer.path("predictedExcess").asDouble()),
            answer.path("verdict").asText(),
            facts,
            guarantee(answer.path("guarantee")),
            warnings)
        .report(answer);
  }

  /** Parses a number, which is a text in JSON if it is not finite, and null if it is withheld. */
  private static double parsed(JsonNode value) {
    return value.isNull() ? Double.NaN : Double.parseDouble(value.asText());
  }

  private static String guarantee(JsonNode guarantee) {
    return guarantee.path("sentence").asText(guarantee.path("text").asText());
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
        .table(COLUMNS, coefficients)
        .gap();
    if (predictedExcess.isEmpty()) {
      report.line("rows", Long.toString(Math.round(rows)));
    } else {
      report
          .line("rows, about", Double.isNaN(rows) ? "not released" : estimate())
          .line(
              "predicted excess",
              String.format(
                  Locale.ROOT,
                  "%.3g %% above the error of the non-private fit: %s",
                  100.0 * predictedExcess.getAsDouble(),
                  verdict));
    }
    facts.forEach((name, value) -> report.line(name, number(value)));
    report.gap().text("Guarantee: " + guarantee);
    warnings.forEach(warning -> report.text("warning: " + warning));
    return report;
  }

  private String estimate() {
    return String.format(Locale.ROOT, "%.4g", rows);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
