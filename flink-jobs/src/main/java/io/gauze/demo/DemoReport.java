package io.gauze.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.demo.DemoResult.DemoFit;
import io.gauze.report.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The demo's result as a table or as JSON. */
final class DemoReport {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private DemoReport() {}

  static String json(DemoResult result) throws JsonProcessingException {
    ObjectNode top = JSON.createObjectNode();
    top.put("rows", result.rows());
    top.put("deadLetters", result.rejected());
    top.put("seconds", result.seconds());
    top.put("rowsPerSecond", result.rowsPerSecond());
    top.put("response", result.response());
    top.set("truth", JSON.valueToTree(result.truth()));
    result.fits().forEach(fit -> add(top.withArrayProperty("fits").addObject(), fit));
    result
        .alternatives()
        .forEach(fit -> add(top.withArrayProperty("alternatives").addObject(), fit));
    result.files().forEach(file -> top.withArrayProperty("releases").add(file.toString()));
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(top) + System.lineSeparator();
  }

  private static void add(ObjectNode node, DemoFit fit) {
    node.put("source", fit.source());
    node.put("loss", fit.loss());
    node.set("coefficients", JSON.valueToTree(fit.coefficients()));
    node.set("standardErrors", JSON.valueToTree(fit.standardErrors()));
    fit.rmse().ifPresent(rmse -> node.put("rmse", rmse));
    fit.excessRmse().ifPresent(excess -> node.put("excessRmse", excess));
    node.put("guarantee", fit.guarantee().orElse("none: not private"));
    node.set("warnings", JSON.valueToTree(fit.warnings()));
  }

  private static String alternatives(DemoResult result) {
    if (result.alternatives().isEmpty()) {
      return "";
    }
    TextTable lines = TextTable.ofNumbers();
    lines.row("", "loss", "RMSE", "excess RMSE");
    StringBuilder reasons = new StringBuilder();
    for (DemoFit fit : result.alternatives()) {
      lines.row(
          fit.source(),
          fit.loss(),
          fit.rmse().map(DemoReport::number).orElse("none"),
          fit.excessRmse().map(DemoReport::percent).orElse(""));
      fit.warnings()
          .forEach(
              warning ->
                  reasons
                      .append(fit.source())
                      .append(": ")
                      .append(warning)
                      .append(System.lineSeparator()));
    }
    return String.format(
        Locale.ROOT,
        "Every mechanism on these rows, each with the whole budget: alternatives, of which one would be published."
            + " Publishing several would spend the budget several times; these were not kept.%n%n%s%n%s%n",
        lines,
        reasons);
  }

  static String table(DemoResult result) {
    TextTable lines = TextTable.ofNumbers();
    lines.row(header(result));
    for (String name : names(result)) {
      lines.row(coefficients(name, result));
    }
    lines.row(errors("RMSE", result, fit -> fit.rmse().map(DemoReport::number)));
    lines.row(errors("excess RMSE", result, fit -> fit.excessRmse().map(DemoReport::percent)));
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%nWhat explains %s, in the user's units (± standard error: sampling and privacy noise)%n%n",
            result.response()));
    text.append(lines).append(System.lineSeparator());
    text.append(alternatives(result));
    text.append(
        String.format(
            Locale.ROOT,
            "%,d rows sketched in %.1f s: %,.0f rows/s, from the job's start to the last release. Dead letters: %,d.%n%n",
            result.rows(),
            result.seconds(),
            result.rowsPerSecond(),
            result.rejected()));
    text.append(result.guarantee()).append(System.lineSeparator());
    text.append(
            "That holds for the releases, not for this table: its non-private fit, RMSE and numbers of rows come from the rows"
                + " themselves.")
        .append(System.lineSeparator());
    for (DemoFit fit : result.fits()) {
      fit.warnings()
          .forEach(
              warning ->
                  text.append("warning: ")
                      .append(fit.source())
                      .append(": ")
                      .append(warning)
                      .append(System.lineSeparator()));
    }
    text.append(System.lineSeparator()).append("Releases: ");
    text.append(String.join(", ", result.files().stream().map(Object::toString).toList()))
        .append(System.lineSeparator());
    text.append(next(result));
    return text.toString();
  }

  private static String[] header(DemoResult result) {
    List<String> cells = new ArrayList<>(List.of(""));
    if (!result.truth().isEmpty()) {
      cells.add("truth");
    }
    result.fits().forEach(fit -> cells.add(fit.source()));
    return cells.toArray(new String[0]);
  }

  private static Set<String> names(DemoResult result) {
    Set<String> names = new LinkedHashSet<>();
    result.fits().forEach(fit -> names.addAll(fit.coefficients().keySet()));
    return names;
  }

  private static String[] coefficients(String name, DemoResult result) {
    List<String> cells = new ArrayList<>(List.of(name));
    if (!result.truth().isEmpty()) {
      cells.add(Optional.ofNullable(result.truth().get(name)).map(DemoReport::number).orElse(""));
    }
    for (DemoFit fit : result.fits()) {
      cells.add(withError(fit.coefficients().get(name), fit.standardErrors(), name));
    }
    return cells.toArray(new String[0]);
  }

  private static String withError(Double value, Map<String, Double> errors, String name) {
    if (value == null) {
      return "none";
    }
    return number(value)
        + Optional.ofNullable(errors.get(name)).map(error -> " ± " + number(error)).orElse("");
  }

  private interface Cell {
    Optional<String> of(DemoFit fit);
  }

  private static String[] errors(String name, DemoResult result, Cell cell) {
    List<String> cells = new ArrayList<>(List.of(name));
    if (!result.truth().isEmpty()) {
      cells.add("");
    }
    result.fits().forEach(fit -> cells.add(cell.of(fit).orElse("")));
    return cells.toArray(new String[0]);
  }

  private static String number(double value) {
    double size = Math.abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e7)) {
      return String.format(Locale.ROOT, "%.3e", value);
    }
    int digits = size >= 1000 ? 1 : size >= 10 ? 3 : 5;
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.4f %%", 100 * share);
  }

  private static String next(DemoResult result) {
    return String.format(
        Locale.ROOT,
        "Next: %s--epsilon 0.2 for a tighter promise; --response COLUMN to explain another column%s%s.%n",
        result.csv() ? "" : "./gauze demo --csv FILE --config FILE for your own rows; ",
        result.csv() ? "" : "; --faulty 0 without faulty meters",
        result.alternatives().isEmpty() ? "; --all for every mechanism" : "");
  }
}
