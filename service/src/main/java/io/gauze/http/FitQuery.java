package io.gauze.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitReport;
import io.gauze.fit.NameList;
import io.gauze.mechanism.ReleaseId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parameters of a fit. They are those of a request of the topic of requests. */
final class FitQuery {
  /** Those that say which fit. */
  static final List<String> QUESTION =
      List.of(
          "response",
          "features",
          "loss",
          "lambda",
          "alpha",
          "quantile",
          "huberThreshold",
          "freeIntercept",
          "strict",
          "scale");

  /** Those that say which releases. */
  static final List<String> RELEASES = List.of("release", "releases");

  private static final List<String> NUMBERS =
      List.of("lambda", "alpha", "quantile", "huberThreshold");
  private static final List<String> FLAGS = List.of("freeIntercept", "strict");

  private FitQuery() {}

  /** Returns the request of the parameters. */
  static SolveRequest request(Query query) throws Problem {
    ObjectNode fields = JsonNodeFactory.instance.objectNode();
    for (String name : Stream.concat(RELEASES.stream(), QUESTION.stream()).toList()) {
      if (query.text(name).isEmpty()) {
        continue;
      }
      if (NUMBERS.contains(name)) {
        fields.put(name, query.number(name).orElseThrow());
      } else if (FLAGS.contains(name)) {
        fields.put(name, query.flag(name));
      } else if (name.equals("features")) {
        features(query).forEach(fields.withArray(name)::add);
      } else {
        fields.put(name, query.text(name, ""));
      }
    }
    try {
      return RequestReader.request(fields);
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }

  private static List<String> features(Query query) throws Problem {
    try {
      return NameList.parse("features", query.text("features", ""));
    } catch (IllegalArgumentException e) {
      throw Problem.bad(Query.shown(e.getMessage()));
    }
  }

  /** Returns the report of a fit as JSON, with the releases that it comes from. */
  static ObjectNode json(BestFit fit, FitReport report, double level) {
    return withReleases(fit, report.json(level));
  }

  /** Returns an object after the releases that it comes from. */
  static ObjectNode withReleases(BestFit fit, ObjectNode answer) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ids(fit).forEach(id -> all.withArray("releases").add(id.toString()));
    all.setAll(answer);
    return all;
  }

  /** Returns the releases that a fit comes from, the earliest first. */
  static List<ReleaseId> ids(BestFit fit) {
    return fit.best().orElseThrow().source().ids();
  }

  /** Returns the query of the same question to these releases. */
  static String fixed(Query query, List<ReleaseId> ids) {
    String one = "release=" + encode(ids.get(0).toString());
    String range = "releases=" + encode(ids.get(0) + ".." + ids.get(ids.size() - 1));
    return (ids.size() == 1 ? one : range)
        + query.values().entrySet().stream()
            .filter(each -> !RELEASES.contains(each.getKey()))
            .map(FitQuery::pair)
            .collect(Collectors.joining());
  }

  private static String pair(Map.Entry<String, String> each) {
    return "&" + each.getKey() + "=" + encode(each.getValue());
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("%2F", "/").replace("%3A", ":");
  }

  /** Returns a text that names the bodies of prepared releases. */
  static String hashes(ReleaseLibrary.Prepared prepared, ReleaseLibrary.State state) {
    return prepared.ids().stream()
        .flatMap(List::stream)
        .map(id -> state.byId().get(id.toString()).sha256())
        .collect(Collectors.joining(","));
  }
}
