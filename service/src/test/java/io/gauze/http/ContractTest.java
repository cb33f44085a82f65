package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.answer.LedgerFeed;
import io.gauze.answer.SmallReleases;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.http.resource.ServiceResources;
import io.gauze.ledger.AccountSummary;
import io.gauze.release.ReleaseFile;
import io.gauze.report.LedgerReport;
import io.gauze.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service does what its OpenAPI document says, and nothing else. */
final class ContractTest {
  private static final String ONE = "/v1/releases/{stream}/{group}/{epoch}/{sketch}";
  private static final String FIT = "response=y&features=a,b";
  private static final String BODY = "{\"response\":\"y\",\"deadline\":\"PT0S\"";
  private static final String FIRST = "/v1/releases/" + SmallReleases.id(1);
  private static final String CONTESTED = SmallReleases.id(4);
  private static final JsonNode DOCUMENT = document();

  @TempDir private Path folder;

  private static JsonNode document() {
    try (InputStream in = ServiceResources.class.getResourceAsStream("openapi.json")) {
      return JsonMapper.builder().build().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the document says of a status: a row of the table of examples exercises it. */
  private record Example(
      int status, String pattern, String method, String uri, List<String> more) {}

  private static Example get(int status, String pattern, String uri, String... headers) {
    return new Example(status, pattern, "get", uri, List.of(headers));
  }

  private static Example post(int status, String query, String body) {
    return post("/v1/fit", status, query, body);
  }

  private static Example post(String path, int status, String query, String body) {
    return new Example(status, path, "post", path + query, List.of(body));
  }

  private static List<Example> plain() {
    List<Example> all = new ArrayList<>();
    for (String path : List.of("/healthz", "/readyz", "/metrics", "/v1", "/v1/openapi.json")) {
      all.add(get(200, path, path));
      all.add(get(400, path, path + "?x=1"));
    }
    all.addAll(
        List.of(
            get(200, "/v1/releases", "/v1/releases?stream=small&group=all&sketch=moments&limit=2"),
            get(304, "/v1/releases", "/v1/releases"),
            get(400, "/v1/releases", "/v1/releases?limit=0"),
            get(404, "/v1/releases", "/v1/releases?after=small/all/none/moments"),
            get(200, "/v1/events", "/v1/events"),
            get(400, "/v1/events", "/v1/events", "Last-Event-ID", "x")));
    for (String end : List.of("", "/guarantee", "/header")) {
      all.add(get(200, ONE + end, FIRST + end));
      all.add(get(304, ONE + end, FIRST + end));
      all.add(get(400, ONE + end, FIRST + end + "?format=xml"));
      all.add(get(404, ONE + end, "/v1/releases/small/all/none/moments" + end));
      all.add(get(406, ONE + end, FIRST + end, "Accept", "image/png"));
      all.add(get(409, ONE + end, "/v1/releases/" + CONTESTED + end));
    }
    all.add(get(200, ONE, FIRST, "Accept", "application/avro"));
    all.add(get(200, ONE, FIRST + "?format=npz"));
    all.add(get(200, ONE + "/guarantee", FIRST + "/guarantee?format=text"));
    all.add(get(200, ONE + "/header", FIRST + "/header?format=text"));
    return all;
  }

  private static List<Example> fits() {
    String one = "release=" + SmallReleases.id(1);
    List<Example> all = new ArrayList<>();
    for (String path : List.of("/v1/fit", "/v1/path")) {
      all.add(get(200, path, path + "?" + FIT + "&" + one));
      all.add(get(200, path, path + "?" + FIT + "&" + one, "Accept", "text/csv"));
      all.add(get(304, path, path + "?" + FIT + "&" + one));
      all.add(get(400, path, path + "?response=z&" + one));
      all.add(get(404, path, path + "?" + FIT + "&release=small/all/none/moments"));
      all.add(get(406, path, path + "?" + FIT + "&" + one, "Accept", "text/html"));
      all.add(get(409, path, path + "?" + FIT + "&release=" + CONTESTED));
      all.add(get(422, path, path + "?loss=logistic&" + FIT + "&" + one));
    }
    String series = "/v1/series";
    String to = "&sketch=moments&to=" + SmallReleases.epoch(3);
    all.addAll(
        List.of(
            get(200, "/v1/fit", "/v1/fit?" + FIT + "&" + one + "&format=svg"),
            get(200, series, series + "?stream=small&" + FIT + to + "&window=2"),
            get(200, series, series + "?stream=small&" + FIT + to + "&format=csv"),
            get(304, series, series + "?stream=small&" + FIT + to),
            get(400, series, series + "?" + FIT),
            get(404, series, series + "?stream=small&sketch=none&" + FIT),
            get(406, series, series + "?stream=small&" + FIT + to, "Accept", "image/svg+xml"),
            get(422, series, series + "?stream=small&sketch=moments&window=1000&" + FIT),
            post(
                200,
                "?level=0.9",
                BODY + ",\"id\":\"q\",\"release\":\"" + SmallReleases.id(1) + "\"}"),
            post(400, "", "{"),
            post(400, "?release=a", "{}"),
            post(404, "", BODY + ",\"release\":\"small/all/none/moments\"}"),
            post(406, "", "{}"),
            post(409, "", BODY + ",\"release\":\"" + CONTESTED + "\"}"),
            post(413, "", "{" + " ".repeat(1 << 16) + "}"),
            post(
                422,
                "",
                BODY + ",\"loss\":\"logistic\",\"release\":\"" + SmallReleases.id(1) + "\"}")));
    return all;
  }

  private static List<Example> predictions() {
    String path = "/v1/predict";
    String one = "?" + FIT + "&row=%7B%22a%22:0.5,%22b%22:3%7D&release=";
    String first = one + SmallReleases.id(1);
    String rows = BODY + ",\"rows\":[{\"a\":1,\"b\":0},{\"a\":0,\"b\":0}],\"release\":\"";
    String refused = BODY + ",\"loss\":\"logistic\",\"rows\":[{}],\"release\":\"";
    return List.of(
        get(200, path, path + first),
        get(200, path, path + first + "&interval=prediction&level=0.5"),
        get(200, path, path + first, "Accept", "text/csv"),
        get(304, path, path + first),
        get(400, path, path + "?" + FIT),
        get(400, path, path + first + "&interval=x"),
        get(400, path, path + first.replace("%22b%22:3", "%22b%22:%22x%22")),
        get(400, path, path + first.replace(",%22b%22:3", "")),
        get(404, path, path + one + "small/all/none/moments"),
        get(406, path, path + first, "Accept", "image/svg+xml"),
        get(409, path, path + one + CONTESTED),
        get(422, path, path + first + "&loss=logistic"),
        post(path, 200, "?level=0.9", rows + SmallReleases.id(1) + "\"}"),
        post(path, 200, "?format=csv", rows + SmallReleases.id(1) + "\"}"),
        post(path, 400, "", BODY + "}"),
        post(path, 404, "", rows + "small/all/none/moments\"}"),
        post(path, 406, "", rows + "\"}"),
        post(path, 409, "", rows + CONTESTED + "\"}"),
        post(path, 413, "", "{" + " ".repeat(1 << 16) + "}"),
        post(path, 422, "", refused + SmallReleases.id(1) + "\"}"));
  }

  private static List<Example> streams() {
    String both = "releases=" + SmallReleases.id(1) + ",other/all/all/moments";
    String body = ",\"releases\":\"" + SmallReleases.id(1) + ",other/all/all/moments\"}";
    return List.of(
        get(200, "/v1/fit", "/v1/fit?" + FIT + "&" + both),
        get(200, "/v1/fit", "/v1/fit?" + FIT + "&" + both + "&format=csv"),
        get(200, "/v1/path", "/v1/path?" + FIT + "&" + both + "&points=3"),
        get(200, "/v1/predict", "/v1/predict?" + FIT + "&row=%7B%22a%22:1,%22b%22:0%7D&" + both),
        get(400, "/v1/fit", "/v1/fit?" + FIT + "&" + both + "," + SmallReleases.id(1)),
        post(200, "", BODY + body),
        post("/v1/predict", 200, "", BODY + ",\"rows\":[{\"a\":1,\"b\":0}]" + body));
  }

  private static List<Example> plans() {
    String advise = "/v1/advise?rows=2000&release=";
    String users = SmallReleases.ofUsers().id().toString();
    return List.of(
        get(200, "/v1/advise", advise + SmallReleases.id(1) + "&epsilon=2"),
        get(200, "/v1/advise", advise + SmallReleases.id(1) + "&error=0.05&loss=lad"),
        get(200, "/v1/advise", advise + SmallReleases.id(1) + "&all=true"),
        get(400, "/v1/advise", advise + SmallReleases.id(1) + "&all=yes"),
        get(304, "/v1/advise", advise + SmallReleases.id(1)),
        get(400, "/v1/advise", "/v1/advise"),
        get(400, "/v1/advise", "/v1/advise?release=" + SmallReleases.id(1)),
        get(400, "/v1/advise", advise + SmallReleases.id(1) + "&epsilon=33"),
        get(400, "/v1/advise", advise + SmallReleases.id(1) + "&loss=none"),
        get(404, "/v1/advise", advise + "small/all/none/moments"),
        get(409, "/v1/advise", advise + CONTESTED),
        get(422, "/v1/advise", advise + users),
        get(200, "/v1/ledger", "/v1/ledger"),
        get(304, "/v1/ledger", "/v1/ledger"),
        get(400, "/v1/ledger", "/v1/ledger?format=json"));
  }

  private static LedgerFeed ledger() {
    AccountSummary.Line line = new AccountSummary.Line("small", "all", 4, 4, 3, 0.5);
    Budget limit = new Budget(1, 1e-6, Neighbours.REPLACE_ONE);
    AccountSummary account =
        new AccountSummary("rows", UnitKind.ROW, true, 0.5, limit, 0.8, List.of(line));
    return new LedgerFeed() {
      @Override
      public Report read() {
        return LedgerReport.of("ledger", List.of(account));
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void everyStatusIsExercisedAndEveryAnswerIsValid() throws Exception {
    Set<String> seen = new TreeSet<>();
    ReleaseFile.write(SmallReleases.ofUsers(), folder.resolve("users.avro"));
    ReleaseFile.write(SmallReleases.release("other", "all", 5), folder.resolve("streams.avro"));
    ServiceExtras told = new ServiceExtras(Optional.of(ledger()), Optional.empty());
    try (RunningService service = RunningService.start(folder, Optional.empty(), told)) {
      for (List<Example> examples : List.of(plain(), fits(), predictions(), streams(), plans())) {
        for (Example example : examples) {
          exercise(service, example, seen);
        }
      }
    }
    try (RunningService service = RunningService.start(folder, Optional.empty())) {
      exercise(service, get(404, "/v1/ledger", "/v1/ledger"), seen);
    }
    for (String path : List.of("/v1/fit", "/v1/predict")) {
      neverEnd(post(path, 408, "", ""), seen);
    }
    Set<String> documented = new TreeSet<>();
    DOCUMENT
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        operation ->
                            operation
                                .getValue()
                                .path("responses")
                                .fieldNames()
                                .forEachRemaining(
                                    status ->
                                        documented.add(
                                            operation.getKey()
                                                + " "
                                                + path.getKey()
                                                + " "
                                                + status))));
    documented.removeIf(each -> each.endsWith(" default") || each.endsWith(" 401"));
    documented.remove("get /readyz 503"); // ServiceServerTest has them
    assertThat(seen).isEqualTo(documented);
  }

  private static void exercise(RunningService service, Example example, Set<String> seen)
      throws Exception {
    HttpResponse<String> answer = answer(service, example);
    assertThat(answer.statusCode()).as(example + " " + answer.body()).isEqualTo(example.status());
    seen.add(example.method() + " " + example.pattern() + " " + answer.statusCode());
    validate(example, answer);
  }

  /** Sends a body that does not come to its end. */
  private void neverEnd(Example example, Set<String> seen) throws Exception {
    ClientLimits limits = new ClientLimits(Duration.ofMillis(300), 1 << 20);
    try (RunningService service =
            RunningService.over(folder, Optional.empty(), ServiceExtras.NONE, limits);
        SlowClient client =
            new SlowClient(
                service.port(),
                "POST "
                    + example.uri()
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{")) {
      while (!client.isClosed()) {
        client.read();
      }
      String answer = client.answer();
      assertThat(answer).startsWith("HTTP/1.1 " + example.status());
      seen.add(example.method() + " " + example.pattern() + " " + example.status());
      String body = answer.substring(answer.indexOf("\r\n\r\n"));
      validate(example, "application/problem+json", body);
    }
  }

  private static HttpResponse<String> answer(RunningService service, Example example)
      throws Exception {
    if (example.method().equals("post")) {
      HttpRequest.Builder request =
          service.request(example.uri()).POST(BodyPublishers.ofString(example.more().get(0)));
      return service.send(
          example.status() == 406 ? request.header("Accept", "a/b").build() : request.build());
    }
    if (example.status() == 304) {
      String tag = service.get(example.uri()).headers().firstValue("ETag").orElseThrow();
      return service.get(example.uri(), "If-None-Match", tag);
    }
    if (example.pattern().equals("/v1/events") && example.status() == 200) {
      return service.send(
          service.request(example.uri()).method("HEAD", BodyPublishers.noBody()).build());
    }
    return service.get(example.uri(), example.more().toArray(String[]::new));
  }

  private static void validate(Example example, HttpResponse<String> answer) throws Exception {
    if (answer.statusCode() == 304) {
      assertThat(answer.body()).isEmpty();
      return;
    }
    String type = answer.headers().firstValue("Content-Type").orElseThrow().replaceFirst(";.*", "");
    validate(example, type, answer.body());
  }

  private static void validate(Example example, String type, String body) throws Exception {
    JsonNode response =
        DOCUMENT
            .path("paths")
            .path(example.pattern())
            .path(example.method())
            .path("responses")
            .path(Integer.toString(example.status()));
    JsonNode schema = response.path("content").path(type).path("schema");
    assertThat(schema.isObject()).as(example + " " + type).isTrue();
    if (type.endsWith("json")) {
      ObjectNode whole = schema.deepCopy();
      whole.set("components", DOCUMENT.path("components"));
      assertThat(
              JsonSchemaFactory.getInstance(VersionFlag.V202012)
                  .getSchema(whole)
                  .validate(JsonMapper.builder().build().readTree(body)))
          .as(example + " " + body)
          .isEmpty();
    }
  }

  @Test
  void noResourceIsWithoutAnEntry() throws Exception {
    try (RunningService service = RunningService.start(folder, Optional.empty())) {
      JsonNode links =
          JsonMapper.builder().build().readTree(service.get("/v1").body()).path("links");
      List<String> patterns = new ArrayList<>();
      links.forEach(link -> patterns.add(link.asText()));
      List<String> documented = new ArrayList<>();
      DOCUMENT.path("paths").fieldNames().forEachRemaining(documented::add);
      assertThat(patterns).containsExactlyInAnyOrderElementsOf(documented);
      for (String pattern : patterns) {
        checkParameters(service, pattern);
      }
    }
  }

  /** The parameters of the document are those that the error of an unknown one lists. */
  private static void checkParameters(RunningService service, String pattern) throws Exception {
    String path = pattern.replaceAll("\\{[a-z]+}", "x");
    String detail =
        JsonMapper.builder()
            .build()
            .readTree(service.get(path + "?unknownParameter=1").body())
            .path("detail")
            .asText();
    List<String> known = new ArrayList<>();
    for (JsonNode parameter : DOCUMENT.path("paths").path(pattern).path("get").path("parameters")) {
      if (parameter.path("in").asText().equals("query")) {
        known.add(parameter.path("name").asText());
      }
    }
    assertThat(detail)
        .as(pattern)
        .matches(
            known.isEmpty()
                ? "this resource has no parameters.*"
                : "parameter must be one of " + String.join(", ", known) + "[.;] .*");
  }

  @Test
  void everythingButHealthAsksForTheToken() throws Exception {
    try (RunningService service = RunningService.start(folder, Optional.of(RunningService.TOKEN))) {
      for (String pattern : (Iterable<String>) DOCUMENT.path("paths")::fieldNames) {
        String path = pattern.replaceAll("\\{[a-z]+}", "x");
        boolean open = path.equals("/healthz") || path.equals("/readyz");
        assertThat(service.get(path).statusCode()).as(path).isEqualTo(open ? 200 : 401);
        assertThat(service.get(path, "Authorization", "Bearer seame").statusCode())
            .as(path)
            .isEqualTo(open ? 200 : 401);
      }
      HttpResponse<String> post = service.post("/v1/fit", "{}");
      assertThat(post.statusCode()).isEqualTo(401);
      assertThat(post.headers().firstValue("WWW-Authenticate")).contains("Bearer");
      assertThat(post.body()).contains("send the header Authorization: Bearer TOKEN");
      assertThat(service.get("/v1", "Authorization", "Bearer seame").body())
          .contains("the header Authorization does not hold the token of this service")
          .doesNotContain("seame");
      assertThat(service.get("/nothing").statusCode()).isEqualTo(401);
      String right = "Bearer " + RunningService.TOKEN;
      assertThat(service.get("/v1", "Authorization", right).statusCode()).isEqualTo(200);
      assertThat(
              service
                  .client()
                  .send(
                      service
                          .request("/v1/events")
                          .header("Authorization", "bearer sesame")
                          .build(),
                      BodyHandlers.ofInputStream())
                  .statusCode())
          .isEqualTo(200);
    }
  }
}
