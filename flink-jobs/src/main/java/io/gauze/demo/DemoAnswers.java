package io.gauze.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.FitQuestion;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.CoefficientTable.Interval;
import io.gauze.report.Messages;
import io.gauze.solver.SolverClient;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The solver's answers on each of the demo's releases, in both scales. */
final class DemoAnswers {
  private final Map<String, JsonNode> byId;

  private DemoAnswers(Map<String, JsonNode> byId) {
    this.byId = byId;
  }

  /**
   * Sends the requests and waits for the answers.
   *
   * @throws IOException if an answer does not come in time
   */
  static DemoAnswers ask(SolverClient client, StreamPlan plan, String response, Duration patience)
      throws IOException {
    Map<String, ReleaseId> wanted = new LinkedHashMap<>();
    for (SketchPlan sketch : plan.sketches()) {
      ReleaseId id = new ReleaseId(plan.stream(), ReleaseId.ALL, ReleaseId.ALL, sketch.name());
      for (boolean user : new boolean[] {true, false}) {
        wanted.put(key(sketch.name(), user), id);
        client.send(
            key(sketch.name(), user),
            SolverClient.request(
                Optional.of(id.toString()),
                FitQuestion.Parts.byAllOthers(response, user),
                SolveRequest.USUAL_WAIT));
      }
    }
    Map<String, JsonNode> answers = client.await(new HashSet<>(wanted.keySet()), patience);
    if (answers.size() < wanted.size()) {
      throw new IOException(
          "the solver job gave "
              + answers.size()
              + " of "
              + wanted.size()
              + " answers within "
              + patience);
    }
    return new DemoAnswers(answers);
  }

  private static String key(String sketch, boolean user) {
    return "demo/" + sketch + (user ? "/user" : "/encoded");
  }

  private JsonNode of(String sketch, boolean user) {
    return byId.get(key(sketch, user));
  }

  /** Returns whether there is a fit. */
  boolean fitted(String sketch) {
    return !of(sketch, true).has("error");
  }

  /** The loss of the fit; {@code none} without a fit. */
  String loss(String sketch) {
    return of(sketch, true).path("loss").asText("none");
  }

  /**
   * The coefficients by column, in the user's units or the encoded scale; empty if there is no fit.
   */
  Map<String, Double> coefficients(String sketch, boolean user) {
    return numbers(of(sketch, user).path("coefficients"));
  }

  /** The standard errors by column, in the user's units. */
  Map<String, Double> standardErrors(String sketch) {
    return numbers(of(sketch, true).path("standardErrors"));
  }

  /** The intervals by column, in the user's units. */
  Map<String, Interval> intervals(String sketch) {
    Map<String, Double> lower = numbers(of(sketch, true).path("confLow"));
    Map<String, Double> upper = numbers(of(sketch, true).path("confHigh"));
    Map<String, Interval> intervals = new LinkedHashMap<>();
    lower.forEach((name, low) -> intervals.put(name, new Interval(low, upper.get(name))));
    return intervals;
  }

  private static Map<String, Double> numbers(JsonNode object) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!entry.getValue().isNull()) { // it is withheld
        numbers.put(entry.getKey(), entry.getValue().asDouble());
      }
    }
    return numbers;
  }

  /** The warnings about the fit, or the reason why there is none. */
  List<Message> warnings(String sketch) {
    JsonNode answer = of(sketch, true);
    return answer.has("error")
        ? List.of(new Message("", answer.path("error").path("message").asText(), ""))
        : Messages.of(answer);
  }
}
