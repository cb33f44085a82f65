package io.gauze.http.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.Call.Format;
import io.gauze.http.protocol.CsvReply;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Reply;
import io.gauze.report.EffectsPlot;
import io.gauze.report.StreamsTable;
import io.gauze.report.TidyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Single fits: {@code /v1/fit}. */
final class FitResources {
  static final String PATH = "/v1/fit";
  static final List<Format> FORMATS =
      List.of(
          new Format("json", Reply.JSON),
          new Format("csv", Reply.CSV),
          new Format("svg", Reply.SVG));

  private static final List<String> ASKED = List.of("level", "format");

  private final Questions questions;

  FitResources(Questions questions) {
    this.questions = questions;
  }

  List<Resource> all() {
    List<String> get = new ArrayList<>(FitQuery.RELEASES);
    get.addAll(FitQuery.QUESTION);
    get.addAll(ASKED);
    return List.of(new Resource(PATH, List.of("GET", "POST"), get, this::answer));
  }

  private CompletableFuture<Reply> answer(Call call) throws Problem {
    return call.method().equals("POST") ? post(call) : get(call);
  }

  private CompletableFuture<Reply> get(Call call) throws Problem {
    Format format = call.format(FORMATS);
    double level = call.query().share("level", Term.USUAL_LEVEL);
    boolean userUnits = call.query().text("scale", "user").equals("user");
    return questions.get(
        call,
        () -> FitQuery.request(call.query()),
        List.of(format.name(), Double.toString(level)),
        (fit, check) -> reply(fit, fit.report(userUnits, level), format));
  }

  private static Reply reply(BestFit fit, FitReport report, Format format) {
    return switch (format.name()) {
      case "csv" -> csv(report);
      case "svg" -> Reply.text(Reply.SVG, EffectsPlot.svg(report));
      default -> Reply.json(fit.withReleases(report.json()));
    };
  }

  private static Reply csv(FitReport report) {
    List<String> messages = Points.messages(report);
    if (report.streams().isEmpty()) {
      return CsvReply.of(TidyTable.csv(report.terms(), messages), messages);
    }
    messages.add(report.streams().get().sentence(report.names()));
    return CsvReply.of(StreamsTable.csv(report, messages), messages);
  }

  private CompletableFuture<Reply> post(Call call) throws Problem {
    Questions.requireInBody(call, ASKED);
    Format format = call.format(FORMATS);
    double level = call.query().share("level", Term.USUAL_LEVEL);
    ObjectNode body = body(call);
    boolean userUnits = body.path("scale").asText("user").equals("user");
    return questions.post(
        call,
        body,
        List.of(format.name(), Double.toString(level)),
        (fit, check) -> {
          FitReport report = fit.report(userUnits, level);
          JsonNode id = body.path("id");
          if (!format.name().equals("json") || !id.isTextual()) {
            return reply(fit, report, format);
          }
          ObjectNode named = body.objectNode().set("id", id);
          return Reply.json(named.setAll(fit.withReleases(report.json())));
        });
  }

  /** Returns the object in the body of a POST. */
  static ObjectNode body(Call call) throws Problem {
    try {
      return RequestReader.object(call.body().read());
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }
}
