package io.gauze.http.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ErrorCode;
import io.gauze.answer.RequestException;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitSource;
import io.gauze.fit.Term;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.Call.Format;
import io.gauze.http.protocol.CsvReply;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.http.protocol.Reply;
import io.gauze.regression.Fit;
import io.gauze.regression.Penalty;
import io.gauze.report.TidyTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;

/** Coefficients over lambda: {@code /v1/path}. */
final class PathResource {
  private static final String PATH = "/v1/path";
  private static final List<Format> FORMATS =
      List.of(new Format("json", Reply.JSON), new Format("csv", Reply.CSV));
  private static final int MOST_POINTS = 200;
  private static final double DECADES = 1000;

  private final Questions questions;

  PathResource(Questions questions) {
    this.questions = questions;
  }

  Resource resource() {
    List<String> parameters = new ArrayList<>(FitQuery.RELEASES);
    parameters.addAll(FitQuery.QUESTION);
    parameters.remove("lambda");
    parameters.addAll(List.of("from", "to", "points", "format"));
    return new Resource(PATH, Resource.GET, parameters, this::answer);
  }

  private CompletableFuture<Reply> answer(Call call) throws Problem {
    Query query = call.query();
    Format format = call.format(FORMATS);
    int points = query.whole("points", 2, MOST_POINTS, 31);
    range(query, 1.0); // before anything costs
    SolveRequest request = FitQuery.request(query);
    return questions.get(
        call,
        () -> request,
        List.of(
            format.name(), query.text("from", ""), query.text("to", ""), Integer.toString(points)),
        (chosen, check) -> {
          double[] range = range(query, middle(fit(chosen)));
          Path path = new Path(request.question(), chosen);
          for (double lambda : lambdas(range, points)) {
            check.pass();
            path.add(lambda);
          }
          path.requireAny();
          return format.name().equals("csv")
              ? CsvReply.of(path.csv(), Points.messages(chosen.best().orElseThrow()))
              : Reply.json(path.json());
        });
  }

  private static Fit fit(BestFit best) {
    return best.best().orElseThrow().fit().orElseThrow();
  }

  /** Returns the lambda that was chosen; a thousandth of the rows if it is 0 or a constant's. */
  private static double middle(Fit fit) {
    double rows = Double.isNaN(fit.rows()) ? 1.0 : Math.max(1.0, fit.rows());
    boolean chosen = fit.lambda() > 0 && fit.lambda() < Penalty.LARGEST;
    return chosen ? fit.lambda() : rows / DECADES;
  }

  private static double[] range(Query query, double middle) throws Problem {
    double from = query.number("from").orElse(Math.min(middle, Penalty.LARGEST) / DECADES);
    double to = query.number("to").orElse(Math.min(middle * DECADES, Penalty.LARGEST));
    boolean both = query.text("from").isPresent() && query.text("to").isPresent();
    if (!(from > 0 && to <= Penalty.LARGEST && (from < to || !both))) {
      throw Problem.bad(
          "from and to must be lambdas in (0, 1e100], from below to. Provided value: "
              + query.text("from", "")
              + " and "
              + query.text("to", ""));
    }
    return new double[] {Math.min(from, to), Math.max(from, to)};
  }

  private static List<Double> lambdas(double[] range, int points) {
    List<Double> all = new ArrayList<>();
    double first = Math.log(range[0]);
    double last = Math.log(range[1]);
    for (int k = 0; k < points; k++) {
      all.add(Math.exp(first + (last - first) * k / (points - 1)));
    }
    return all;
  }

  /** Fits of one source with several penalties. */
  private static final class Path {
    private final FitQuestion asked;
    private final BestFit chosen;
    private final Map<Double, BestFit> fits = new LinkedHashMap<>();

    Path(FitQuestion asked, BestFit chosen) {
      this.asked = asked;
      this.chosen = chosen;
    }

    void add(double lambda) {
      fits.put(lambda, at(lambda));
    }

    void requireAny() throws Problem {
      if (fits.values().stream().allMatch(fit -> fit.best().isEmpty())) {
        String reasons = fits.values().iterator().next().reasons("; ");
        throw Problem.of(new RequestException(ErrorCode.REFUSED, reasons));
      }
    }

    private BestFit at(double lambda) {
      FitSource source = chosen.best().orElseThrow().source();
      Penalty before = fit(chosen).problem().penalty();
      Penalty penalty =
          new Penalty(OptionalDouble.of(lambda), before.alpha(), before.freeIntercept());
      FitQuestion question =
          new FitQuestion(
              asked.response(),
              asked.features(),
              fit(chosen).problem().loss(),
              penalty,
              false,
              asked.userUnits(),
              false);
      return BestFit.of(List.of(source), question);
    }

    ObjectNode json() {
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      FitQuery.ids(chosen).forEach(id -> all.withArray("releases").add(id.toString()));
      all.put("response", asked.response());
      all.put("loss", fit(chosen).loss());
      all.put("alpha", fit(chosen).problem().penalty().alpha());
      all.put("scale", asked.userUnits() ? "user" : "encoded");
      all.put("chosen", fit(chosen).lambda());
      ArrayNode path = all.putArray("path");
      fits.forEach(
          (lambda, fit) -> {
            ObjectNode entry = path.addObject().put("lambda", lambda);
            if (fit.best().isEmpty()) {
              entry.put("refused", fit.reasons("; "));
            } else {
              ObjectNode estimates = entry.putObject("coefficients");
              terms(fit).forEach(term -> estimates.put(term.name(), term.estimate()));
            }
          });
      return all;
    }

    // Without intervals: those of a given lambda say nothing of what the penalty takes away.
    private List<Term> terms(BestFit fit) {
      return fit.report(asked.userUnits(), Term.USUAL_LEVEL).terms();
    }

    String csv() {
      StringBuilder csv = new StringBuilder("lambda,term,estimate,comment\n");
      for (Map.Entry<Double, BestFit> each : fits.entrySet()) {
        BestFit fit = each.getValue();
        String lambda = TidyTable.number(each.getKey()) + ",";
        if (fit.best().isEmpty()) {
          csv.append(lambda).append(",,").append(TidyTable.text(fit.reasons("; "))).append('\n');
          continue;
        }
        String comment = TidyTable.comment(Points.messages(fit.best().get()));
        for (Term term : terms(fit)) {
          csv.append(lambda).append(TidyTable.text(term.name())).append(',');
          csv.append(TidyTable.number(term.estimate())).append(',').append(comment).append('\n');
          comment = "";
        }
      }
      return csv.toString();
    }
  }
}
