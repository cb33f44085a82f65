package io.gauze.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.row.RowSchema;
import io.gauze.row.UserUnits;
import io.gauze.solve.CoefficientTable;
import io.gauze.solve.ExactRows;
import io.gauze.solve.Fit;
import io.gauze.solve.Loss;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A fit as a table or as JSON, in the user's units or the encoded scale.
 *
 * <p>In the user's units the objective is in those of the response (squared, but for lad and
 * quantile); lambda always belongs to the encoded scale.
 *
 * @param fit what came out
 * @param coefficients in the wanted scale
 * @param userUnits whether that is the user's
 * @param objective in the wanted scale; like the next two only where rows are at hand
 * @param rmse root mean squared residual
 * @param mae mean absolute residual
 * @param guarantee what is promised to whom the rows are about
 */
record FitReport(
    Fit fit,
    CoefficientTable coefficients,
    boolean userUnits,
    OptionalDouble objective,
    OptionalDouble rmse,
    OptionalDouble mae,
    Map<String, Object> guarantee) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Of a fit without rows. */
  static FitReport ofRelease(
      Fit fit, RowSchema schema, boolean userUnits, Map<String, Object> guarantee) {
    OptionalDouble none = OptionalDouble.empty();
    return new FitReport(
        fit, table(fit, schema, userUnits), userUnits, none, none, none, guarantee);
  }

  /** Of a fit of these rows. */
  static FitReport ofRows(Fit fit, RowSchema schema, boolean userUnits, ExactRows rows) {
    double unit = userUnits ? unit(fit, schema) : 1.0;
    boolean linear = fit.problem().loss() instanceof Loss.Quantile;
    double objective = rows.objective(fit) * unit * (linear ? 1.0 : unit);
    Map<String, Object> none = new LinkedHashMap<>();
    none.put("private", false);
    none.put("text", "none: the fit comes from the rows themselves and is NOT private");
    return new FitReport(
        fit,
        table(fit, schema, userUnits),
        userUnits,
        OptionalDouble.of(objective),
        OptionalDouble.of(rows.rmse(fit) * unit),
        OptionalDouble.of(rows.mae(fit) * unit),
        none);
  }

  private static CoefficientTable table(Fit fit, RowSchema schema, boolean userUnits) {
    return userUnits ? fit.inUserUnits(schema) : fit.encoded();
  }

  private static double unit(Fit fit, RowSchema schema) {
    return UserUnits.of(schema, fit.problem().response()).responseScale();
  }

  String json() {
    ObjectNode top = JSON.createObjectNode();
    top.put("response", fit.problem().responseName());
    top.put("loss", fit.loss());
    top.put("lambda", fit.lambda());
    top.put("alpha", fit.problem().penalty().alpha());
    if (fit.problem().loss() instanceof Loss.Quantile quantile) {
      top.put("quantile", quantile.tau());
    }
    if (fit.problem().loss() instanceof Loss.Huber huber) {
      top.put("huberThreshold", huber.threshold());
    }
    top.put("freeIntercept", fit.problem().penalty().freeIntercept());
    top.put("scale", userUnits ? "user" : "encoded");
    if (rmse.isPresent()) {
      top.put("n", Math.round(fit.rows()));
    } else {
      top.put("rowsEstimate", fit.rows());
      top.put("predictedExcess", fit.predictedExcess());
    }
    ObjectNode estimates = top.putObject("coefficients");
    ObjectNode errors = top.putObject("standardErrors");
    for (int k = 0; k < coefficients.names().size(); k++) {
      String name = coefficients.names().get(k);
      estimates.put(name, coefficients.estimates().get(k));
      errors.put(name, coefficients.standardErrors().get(k));
    }
    objective.ifPresent(value -> top.put("objective", value));
    rmse.ifPresent(value -> top.put("rmse", value));
    mae.ifPresent(value -> top.put("mae", value));
    top.put("iterations", fit.convergence().iterations());
    top.put("relativeGap", fit.convergence().relativeGap());
    top.set("guarantee", JSON.valueToTree(guarantee));
    top.set("warnings", JSON.valueToTree(fit.warnings()));
    try {
      return JSON.writeValueAsString(top) + System.lineSeparator();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }

  String table() {
    String end = System.lineSeparator();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "What explains %s, by %s, in %s%n%n",
            fit.problem().responseName(),
            fit.loss(),
            userUnits ? "the user's units" : "the encoded scale"));
    text.append(numbers()).append(end).append(facts()).append(end);
    text.append("Guarantee: ")
        .append(guarantee.getOrDefault("sentence", guarantee.get("text")))
        .append(end);
    fit.warnings().forEach(warning -> text.append("warning: ").append(warning).append(end));
    return text.toString();
  }

  private TextTable numbers() {
    TextTable lines = TextTable.ofNumbers();
    lines.row("", "coefficient", "standard error");
    for (int k = 0; k < coefficients.names().size(); k++) {
      lines.row(
          coefficients.names().get(k),
          number(coefficients.estimates().get(k)),
          number(coefficients.standardErrors().get(k)));
    }
    return lines;
  }

  private TextTable facts() {
    TextTable lines = new TextTable();
    rmse.ifPresent(value -> lines.row("rows", Long.toString(Math.round(fit.rows()))));
    if (rmse.isEmpty()) {
      lines.row("rows, about", String.format(Locale.ROOT, "%.4g", fit.rows()));
      lines.row(
          "expected excess",
          String.format(
              Locale.ROOT,
              "%.3g %% above the error of the non-private fit",
              100.0 * fit.predictedExcess()));
    }
    rmse.ifPresent(value -> lines.row("RMSE", number(value)));
    mae.ifPresent(value -> lines.row("MAE", number(value)));
    objective.ifPresent(value -> lines.row("objective", number(value)));
    lines.row("lambda", number(fit.lambda()));
    return lines;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
