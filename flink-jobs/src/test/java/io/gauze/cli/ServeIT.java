package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestJava;
import io.gauze.testing.TestTopics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The service over the topics of a real broker: it says what the verbs of the command line say. */
@ExtendWith(SharedCluster.class)
final class ServeIT {
  private static final String SKETCHES =
      "- {name: moments, mechanism: noisy-moments}\n"
          + "  - {name: buckets, mechanism: count-sketch, buckets: 256}";
  private static final String LOG = "serve.log";
  private static final String ID = "served/all/all/moments";

  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  private Path config(String rows) throws IOException {
    return Files.writeString(
        folder.resolve("served.yaml"),
        RowsFile.config("served", SKETCHES, RowsFile.bounded(rows, 1)));
  }

  private Process serve(Path config) throws IOException {
    return new ProcessBuilder(
            TestJava.gauze(
                List.of(),
                "serve",
                "--config",
                config.toString(),
                "--ledger",
                "--listen",
                "127.0.0.1:0"))
        .redirectError(folder.resolve(LOG).toFile())
        .start();
  }

  private URI address(Process process) throws IOException {
    String line = process.inputReader(UTF_8).readLine();
    assertThat(line).as(Files.readString(folder.resolve(LOG))).isNotNull();
    return URI.create(line);
  }

  private static HttpRequest.Builder request(URI address, String path) {
    return HttpRequest.newBuilder(address.resolve(path)).timeout(TestTopics.PATIENCE);
  }

  private String get(URI address, String path) throws Exception {
    var answer = client.send(request(address, path).build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private BufferedReader events(URI address, String... headers) throws Exception {
    HttpRequest.Builder request = request(address, "/v1/events");
    for (int k = 0; k < headers.length; k += 2) {
      request.header(headers[k], headers[k + 1]);
    }
    InputStream body = client.send(request.build(), BodyHandlers.ofInputStream()).body();
    return new BufferedReader(new InputStreamReader(body, UTF_8));
  }

  /** Returns the next lines that begin with id and with data. */
  private static List<String> event(BufferedReader events) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = events.readLine(); lines.size() < 2; line = events.readLine()) {
      assertThat(line).isNotNull();
      if (line.startsWith("id: ") || line.startsWith("data: ")) {
        lines.add(line.substring(line.indexOf(' ') + 1));
      }
    }
    return lines;
  }

  private static JsonNode verb(Path config, String verb, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(List.of(verb, "--config", config.toString(), "--format", "json"));
    words.addAll(List.of(more));
    DemoIT.Outcome outcome = DemoIT.run(words.toArray(new String[0]));
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return json(outcome.out());
  }

  private static JsonNode json(String text) throws IOException {
    return JsonMapper.builder().build().readTree(text);
  }

  /** Returns an answer without the ids that the service puts before what the verb prints. */
  private static JsonNode withoutReleases(String answer) throws IOException {
    ObjectNode object = (ObjectNode) json(answer);
    object.remove("releases");
    return object;
  }

  @Test
  void saysWhatTheVerbsSayAndGoesOnAfterARestart() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.make(rows + "-releases", 1, Map.of());
    TestTopics.make(rows + "-ledger", 1, Map.of("cleanup.policy", "compact"));
    TestTopics.send(rows, 0, RowsFile.json(2000, 3));
    Path config = config(rows);
    Process first = serve(config);
    String fit;
    String lastId;
    try {
      URI address = address(first);
      assertThat(json(get(address, "/v1/releases")).path("releases")).isEmpty();
      BufferedReader events = events(address);
      assertThat(DemoIT.run("run", "--config", config.toString()).status()).isZero();
      List<String> one = event(events);
      List<String> two = event(events);
      lastId = one.get(0);
      assertThat(List.of(one.get(1), two.get(1))).anyMatch(data -> data.contains(ID));
      fit = get(address, "/v1/fit?response=y&level=0.9&release=" + ID);
      compare(address, config, fit);
      end(first);
    } finally {
      first.destroyForcibly();
    }
    Process second = serve(config);
    try {
      URI address = address(second);
      assertThat(get(address, "/v1/fit?response=y&level=0.9&release=" + ID)).isEqualTo(fit);
      List<String> missed = event(events(address, "Last-Event-ID", lastId));
      assertThat(missed.get(0)).isNotEqualTo(lastId);
      end(second);
    } finally {
      second.destroyForcibly();
    }
  }

  private void compare(URI address, Path config, String fit) throws Exception {
    assertThat(withoutReleases(fit))
        .isEqualTo(verb(config, "fit", "--id", ID, "--response", "y", "--level", "0.9"));
    assertThat(json(get(address, "/v1/ledger"))).isEqualTo(verb(config, "ledger"));
    assertThat(json(get(address, "/v1/advise?rows=5000&epsilon=2")))
        .isEqualTo(verb(config, "advise", "--rows", "5000", "--epsilon", "2"));
    JsonNode all = json(get(address, "/v1/advise?rows=5000&all=true"));
    assertThat(all).isEqualTo(verb(config, "advise", "--rows", "5000", "--all"));
    assertThat(all.path("mechanisms").findValuesAsText("mechanism")).contains("wishart");
    String row = "{\"x1\":0.5,\"x2\":9,\"kind\":\"b\"}";
    String path = "/v1/predict?response=y&release=" + ID + "&row=";
    JsonNode predicted = withoutReleases(get(address, path + URLEncoder.encode(row, UTF_8)));
    assertThat(predicted)
        .isEqualTo(verb(config, "predict", "--id", ID, "--response", "y", "--row", row));
    assertThat(predicted.at("/predictions/0/clamped/0").asText()).isEqualTo("x2");
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }
}
