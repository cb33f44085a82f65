package io.gauze.http.resource;

import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.BestFit;
import io.gauze.fit.NameList;
import io.gauze.fit.QuestionFields;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.mechanism.ReleaseId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parameters of a fit. They are those of a request of the topic of requests. */
record FitQuery(Query query) implements QuestionFields {
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

  /** Returns the request of the parameters. */
  static SolveRequest request(Query query) throws Problem {
    try {
      return RequestReader.request(new FitQuery(query));
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }

  @Override
  public Optional<String> text(String field) {
    return query.text(field);
  }

  @Override
  public Optional<Double> number(String field) {
    try {
      return query.number(field);
    } catch (Problem e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public boolean flag(String field) {
    try {
      return query.flag(field);
    } catch (Problem e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public List<String> names(String field) {
    try {
      return query.text(field).map(text -> NameList.parse(field, text)).orElse(List.of());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(Query.shown(e.getMessage()), e);
    }
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
        .map(id -> state.entries().find(id).map(Entry::sha256).orElseGet(id::toString)) // gone
        .collect(Collectors.joining(","));
  }
}
