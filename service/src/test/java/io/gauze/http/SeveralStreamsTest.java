package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.SmallReleases;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.FitSource;
import io.gauze.fit.StreamFits;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions to the releases of several streams. */
final class SeveralStreamsTest {
  private static final Release NORTH = SmallReleases.release("north", SmallReleases.epoch(1), 11);
  private static final Release SOUTH = SmallReleases.release("south, east", "all", 12);
  private static final String BOTH =
      "releases=" + NORTH.id() + ",%22" + SOUTH.id().toString().replace(" ", "%20") + "%22";

  @TempDir private Path folder;
  private RunningService service;

  @BeforeEach
  void start() throws IOException {
    ReleaseFile.write(NORTH, folder.resolve("north.avro"));
    ReleaseFile.write(SOUTH, folder.resolve("south.avro"));
    service = RunningService.start(folder, Optional.empty());
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private JsonNode json(String uri) throws Exception {
    return read(service.get(uri));
  }

  private static JsonNode read(HttpResponse<String> answer) throws IOException {
    return JsonMapper.builder().build().readTree(answer.body());
  }

  /** What gauze fit prints of the same files. */
  private static JsonNode fitted(List<Release> releases) throws IOException {
    BestFit fit = BestFit.of(List.of(FitSource.of(releases)), FitQuestion.byAllOthers("y"));
    return JsonMapper.builder()
        .build()
        .readTree(fit.withReleases(fit.report(true, 0.95).json()).toString());
  }

  @Test
  void theAnswerIsThatOfTheSameFiles() throws Exception {
    JsonNode fit = json("/v1/fit?response=y&" + BOTH);
    assertThat(fit).isEqualTo(fitted(List.of(NORTH, SOUTH)));
    assertThat(fit.at("/streams/1/stream").asText()).isEqualTo("south, east");
    assertThat(fit.at("/heterogeneity/a/degrees").asInt()).isEqualTo(1);
    assertThat(fit.at("/guarantee/streams/1/epsilon").asDouble()).isEqualTo(20.0);
    assertThat(fit.at("/guarantee").has("epsilon")).isFalse();
    String body = "{\"response\":\"y\",\"releases\":\"" + NORTH.id() + ",\\\"" + SOUTH.id();
    assertThat(read(service.post("/v1/fit", body + "\\\"\"}"))).isEqualTo(fit);
  }

  /** What a client prints of an answer is what the service would. */
  @Test
  void anAnswerIsReadWithItsStreams() throws Exception {
    BestFit fit =
        BestFit.of(List.of(FitSource.of(List.of(NORTH, SOUTH))), FitQuestion.byAllOthers("y"));
    FitReport report = fit.report(true, 0.95);
    FitReport read = FitReport.read(json("/v1/fit?response=y&" + BOTH));
    StreamFits streams = read.streams().orElseThrow();
    assertThat(streams.heads()).isEqualTo(report.streams().orElseThrow().heads());
    assertThat(streams.cells(read.names()))
        .isEqualTo(report.streams().orElseThrow().cells(report.names()));
    assertThat(streams.sentence(read.names()))
        .isEqualTo(report.streams().orElseThrow().sentence(report.names()));
    FitReport one = FitReport.read(json("/v1/fit?response=y&release=" + NORTH.id()));
    assertThat(one.streams()).isEmpty();
  }

  @Test
  void rangesAndSingleReleasesMayBeMixed() throws Exception {
    String range = SmallReleases.id(1) + ".." + SmallReleases.id(3);
    JsonNode fit = json("/v1/fit?response=y&" + BOTH + "," + range);
    List<Release> all = new ArrayList<>(List.of(NORTH, SOUTH));
    for (int hour = 1; hour <= 3; hour++) {
      all.add(SmallReleases.hour(hour));
    }
    assertThat(fit).isEqualTo(fitted(all));
    assertThat(fit.path("releases")).hasSize(5);
    assertThat(fit.path("streams")).hasSize(3);
  }

  /** One table: the sum with Cochran's Q, then each stream with its guarantee. */
  @Test
  void csvNamesTheStreamOfEachLine() throws Exception {
    JsonNode fit = json("/v1/fit?response=y&" + BOTH);
    HttpResponse<String> answer = service.get("/v1/fit?response=y&format=csv&" + BOTH);
    List<String> lines = answer.body().lines().toList();
    assertThat(lines).hasSize(1 + 3 * 3);
    assertThat(lines.get(0))
        .isEqualTo(
            "stream,term,estimate,std_error,statistic,p_value,conf_low,conf_high,q,q_degrees,"
                + "q_p_value,comment");
    JsonNode test = fit.at("/heterogeneity/a");
    assertThat(lines.get(2))
        .startsWith(",a," + fit.at("/coefficients/a").asDouble() + ",")
        .endsWith("," + test.path("q").asDouble() + ",1," + test.path("pValue").asDouble() + ",");
    assertThat(lines.get(1)).contains("none differs between the streams");
    assertThat(lines.get(7))
        .startsWith("\"south, east\",(intercept),")
        .contains(",,,,\"good | NOT PRIVATE: noise");
    assertThat(lines.get(8))
        .startsWith("\"south, east\",a," + fit.at("/streams/1/coefficients/a").asDouble() + ",")
        .endsWith(",,,,");
    assertThat(answer.headers().firstValue("Gauze-Messages").orElseThrow())
        .contains("none differs between the streams");
  }

  @Test
  void refusalsSayWhatToChange() throws Exception {
    String north = "/v1/fit?response=y&releases=" + NORTH.id();
    refused(north, 400, "one id belongs into release");
    refused(north + "," + NORTH.id(), 400, "must name each release once", "would count twice");
    refused(north + "," + NORTH.id() + ".." + NORTH.id(), 400, "must name each release once");
    refused(north + ",none/all/all/moments", 404, "no release none/all/all/moments is there");
    refused(north + "," + SmallReleases.id(4), 409, "two different bodies of release");
    Release users = SmallReleases.ofUsers();
    ReleaseFile.write(users, folder.resolve("users.avro"));
    service.close();
    service = RunningService.over(folder, Optional.empty(), ServiceExtras.NONE);
    refused(north + "," + users.id(), 422, "merged releases must have one unit");
  }

  private void refused(String uri, int status, String... parts) throws Exception {
    HttpResponse<String> answer = service.get(uri);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(read(answer).path("detail").asText()).contains(parts);
  }

  /** Each stream is fitted alone, too, so that their number is limited. */
  @Test
  void thereAreNotTooManyStreams() throws Exception {
    StringBuilder ids = new StringBuilder(NORTH.id().toString());
    for (int k = 0; k < 100; k++) {
      String stream = "s" + k;
      ReleaseFile.write(
          SmallReleases.release(stream, "all", k), folder.resolve(stream + "-many.avro"));
      ids.append(',').append(stream).append("/all/all/moments");
    }
    service.close();
    service = RunningService.over(folder, Optional.empty(), ServiceExtras.NONE);
    String body = "{\"response\":\"y\",\"releases\":\"" + ids + "\"}";
    HttpResponse<String> answer = service.post("/v1/fit", body);
    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("must be of at most 100 streams. Provided value: 101");
  }
}
