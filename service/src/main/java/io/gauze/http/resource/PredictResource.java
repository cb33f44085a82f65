package io.gauze.http.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.fit.BestFit;
import io.gauze.fit.PredictionReport;
import io.gauze.fit.PredictionReport.Interval;
import io.gauze.fit.Term;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.Call.Format;
import io.gauze.http.protocol.CsvReply;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.http.protocol.Reply;
import io.gauze.report.PredictionTable;
import io.gauze.row.RowRejectedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Predictions with intervals: {@code /v1/predict}, GET for one row and POST for many. */
final class PredictResource {
  static final String PATH = "/v1/predict";
  private static final String ROWS = "rows";
  private static final int MOST_ROWS = 10_000;
  private static final List<Format> FORMATS =
      List.of(new Format("json", Reply.JSON), new Format("csv", Reply.CSV));
  private static final List<String> ASKED = List.of("interval", "level", "format");

  private final Questions questions;

  PredictResource(Questions questions) {
    this.questions = questions;
  }

  Resource resource() {
    List<String> get = new ArrayList<>(FitQuery.RELEASES);
    FitQuery.QUESTION.stream().filter(name -> !name.equals("scale")).forEach(get::add);
    get.add("row");
    get.addAll(ASKED);
    return new Resource(PATH, List.of("GET", "POST"), get, this::answer);
  }

  /** How rows are predicted. */
  private record Shape(Format format, double level, Interval interval) {
    static Shape of(Call call) throws Problem {
      double level = call.query().share("level", Term.USUAL_LEVEL);
      try {
        String word = Query.shown(call.query().text("interval", Interval.CONFIDENCE.word()));
        return new Shape(call.format(FORMATS), level, Interval.of("interval", word));
      } catch (IllegalArgumentException e) {
        throw Problem.bad(e.getMessage());
      }
    }

    List<String> texts(JsonNode rows) {
      return List.of(format.name(), Double.toString(level), interval.word(), rows.toString());
    }

    Reply reply(BestFit fit, JsonNode rows) throws Problem {
      List<JsonNode> all = new ArrayList<>();
      rows.forEach(all::add);
      try {
        PredictionReport report = PredictionReport.of(fit, all, level, interval);
        return format.name().equals("csv")
            ? csv(report)
            : Reply.json(fit.withReleases(report.json()));
      } catch (RowRejectedException e) {
        throw Problem.bad(e.getMessage());
      }
    }
  }

  private static Reply csv(PredictionReport report) {
    List<String> messages = Points.messages(report.attempt());
    report.withheld().ifPresent(reason -> messages.add("withheld: " + reason));
    return CsvReply.of(PredictionTable.commented(report, messages), messages);
  }

  private CompletableFuture<Reply> answer(Call call) throws Problem {
    return call.method().equals("POST") ? post(call) : get(call);
  }

  private CompletableFuture<Reply> get(Call call) throws Problem {
    Shape shape = Shape.of(call);
    Optional<String> text = call.query().text("row");
    if (text.isEmpty()) {
      throw Problem.bad(
          "the parameter row is missing: a JSON object with the fields of the features, such as"
              + " {\"temperature\": 21.5}");
    }
    ArrayNode rows = JsonNodeFactory.instance.arrayNode();
    try {
      rows.add(RequestReader.object(text.get().getBytes(StandardCharsets.UTF_8)));
    } catch (RequestException e) {
      throw Problem.bad("row: " + e.getMessage());
    }
    return questions.get(
        call,
        () -> FitQuery.request(call.query()),
        shape.texts(rows),
        (fit, check) -> shape.reply(fit, rows));
  }

  private CompletableFuture<Reply> post(Call call) throws Problem {
    Questions.requireInBody(call, ASKED);
    Shape shape = Shape.of(call);
    ObjectNode body = FitResources.body(call);
    JsonNode rows = body.remove(ROWS);
    if (rows == null || !rows.isArray() || rows.isEmpty() || rows.size() > MOST_ROWS) {
      throw Problem.bad(
          "rows must be an array of 1 to "
              + MOST_ROWS
              + " objects with the fields of the features");
    }
    if (body.has("scale")) {
      throw Problem.bad("a prediction is in the unit of the response: leave scale out");
    }
    return questions.post(call, body, shape.texts(rows), (fit, check) -> shape.reply(fit, rows));
  }
}
