package io.gauze.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.mechanism.ReleaseId;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.solver.SolverClient;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
    FitQuestion question = FitQuestion.byAllOthers(response);
    Map<String, ReleaseId> wanted = new LinkedHashMap<>();
    for (SketchPlan sketch : plan.sketches()) {
      ReleaseId id = new ReleaseId(plan.stream(), ReleaseId.ALL, ReleaseId.ALL, sketch.name());
      for (boolean user : new boolean[] {true, false}) {
        wanted.put(key(sketch.name(), user), id);
        client.send(
            key(sketch.name(), user),
            SolverClient.request(
                Optional.of(id.toString()),
                user ? question : question.inEncodedScale(),
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

  /** Returns the fit in the user's units or the encoded scale; empty if there is none. */
  Optional<FitReport> report(String sketch, boolean user) {
    return Optional.of(of(sketch, user))
        .filter(answer -> !answer.has("error"))
        .map(FitReport::read);
  }

  /** Returns the reason why there is no fit. */
  String refusal(String sketch) {
    return of(sketch, true).path("error").path("message").asText();
  }
}
