package io.gauze.fit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.fit.FitReport.Model;
import io.gauze.fit.FitReport.Outlook;
import io.gauze.fit.FitReport.RowErrors;
import io.gauze.message.Message;
import io.gauze.regression.Convergence;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers as JSON, written and read. A number that is withheld is null, and NaN in the report. */
final class FitJson {
  private FitJson() {}

  /**
   * Returns a new object.
   *
   * @param whole whether it has intervals, tests, the two parts of each standard error, and effects
   */
  static ObjectNode write(FitReport report, boolean whole) {
    ObjectNode top = JsonNodeFactory.instance.objectNode();
    put(top, report.model());
    if (report.errors().isPresent()) {
      top.put("n", Math.round(report.rows()));
    } else {
      putOrNull(top, "rowsEstimate", report.rows());
      report.outlook().ifPresent(outlook -> put(top, outlook));
    }
    ObjectNode estimates = top.putObject("coefficients");
    report.terms().forEach(term -> estimates.put(term.name(), term.estimate()));
    ObjectNode errors = top.putObject("standardErrors");
    report.terms().forEach(term -> putOrNull(errors, term.name(), term.stdError()));
    report
        .errors()
        .ifPresent(
            all ->
                top.put("objective", all.objective())
                    .put("rmse", all.rmse())
                    .put("mae", all.mae()));
    report.summary().ifPresent(known -> put(top.putObject("summary"), known));
    top.put("iterations", report.convergence().iterations());
    top.put("relativeGap", report.convergence().relativeGap());
    if (whole) {
      putIntervals(top, report);
    }
    report.streams().ifPresent(streams -> streams.putTo(top, report.names()));
    top.set("guarantee", report.guarantee().deepCopy());
    putMessages(top, report.messages());
    return top;
  }

  private static void put(ObjectNode top, Model model) {
    top.put("response", model.response());
    top.put("loss", model.lossName());
    top.put("lambda", model.lambda());
    top.put("alpha", model.alpha());
    model.loss().accept(new LossParameter(top));
    top.put("freeIntercept", model.freeIntercept());
    top.put("scale", model.userUnits() ? "user" : "encoded");
  }

  private static void put(ObjectNode top, Outlook outlook) {
    putOrNull(top, "predictedExcess", outlook.excess());
    top.put("verdict", outlook.verdict());
  }

  private static void putIntervals(ObjectNode top, FitReport report) {
    top.put("level", report.level());
    ObjectNode low = top.putObject("confLow");
    ObjectNode high = top.putObject("confHigh");
    ObjectNode statistic = top.putObject("statistic");
    ObjectNode probability = top.putObject("pValue");
    ObjectNode sampling = top.putObject("samplingErrors");
    ObjectNode privacy = top.putObject("privacyErrors");
    for (Term term : report.terms()) {
      putOrNull(low, term.name(), term.confLow());
      putOrNull(high, term.name(), term.confHigh());
      putOrNull(statistic, term.name(), term.statistic());
      putOrNull(probability, term.name(), term.pValue());
      putOrNull(sampling, term.name(), term.samplingError());
      putOrNull(privacy, term.name(), term.privacyError());
    }
    ObjectNode changes = top.putObject("effects");
    report.effects().forEach(effect -> putOrNull(changes, effect.name(), effect.estimate()));
  }

  private static void put(ObjectNode object, FitSummary summary) {
    put(object.putObject("rows"), summary.rows());
    put(object.putObject("rSquared"), summary.rSquared());
    put(object.putObject("residualScale"), summary.residualScale());
    summary.shortened().ifPresent(part -> put(object.putObject("shortened"), part));
  }

  private static void put(ObjectNode object, FitSummary.Estimate estimate) {
    putOrNull(object, "estimate", estimate.value());
    putOrNull(object, "stdError", estimate.standardError());
    putOrNull(object, "samplingError", estimate.samplingError());
    putOrNull(object, "privacyError", estimate.privacyError());
    estimate.reason().ifPresent(reason -> object.put("reason", reason));
  }

  /** Puts a number, or null if it is withheld. */
  static void putOrNull(ObjectNode object, String name, double value) {
    if (Double.isNaN(value)) {
      object.putNull(name);
    } else {
      object.put(name, value);
    }
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

  /** Returns the report of an answer; what is missing in it is NaN or empty. */
  static FitReport read(JsonNode answer) {
    boolean ofRows = answer.has("n");
    return new FitReport(
        model(answer),
        number(answer, ofRows ? "n" : "rowsEstimate"),
        ofRows
            ? Optional.empty()
            : Optional.of(
                new Outlook(number(answer, "predictedExcess"), answer.path("verdict").asText())),
        ofRows
            ? Optional.of(
                new RowErrors(
                    number(answer, "objective"), number(answer, "rmse"), number(answer, "mae")))
            : Optional.empty(),
        answer.path("level").asDouble(Term.USUAL_LEVEL),
        terms(answer),
        effects(answer.path("effects")),
        true,
        Optional.of(answer.path("summary")).filter(JsonNode::isObject).map(FitJson::summary),
        new Convergence(answer.path("iterations").asInt(), answer.path("relativeGap").asDouble()),
        answer.path("guarantee") instanceof ObjectNode known
            ? known
            : JsonNodeFactory.instance.objectNode(),
        messages(answer),
        Optional.of(answer).filter(each -> each.has("streams")).map(StreamFits::read));
  }

  private static Model model(JsonNode answer) {
    String name = answer.path("loss").asText();
    return new Model(
        answer.path("response").asText(),
        name,
        loss(name, answer),
        number(answer, "lambda"),
        number(answer, "alpha"),
        answer.path("freeIntercept").asBoolean(),
        answer.path("scale").asText().equals("user"));
  }

  private static Loss loss(String name, JsonNode answer) {
    if (answer.has("quantile")) {
      return new Loss.Quantile(number(answer, "quantile"));
    }
    if (answer.has("huberThreshold")) {
      return new Loss.Huber(number(answer, "huberThreshold"));
    }
    return name.equals("logistic") ? Loss.LOGISTIC : Loss.SQUARED;
  }

  private static List<Term> terms(JsonNode answer) {
    List<Term> terms = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : answer.path("coefficients").properties()) {
      String name = each.getKey();
      terms.add(
          new Term(
              name,
              number(each.getValue()),
              number(answer.path("standardErrors"), name),
              number(answer.path("samplingErrors"), name),
              number(answer.path("privacyErrors"), name),
              number(answer.path("statistic"), name),
              number(answer.path("pValue"), name),
              number(answer.path("confLow"), name),
              number(answer.path("confHigh"), name)));
    }
    return terms;
  }

  /** Returns effects without errors and intervals, which answers do not have. */
  private static List<Term> effects(JsonNode effects) {
    return effects.properties().stream()
        .map(each -> Term.estimate(each.getKey(), number(each.getValue())))
        .toList();
  }

  private static FitSummary summary(JsonNode json) {
    return new FitSummary(
        estimate(json.path("rows")),
        estimate(json.path("rSquared")),
        estimate(json.path("residualScale")),
        Optional.of(json.path("shortened")).filter(JsonNode::isObject).map(FitJson::estimate));
  }

  private static FitSummary.Estimate estimate(JsonNode json) {
    return new FitSummary.Estimate(
        number(json, "estimate"),
        number(json, "samplingError"),
        number(json, "privacyError"),
        Optional.of(json.path("reason")).filter(JsonNode::isTextual).map(JsonNode::asText));
  }

  /** Returns the messages of an answer; an older program gives texts alone. */
  private static List<Message> messages(JsonNode answer) {
    List<Message> all = new ArrayList<>();
    for (JsonNode each : answer.path("messages")) {
      all.add(
          new Message(
              each.path("code").asText(),
              each.path("message").asText(),
              each.path("action").asText()));
    }
    if (!answer.has("messages")) {
      answer.path("warnings").forEach(text -> all.add(new Message("", text.asText(), "")));
    }
    return all;
  }

  private static double number(JsonNode object, String name) {
    return number(object.path(name));
  }

  /** Returns a number, which is a text if it is not finite; NaN if it is withheld or missing. */
  private static double number(JsonNode value) {
    return value.isNull() || value.isMissingNode()
        ? Double.NaN
        : Double.parseDouble(value.asText());
  }
}
