package io.gauze.fit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.linalg.DoubleVector;
import io.gauze.message.Message;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.CoefficientTable.Interval;
import io.gauze.regression.Fit;
import io.gauze.regression.FitQuality;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Loss;
import io.gauze.regression.rows.ExactRows;
import io.gauze.row.RowSchema;
import io.gauze.row.UserUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A fit as JSON, in the user's units or in the encoded scale.
 *
 * <p>In the user's units, the objective is in squared units of the response (for lad and quantile
 * in units of the response). Lambda is always that of the encoded scale.
 *
 * @param fit the fit
 * @param coefficients the coefficients in the wanted scale
 * @param effects the change of the response, in its unit (for logistic: of the log odds), over the
 *     public range of each column that explains it; for a category, against the first one
 * @param userUnits whether that scale is the user's
 * @param verdict what the predicted excess means; empty for a fit of rows
 * @param objective the objective in the wanted scale; only for fits of rows, as are the next two
 * @param rmse root mean squared residual
 * @param mae mean absolute residual
 * @param summary what the release says of the fit as a whole, in the wanted scale; empty for rows
 * @param guarantee the privacy guarantee of the fit
 */
public record FitReport(
    Fit fit,
    CoefficientTable coefficients,
    CoefficientTable effects,
    boolean userUnits,
    Optional<FitQuality> verdict,
    OptionalDouble objective,
    OptionalDouble rmse,
    OptionalDouble mae,
    Optional<FitSummary> summary,
    ObjectNode guarantee) {
  /** Returns the report of a fit of a release, without rows. */
  static FitReport ofRelease(Fit fit, FitSource source, boolean userUnits) {
    RowSchema schema = source.schema();
    double unit = userUnits ? unit(fit, schema) : 1.0;
    FitSummary encoded = source.summary(fit);
    OptionalDouble none = OptionalDouble.empty();
    return new FitReport(
        fit,
        table(fit, schema, userUnits),
        effects(fit, schema),
        userUnits,
        Optional.of(source.verdict(fit)),
        none,
        none,
        none,
        Optional.of(
            new FitSummary(
                encoded.rows(), encoded.rSquared(), encoded.residualScale().times(unit))),
        source.guarantee());
  }

  /** Returns the report of a fit of these rows. */
  public static FitReport ofRows(Fit fit, RowSchema schema, boolean userUnits, ExactRows rows) {
    double unit = userUnits ? unit(fit, schema) : 1.0;
    double objective = fit.problem().loss().accept(new Objective(rows.objective(fit), unit));
    ObjectNode none = JsonNodeFactory.instance.objectNode();
    none.put("private", false);
    none.put("text", "none: the fit comes from the rows themselves and is NOT private");
    return new FitReport(
        fit,
        table(fit, schema, userUnits),
        effects(fit, schema),
        userUnits,
        Optional.empty(),
        OptionalDouble.of(objective),
        OptionalDouble.of(rows.rmse(fit) * unit),
        OptionalDouble.of(rows.mae(fit) * unit),
        Optional.empty(),
        none);
  }

  private static CoefficientTable table(Fit fit, RowSchema schema, boolean userUnits) {
    return userUnits ? fit.inUserUnits(schema) : fit.encoded();
  }

  private static CoefficientTable effects(Fit fit, RowSchema schema) {
    CoefficientTable user = fit.inUserUnits(schema);
    List<String> names = new ArrayList<>(user.names());
    names.retainAll(schema.encodedNames().subList(1, schema.dimension()));
    int[] terms = names.stream().mapToInt(user.names()::indexOf).toArray();
    double[] ranges =
        names.stream()
            .mapToInt(schema.encodedNames()::indexOf)
            .mapToDouble(column -> schema.upper(column) - schema.lower(column))
            .toArray();
    return user.scaled(terms, ranges);
  }

  private static double unit(Fit fit, RowSchema schema) {
    return UserUnits.of(schema, fit.problem().response()).responseScale();
  }

  /** An objective in the unit of its loss, for residuals of this unit. */
  private record Objective(double encoded, double unit) implements Loss.Reader<Double> {
    @Override
    public Double squared() {
      return encoded * unit * unit;
    }

    @Override
    public Double quantile(Loss.Quantile quantile) {
      return encoded * unit;
    }

    @Override
    public Double huber(Loss.Huber huber) {
      return encoded * unit * unit;
    }

    @Override
    public Double logistic() {
      return encoded;
    }
  }

  /** Adds the parameter of a loss, if it has one. */
  private record LossParameter(ObjectNode top) implements Loss.Reader<ObjectNode> {
    @Override
    public ObjectNode squared() {
      return top;
    }

    @Override
    public ObjectNode quantile(Loss.Quantile quantile) {
      return top.put("quantile", quantile.tau());
    }

    @Override
    public ObjectNode huber(Loss.Huber huber) {
      return top.put("huberThreshold", huber.threshold());
    }

    @Override
    public ObjectNode logistic() {
      return top;
    }
  }

  /** Puts a number, or null if it is withheld. */
  static void putOrNull(ObjectNode object, String name, double value) {
    if (Double.isNaN(value)) {
      object.putNull(name);
    } else {
      object.put(name, value);
    }
  }

  /**
   * Returns the terms of the model with intervals.
   *
   * @param level the probability of each interval, in (0, 1)
   */
  public List<Term> terms(double level) {
    return terms(coefficients, level);
  }

  /**
   * Returns the effects with intervals.
   *
   * @param level the probability of each interval, in (0, 1)
   */
  public List<Term> effects(double level) {
    return terms(effects, level);
  }

  private static List<Term> terms(CoefficientTable table, double level) {
    List<Interval> intervals = table.intervals(level);
    DoubleVector statistics = table.statistics();
    return IntStream.range(0, table.names().size())
        .mapToObj(
            k ->
                Term.of(
                    table.names().get(k),
                    table.estimates().get(k),
                    table.standardErrors().get(k),
                    statistics.get(k),
                    intervals.get(k)))
        .toList();
  }

  /**
   * Returns a new object as {@link #json()} with intervals, tests, the two parts of each standard
   * error, and effects.
   *
   * @param level the probability of each interval, in (0, 1)
   */
  public ObjectNode json(double level) {
    ObjectNode top = json();
    JsonNode guaranteed = top.remove("guarantee");
    JsonNode warnings = top.remove("warnings");
    JsonNode messages = top.remove("messages");
    top.put("level", level);
    ObjectNode low = top.putObject("confLow");
    ObjectNode high = top.putObject("confHigh");
    ObjectNode statistic = top.putObject("statistic");
    ObjectNode probability = top.putObject("pValue");
    for (Term term : terms(level)) {
      putOrNull(low, term.name(), term.confLow());
      putOrNull(high, term.name(), term.confHigh());
      putOrNull(statistic, term.name(), term.statistic());
      putOrNull(probability, term.name(), term.pValue());
    }
    ObjectNode sampling = top.putObject("samplingErrors");
    ObjectNode privacy = top.putObject("privacyErrors");
    for (int k = 0; k < coefficients.names().size(); k++) {
      double all = coefficients.standardErrors().get(k);
      double ofPrivacy = coefficients.privacyStandardErrors().get(k);
      String name = coefficients.names().get(k);
      putOrNull(sampling, name, Math.sqrt(Math.max(0.0, all * all - ofPrivacy * ofPrivacy)));
      putOrNull(privacy, name, ofPrivacy);
    }
    ObjectNode changes = top.putObject("effects");
    effects(level).forEach(effect -> putOrNull(changes, effect.name(), effect.estimate()));
    top.set("guarantee", guaranteed);
    top.set("warnings", warnings);
    top.set("messages", messages);
    return top;
  }

  private static void put(ObjectNode object, FitSummary summary) {
    put(object.putObject("rows"), summary.rows());
    put(object.putObject("rSquared"), summary.rSquared());
    put(object.putObject("residualScale"), summary.residualScale());
  }

  private static void put(ObjectNode object, FitSummary.Estimate estimate) {
    putOrNull(object, "estimate", estimate.value());
    putOrNull(object, "stdError", estimate.standardError());
    putOrNull(object, "samplingError", estimate.samplingError());
    putOrNull(object, "privacyError", estimate.privacyError());
    estimate.reason().ifPresent(reason -> object.put("reason", reason));
  }

  /** Returns a new object with the keys that docs/reference/http.md explains. */
  public ObjectNode json() {
    ObjectNode top = JsonNodeFactory.instance.objectNode();
    top.put("response", fit.problem().responseName());
    top.put("loss", fit.loss());
    top.put("lambda", fit.lambda());
    top.put("alpha", fit.problem().penalty().alpha());
    fit.problem().loss().accept(new LossParameter(top));
    top.put("freeIntercept", fit.problem().penalty().freeIntercept());
    top.put("scale", userUnits ? "user" : "encoded");
    if (rmse.isPresent()) {
      top.put("n", Math.round(fit.rows()));
    } else {
      putOrNull(top, "rowsEstimate", fit.rows());
      putOrNull(top, "predictedExcess", fit.predictedExcess());
      verdict.ifPresent(value -> top.put("verdict", value.word()));
    }
    ObjectNode estimates = top.putObject("coefficients");
    ObjectNode errors = top.putObject("standardErrors");
    for (int k = 0; k < coefficients.names().size(); k++) {
      String name = coefficients.names().get(k);
      estimates.put(name, coefficients.estimates().get(k));
      putOrNull(errors, name, coefficients.standardErrors().get(k));
    }
    objective.ifPresent(value -> top.put("objective", value));
    rmse.ifPresent(value -> top.put("rmse", value));
    mae.ifPresent(value -> top.put("mae", value));
    summary.ifPresent(known -> put(top.putObject("summary"), known));
    top.put("iterations", fit.convergence().iterations());
    top.put("relativeGap", fit.convergence().relativeGap());
    top.set("guarantee", guarantee.deepCopy());
    putMessages(top, fit.warnings());
    return top;
  }

  /** Adds what to know before the fit is used, as texts and by code. */
  static void putMessages(ObjectNode top, List<Message> all) {
    ArrayNode texts = top.putArray("warnings");
    ArrayNode messages = top.putArray("messages");
    for (Message each : all) {
      texts.add(each.text());
      messages
          .addObject()
          .put("code", each.code())
          .put("message", each.message())
          .put("action", each.action());
    }
  }
}
