package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.ReleaseFolder;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.SmallReleases;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class ServiceServerTest {
  @TempDir private Path folder;
  private RunningService service;

  @BeforeEach
  void start() throws IOException {
    service = RunningService.start(folder, Optional.empty());
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return JsonMapper.builder().build().readTree(answer.body());
  }

  @Test
  void pagesOfTheListAreTheWholeList() throws Exception {
    List<String> ids = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = json(service.get("/v1/releases?limit=3" + next));
      page.path("releases").forEach(each -> ids.add(each.path("id").asText()));
      next = page.has("next") ? "&after=" + page.path("next").asText() : "";
    } while (!next.isEmpty());
    assertThat(ids)
        .containsExactly(
            SmallReleases.id(1), SmallReleases.id(2), SmallReleases.id(3), SmallReleases.id(4));
    String from = "/v1/releases?from=" + SmallReleases.epoch(2) + "&to=" + SmallReleases.epoch(3);
    assertThat(json(service.get(from)).path("releases")).hasSize(2);
  }

  /** It would be taken for an epoch before all times, and limit nothing. */
  @Test
  void anEndThatIsNoEpochIsAnError() throws Exception {
    for (String path : List.of("/v1/releases?", "/v1/series?response=y&sketch=moments&")) {
      for (String end :
          List.of("from=yesterday", "to=2026-01-01", "to=2026-01-01T00:00:00", "from=")) {
        HttpResponse<String> answer = service.get(path + end);
        assertThat(answer.statusCode()).as(path + end).isEqualTo(400);
        assertThat(json(answer).path("detail").asText()).contains("must be an epoch");
      }
      assertThat(service.get(path + "from=all").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anIdMayHoldAPercentSign() throws Exception {
    HttpResponse<String> answer = service.get("/v1/releases/a%25b/all/all/moments");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(json(answer).path("detail").asText()).contains("a%b/all/all/moments");
  }

  @Test
  void aHeaderSaysWhichFieldAColumnReads() throws Exception {
    JsonNode columns = json(service.get("/v1/releases/" + SmallReleases.id(1) + "/header"));
    JsonNode first = columns.at("/columns/0");
    assertThat(first.path("column").asText()).isEqualTo(first.path("name").asText());
    assertThat(first.path("source").asText()).isEqualTo("a");
    assertThat(first.path("kind").asText()).isEqualTo("numeric");
  }

  @Test
  void aReleaseInAnyFormatIsTheSameRelease() throws Exception {
    for (String format : List.of("avro", "json", "npz")) {
      HttpRequest request =
          service.request("/v1/releases/" + SmallReleases.id(2) + "?format=" + format).build();
      HttpResponse<byte[]> answer = service.client().send(request, BodyHandlers.ofByteArray());
      Path file = folder.resolve("back." + format);
      Files.write(file, answer.body());
      assertThat(ReleaseFile.read(file)).isEqualTo(SmallReleases.hour(2));
      assertThat(answer.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
    }
  }

  @Test
  void aFitWithoutAReleaseSaysWhichItTook() throws Exception {
    Files.delete(folder.resolve("4.avro"));
    ReleaseFile.write(SmallReleases.hour(5), folder.resolve("5.avro"));
    awaitRelease(5);
    HttpResponse<String> latest = service.get("/v1/fit?response=y&features=a,b");
    String fixed = latest.headers().firstValue("Content-Location").orElseThrow();
    assertThat(fixed)
        .isEqualTo("/v1/fit?release=" + SmallReleases.id(5) + "&response=y&features=a%2Cb");
    HttpResponse<String> again = service.get(fixed);
    assertThat(again.body()).isEqualTo(latest.body());
    assertThat(again.headers().firstValue("Content-Location")).isEmpty();
    assertThat(json(again).at("/coefficients/a").asDouble()).isBetween(0.4, 0.6);
  }

  /** Moments answer LAD with a ridge, whose lambda can be asked for again. */
  @Test
  void aPathOfLeastAbsoluteDeviationsHasAllPoints() throws Exception {
    String asked = "?response=y&loss=lad&release=" + SmallReleases.id(1);
    JsonNode path = json(service.get("/v1/path" + asked + "&points=3")).path("path");
    assertThat(path).hasSize(3).allMatch(point -> point.has("coefficients"));
    double lambda = path.get(1).path("lambda").asDouble();
    JsonNode fit = json(service.get("/v1/fit" + asked + "&lambda=" + lambda));
    assertThat(fit.path("coefficients").path("a").asDouble())
        .isEqualTo(path.get(1).path("coefficients").path("a").asDouble());
  }

  @Test
  void aKeptAnswerIsThatOfTheSameWordsAndReleases() throws Exception {
    Files.delete(folder.resolve("4.avro"));
    String latest = "/v1/fit?response=y&features=a";
    for (int hour = 5; hour <= 6; hour++) {
      ReleaseFile.write(SmallReleases.hour(hour), folder.resolve(hour + ".avro"));
      awaitRelease(hour);
      for (int again = 0; again < 2; again++) {
        assertThat(service.get(latest).headers().firstValue("Content-Location").orElseThrow())
            .contains(SmallReleases.id(hour));
      }
    }
    assertThat(service.get("/metrics").body()).contains("gauze_fits_kept_total 2.0");
    assertThat(service.get("/v1/fit?response=y%2C%20features%3Da").statusCode()).isEqualTo(400);
  }

  private void awaitRelease(int hour) throws Exception {
    String body = "{\"response\":\"y\",\"release\":\"" + SmallReleases.id(hour) + "\"}";
    assertThat(service.post("/v1/fit", body).statusCode()).isEqualTo(200);
  }

  /** Whoever reads the numbers alone learns what was said of them. */
  @Test
  void csvHasTheMessages() throws Exception {
    String lad = "?response=y&loss=lad&format=csv&release=" + SmallReleases.id(1);
    HttpResponse<String> fit = service.get("/v1/fit" + lad);
    List<String> lines = fit.body().lines().toList();
    assertThat(lines.get(0))
        .isEqualTo("term,estimate,std_error,statistic,p_value,conf_low,conf_high,comment");
    assertThat(lines.get(1))
        .contains(
            "predicted excess", ": doubtful", "GZ-NORMAL: Moments answer lad as if residuals");
    assertThat(lines.get(2)).endsWith(",");
    assertThat(fit.headers().firstValue("Gauze-Messages").orElseThrow())
        .contains(": doubtful", "GZ-NORMAL: Moments answer lad as if residuals were normal");
    for (String path :
        List.of(
            "/v1/path" + lad + "&points=2",
            "/v1/predict" + lad + "&row=%7B%22a%22:0,%22b%22:0%7D")) {
      HttpResponse<String> other = service.get(path);
      assertThat(other.body()).contains(",comment\n", ": doubtful");
      assertThat(other.headers().firstValue("Gauze-Messages")).isPresent();
    }
    String series = "/v1/series?response=y&sketch=moments&format=csv";
    assertThat(service.get(series).body())
        .contains(SmallReleases.epoch(4) + ",,,,,,,,"); // it is contested
  }

  @Test
  void aRangeIsAddedUpAndNamesNumbersOfItsParts() throws Exception {
    String range = SmallReleases.id(1) + ".." + SmallReleases.id(3);
    JsonNode sum = json(service.get("/v1/fit?response=y&features=a,b&level=0.5&releases=" + range));
    JsonNode one =
        json(service.get("/v1/fit?response=y&features=a,b&release=" + SmallReleases.id(1)));
    assertThat(sum.path("releases")).hasSize(3);
    assertThat(width(sum)).isLessThan(0.5 * width(one));
    double all = sum.at("/standardErrors/a").asDouble();
    double parts =
        Math.hypot(sum.at("/samplingErrors/a").asDouble(), sum.at("/privacyErrors/a").asDouble());
    assertThat(parts).isCloseTo(all, within(1e-12));
    assertThat(sum.at("/effects/a").asDouble()).isEqualTo(2 * sum.at("/coefficients/a").asDouble());
  }

  private static double width(JsonNode fit) {
    return fit.at("/confHigh/a").asDouble() - fit.at("/confLow/a").asDouble();
  }

  @Test
  void aPostWaitsForItsRelease() throws Exception {
    String body =
        "{\"response\":\"y\",\"features\":[\"a\"],\"deadline\":\"PT8S\",\"id\":\"q\",\"release\":\""
            + SmallReleases.id(9)
            + "\"}";
    HttpRequest request =
        service.request("/v1/fit").POST(HttpRequest.BodyPublishers.ofString(body)).build();
    CompletableFuture<HttpResponse<String>> answer =
        service.client().sendAsync(request, BodyHandlers.ofString());
    assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    ReleaseFile.write(SmallReleases.hour(9), folder.resolve("9.avro"));
    assertThat(json(answer.get(10, TimeUnit.SECONDS)).path("id").asText()).isEqualTo("q");
    String late = body.replace("PT8S", "PT0S").replace("T09", "T10");
    assertThat(service.post("/v1/fit", late).body())
        .contains("unknown-release", "within the deadline of PT0S");
  }

  @Test
  void eventsTellOfNewReleasesAndResume() throws Exception {
    HttpResponse<InputStream> events =
        service
            .client()
            .send(
                service.request("/v1/events").header("Last-Event-ID", "0-2").build(),
                BodyHandlers.ofInputStream());
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8));
    assertThat(data(lines)).contains("\"id\":\"" + SmallReleases.id(4));
    ReleaseFile.write(SmallReleases.hour(6), folder.resolve("6.avro"));
    assertThat(data(lines)).contains("\"id\":\"" + SmallReleases.id(6));
    service.close();
    assertThat(lines.lines().filter(line -> line.startsWith("data"))).isEmpty(); // and ends
  }

  private static String data(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (!line.startsWith("data: ")) {
      line = lines.readLine();
    }
    return line;
  }

  @Test
  void isNotReadyWhileReleasesCannotBeRead() throws Exception {
    assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
    Path away = folder.resolveSibling(folder.getFileName() + "-away");
    Files.move(folder, away);
    try {
      HttpResponse<String> answer = service.get("/readyz");
      while (answer.statusCode() == 200) { // until the next look for releases
        answer = service.get("/readyz");
      }
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).isPresent();
      assertThat(service.get("/healthz").statusCode()).isEqualTo(200);
      assertThat(service.get("/v1/releases").statusCode()).isEqualTo(200);
    } finally {
      Files.move(away, folder);
    }
  }

  @Test
  void otherMethodsAndPathsAreProblems() throws Exception {
    HttpResponse<String> answer = service.send(service.request("/v1/fit").DELETE().build());
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).contains("GET, POST, HEAD");
    answer = service.get("/v1/fits");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("the nearest is /v1/fit,");
    assertThat(service.get("/v1/fit?response=y&lamda=1").body()).contains("the nearest is lambda");
    assertThat(service.get("/v1/releases?page=2").body())
        .contains("must be one of")
        .doesNotContain("nearest");
    String release = "&release=" + SmallReleases.id(1);
    assertThat(service.get("/v1/fit?response=y&features=z" + release).body())
        .doesNotContain("nearest is y");
    assertThat(service.get("/v1/fit?response=y&features=a," + release).body())
        .contains("features must hold no empty name");
    assertThat(service.get("/v1/fit?response=y&features=%22a%22,b" + release).statusCode())
        .isEqualTo(200);
    assertThat(service.get("/v1/fit?response=y&features=%22a,b" + release).body())
        .contains("a name with a comma is in double quotes");
    assertThat(answer.headers().firstValue("Server")).isEmpty();
    assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
  }

  @Test
  void metricsCountRequests() throws Exception {
    service.get("/v1/fit?response=y&features=a&release=" + SmallReleases.id(1));
    service.get("/v1/fit?response=y&features=a&release=" + SmallReleases.id(1));
    assertThat(service.get("/metrics").body())
        .contains("gauze_fits_total 1.0", "gauze_fits_kept_total 1.0", "gauze_releases 4.0")
        .contains("gauze_http_requests_total{resource=\"/v1/fit\",status=\"200\"} 2.0")
        .doesNotContain("small");
  }

  @Test
  void anAddressThatIsTakenIsSaid() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThatThrownBy(() -> listening("0.0.0.0", taken.getLocalPort()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot listen at 0.0.0.0:" + taken.getLocalPort())
          .hasMessageEndingWith("or name another address or port with --listen");
    }
  }

  private ServiceServer listening(String host, int port) throws IOException {
    ServiceSettings settings =
        new ServiceSettings(
            new ServiceSettings.Listen(host, port),
            Optional.empty(),
            Optional.empty(),
            Duration.ofSeconds(1),
            ClientLimits.USUAL,
            "test");
    ReleaseLibrary library =
        new ReleaseLibrary(Optional.empty(), new ReleaseFolder(folder), Clock.systemUTC());
    return ServiceServer.start(settings, library);
  }

  /** On Linux a machine has all of 127.0.0.0/8, so 127.0.0.2 is another address of it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void onlyTheAddressThatIsNamedAnswers() throws Exception {
    String usual = ServiceSettings.Listen.USUAL.host();
    assertThat(usual).isEqualTo("127.0.0.1");
    try (ServiceServer loopback = listening(usual, 0);
        ServiceServer all = listening("0.0.0.0", 0)) {
      assertThat(healthAt("127.0.0.1", loopback)).isEqualTo(200);
      assertThat(healthAt("127.0.0.2", all)).isEqualTo(200);
      assertThatThrownBy(() -> healthAt("127.0.0.2", loopback))
          .isInstanceOf(ConnectException.class);
    }
  }

  private int healthAt(String host, ServiceServer server) throws Exception {
    URI health = URI.create("http://" + host + ":" + server.address().getPort() + "/healthz");
    return service.send(HttpRequest.newBuilder(health).build()).statusCode();
  }

  @Test
  void severalStreamsNeedAReleaseId() throws Exception {
    Release other = SmallReleases.release("other", SmallReleases.epoch(1), 1);
    ReleaseFile.write(other, folder.resolve("stream.avro"));
    String body =
        "{\"response\":\"y\",\"release\":\"other/all/" + SmallReleases.epoch(1) + "/moments\"}";
    assertThat(service.post("/v1/fit", body).statusCode()).isEqualTo(200);
    HttpResponse<String> answer = service.get("/v1/fit?response=y");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("releases of several streams");
    answer = service.get("/v1/series?response=y&sketch=moments");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("stream is needed, since there are releases of several");
    assertThat(service.get("/v1/series?response=y&sketch=moments&stream=other").statusCode())
        .isEqualTo(200);
  }

  @Test
  void answersAreCompressedWithTagsOfTheirOwn() throws Exception {
    String fit = "/v1/fit?response=y&release=" + SmallReleases.id(1);
    HttpResponse<String> plain = service.get(fit);
    HttpRequest request = service.request(fit).header("Accept-Encoding", "br;q=1, gzip").build();
    HttpResponse<byte[]> small = service.client().send(request, BodyHandlers.ofByteArray());
    assertThat(small.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(small.headers().firstValue("Vary")).contains("Accept, Accept-Encoding");
    assertThat(small.body().length).isLessThan(plain.body().length());
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(small.body()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain.body());
    }
    String tag = plain.headers().firstValue("ETag").orElseThrow();
    String other = small.headers().firstValue("ETag").orElseThrow();
    assertThat(other).isNotEqualTo(tag);
    for (String known : List.of(tag, other)) {
      HttpResponse<String> again =
          service.get(fit, "If-None-Match", known, "Accept-Encoding", "gzip");
      assertThat(again.statusCode()).isEqualTo(304);
      assertThat(again.headers().firstValue("ETag")).contains(known);
    }
    for (String refused : List.of("gzip;q=0", "identity", "*;q=0.0", "gzip;q=0, *")) {
      assertThat(service.get(fit, "Accept-Encoding", refused).body()).isEqualTo(plain.body());
    }
    assertThat(service.get("/healthz", "Accept-Encoding", "gzip").body()).isEqualTo("ok\n");
  }

  /** Four releases are there at the start; the contested one cannot be fitted, and is done with. */
  @Test
  void releasesAreFittedWhenTheyCome() throws Exception {
    awaitWarmed(4);
    ReleaseFile.write(SmallReleases.hour(7), folder.resolve("7.avro"));
    awaitWarmed(5);
  }

  private void awaitWarmed(int releases) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    String line = "gauze_releases_warmed " + releases + ".0";
    while (!service.get("/metrics").body().contains(line)) {
      assertThat(System.nanoTime()).as(line).isLessThan(end);
    }
  }
}
