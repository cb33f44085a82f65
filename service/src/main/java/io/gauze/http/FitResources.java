package io.gauze.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseHash;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.http.Call.Format;
import io.gauze.report.TidyTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Single fits: {@code /v1/fit}. */
final class FitResources {
  static final List<Format> FORMATS =
      List.of(
          new Format("json", Reply.JSON),
          new Format("csv", Reply.CSV),
          new Format("svg", Reply.SVG));

  private static final List<String> ASKED = List.of("level", "format");

  private final ReleaseLibrary library;
  private final FitDesk desk;
  private final Arrivals arrivals;
  private final String version;

  FitResources(ReleaseLibrary library, FitDesk desk, Arrivals arrivals, String version) {
    this.library = library;
    this.desk = desk;
    this.arrivals = arrivals;
    this.version = version;
  }

  List<Resource> all() {
    List<String> get = new ArrayList<>(FitQuery.RELEASES);
    get.addAll(FitQuery.QUESTION);
    get.addAll(ASKED);
    return List.of(new Resource("/v1/fit", List.of("GET", "POST"), get, this::answer));
  }

  private Reply answer(Call call) throws Problem, IOException {
    return call.method().equals("POST") ? post(call) : get(call);
  }

  private Reply get(Call call) throws Problem, IOException {
    Format format = call.format(FORMATS);
    double level = call.query().share("level", Term.USUAL_LEVEL);
    SolveRequest request = FitQuery.request(call.query());
    try {
      ReleaseLibrary.Prepared prepared = library.prepare(request);
      String key =
          String.join(
              "\n",
              version,
              "fit",
              format.name(),
              Double.toString(level),
              request.question().toString(),
              request.releases().isEmpty() ? call.query().values().toString() : "",
              FitQuery.hashes(prepared, library.state()));
      String tag = '"' + ReleaseHash.of(key.getBytes(StandardCharsets.UTF_8)) + '"';
      if (call.has(tag)) {
        return Reply.notModified().with("ETag", tag).with("Cache-Control", "no-cache");
      }
      return desk.answer(
          key,
          () -> {
            BestFit fit = prepared.fit(request.question());
            Reply reply = reply(fit, request, format, level).with("ETag", tag);
            if (request.releases().isEmpty()) {
              String fixed = FitQuery.fixed(call.query(), FitQuery.ids(fit));
              reply.with("Content-Location", "/v1/fit?" + fixed);
            }
            return reply.with("Cache-Control", "no-cache").with("Vary", "Accept");
          });
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }

  private static Reply reply(BestFit fit, SolveRequest request, Format format, double level) {
    FitReport report = fit.report(request.question().userUnits());
    return switch (format.name()) {
      case "csv" -> Reply.text(Reply.CSV, TidyTable.csv(report.terms(level)));
      case "svg" -> Reply.text(Reply.SVG, EffectsPlot.svg(report, level));
      default -> Reply.json(FitQuery.json(fit, report, level));
    };
  }

  private Reply post(Call call) throws Problem, IOException {
    for (String name : call.query().values().keySet()) {
      if (!ASKED.contains(name)) {
        throw Problem.bad(
            "a POST has its question in the body, and only level and format in the query."
                + " Provided value: "
                + name);
      }
    }
    Format format = call.format(FORMATS);
    double level = call.query().share("level", Term.USUAL_LEVEL);
    try {
      ObjectNode body = RequestReader.object(call.body().read());
      SolveRequest request = RequestReader.request(body);
      ReleaseLibrary.Prepared prepared = await(request);
      String hashes = FitQuery.hashes(prepared, library.state());
      String key =
          String.join("\n", "post", format.name(), Double.toString(level), body.toString(), hashes);
      return desk.answer(
          key,
          () -> {
            BestFit fit = prepared.fit(request.question());
            Reply reply = reply(fit, request, format, level);
            JsonNode id = body.path("id");
            if (format.name().equals("json") && id.isTextual()) {
              ObjectNode named = body.objectNode().set("id", id);
              FitReport report = fit.report(request.question().userUnits());
              reply = Reply.json(named.setAll(FitQuery.json(fit, report, level)));
            }
            return reply.with("Cache-Control", "no-store");
          });
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }

  /** Waits for the releases of a request until its deadline. */
  private ReleaseLibrary.Prepared await(SolveRequest request) throws IOException, RequestException {
    long end = System.nanoTime() + request.deadline().toNanos();
    long revision = arrivals.revision();
    Optional<ReleaseLibrary.Prepared> found = library.find(request);
    while (found.isEmpty()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw library.missing(request, "came within the deadline of " + request.deadline());
      }
      if (!arrivals.await(revision, left)) {
        throw new RequestException(
            ErrorCode.BUSY,
            "the release is not there, and as many requests wait for theirs as may; ask again once"
                + " it is there");
      }
      revision = arrivals.revision();
      found = library.find(request);
    }
    return found.get();
  }
}
