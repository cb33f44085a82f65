package io.gauze.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Locale;

/** A fit, from this program or from an answer of the solver, as it is shown. */
public final class FitTable {
  private final JsonNode fit;

  private FitTable(JsonNode fit) {
    this.fit = fit;
  }

  /** The report as a line of JSON, or as text for people. */
  public static String of(JsonNode report, boolean json) {
    return json ? report + System.lineSeparator() : new FitTable(report).text();
  }

  private String text() {
    String end = System.lineSeparator();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "What explains %s, by %s, in %s%n%n",
            fit.path("response").asText(),
            fit.path("loss").asText(),
            fit.path("scale").asText().equals("user") ? "the user's units" : "the encoded scale"));
    text.append(numbers()).append(end).append(facts()).append(end);
    JsonNode guarantee = fit.path("guarantee");
    text.append("Guarantee: ")
        .append(guarantee.path("sentence").asText(guarantee.path("text").asText()))
        .append(end);
    for (JsonNode warning : fit.path("warnings")) {
      text.append("warning: ").append(warning.asText()).append(end);
    }
    return text.toString();
  }

  private TextTable numbers() {
    TextTable lines = TextTable.ofNumbers();
    lines.row("", "coefficient", "standard error");
    for (Iterator<String> names = fit.path("coefficients").fieldNames(); names.hasNext(); ) {
      String name = names.next();
      lines.row(
          name,
          number(fit.path("coefficients").path(name)),
          number(fit.path("standardErrors").path(name)));
    }
    return lines;
  }

  private TextTable facts() {
    TextTable lines = new TextTable();
    if (fit.has("n")) {
      lines.row("rows", fit.path("n").asText());
    } else {
      lines.row(
          "rows, about", String.format(Locale.ROOT, "%.4g", fit.path("rowsEstimate").asDouble()));
      lines.row(
          "predicted excess",
          String.format(
              Locale.ROOT,
              "%.3g %% above the error of the non-private fit",
              100.0 * fit.path("predictedExcess").asDouble()));
    }
    row(lines, "RMSE", "rmse");
    row(lines, "MAE", "mae");
    row(lines, "objective", "objective");
    row(lines, "lambda", "lambda");
    return lines;
  }

  private void row(TextTable lines, String name, String key) {
    if (fit.has(key)) {
      lines.row(name, number(fit.path(key)));
    }
  }

  /** What is not finite stands as text in JSON. */
  private static String number(JsonNode value) {
    return String.format(Locale.ROOT, "%.6g", Double.parseDouble(value.asText()));
  }
}
