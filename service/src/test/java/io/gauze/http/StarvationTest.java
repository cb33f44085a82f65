package io.gauze.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.answer.MeterReleases;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One client with hundreds of long questions keeps nobody else from an answer. */
@Timeout(300)
final class StarvationTest {
  /** More than the server has threads. */
  private static final int QUESTIONS = 300;

  private static final String ONE = "127.0.0.1";
  private static final String OTHER = "127.0.0.2"; // of this machine, too, on Linux

  @TempDir private Path folder;
  private final List<Socket> clients = new ArrayList<>();
  private RunningService service;

  @BeforeEach
  void start() throws IOException {
    ReleaseFile.write(MeterReleases.hour(1, "moments"), folder.resolve("1.avro"));
    service = RunningService.over(folder, Optional.empty(), ServiceExtras.NONE);
  }

  @AfterEach
  void stop() throws IOException {
    leave();
    service.close();
  }

  private Socket ask(String from, String request) throws IOException {
    Socket client = new Socket();
    clients.add(client);
    client.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()));
    client.setSoTimeout((int) Duration.ofSeconds(60).toMillis()); // a hang fails the test
    client
        .getOutputStream()
        .write(
            (request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .getBytes(ISO_8859_1));
    return client;
  }

  private String answer(Socket client) throws IOException {
    try (client) {
      clients.remove(client);
      return new String(client.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private void leave() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    clients.clear();
  }

  /** A path of least absolute deviations: hundreds of fits, each from hundreds of other ones. */
  private static String longQuestion(int k) {
    return "GET /v1/path?response=kwh&loss=lad&points=200&from=0.001&to=" + (1 + k);
  }

  private double metric(String name) throws IOException {
    String metrics = answer(ask(OTHER, "GET /metrics"));
    int at = metrics.indexOf("\n" + name + " ");
    assertThat(at).as(metrics).isPositive();
    return Double.parseDouble(
        metrics.substring(at + name.length() + 2, metrics.indexOf('\n', at + 1)).strip());
  }

  /** Returns the first answer that is a refusal; questions need not be served in their order. */
  private String refused(List<Socket> asked) throws IOException {
    List<Socket> open = new ArrayList<>(asked);
    while (true) {
      for (Socket client : List.copyOf(open)) {
        if (client.getInputStream().available() > 0) {
          open.remove(client);
          String answer = answer(client);
          if (answer.startsWith("HTTP/1.1 503 ")) {
            return answer;
          }
        }
      }
      assertThat(open).as("questions without an answer").isNotEmpty();
      Thread.onSpinWait();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void othersAreAnsweredAndWorkOfClientsThatLeaveIsDropped() throws IOException {
    List<Socket> many = new ArrayList<>();
    for (int k = 0; k < QUESTIONS; k++) {
      many.add(ask(ONE, longQuestion(k)));
    }
    while (metric("gauze_fits_waiting") == 0) {
      Thread.onSpinWait();
    }
    for (String from : List.of(ONE, OTHER)) {
      assertThat(answer(ask(from, "GET /healthz"))).contains(" 200 ", "ok");
      assertThat(answer(ask(from, "GET /readyz"))).contains(" 200 ", "ok");
      assertThat(answer(ask(from, "GET /v1/releases"))).contains(" 200 ", MeterReleases.STREAM);
    }
    assertThat(answer(ask(OTHER, "GET /v1/fit?response=kwh&features=occupants")))
        .contains(" 200 ", "\"occupants\"");
    assertThat(metric("gauze_fits_waiting")).isPositive(); // the long ones are not done
    assertThat(refused(many)).contains("of your address");
    leave();
    while (metric("gauze_fits_waiting") > 0) {
      Thread.onSpinWait();
    }
    assertThat(answer(ask(ONE, "GET /v1/fit?response=kwh&features=temperature")))
        .contains(" 200 ", "\"temperature\"");
    while (metric("gauze_http_connections") > 1) { // that of the question itself
      Thread.onSpinWait();
    }
  }

  /** A client that asks again before it is answered gets the first answer, and a closed line. */
  @Test
  void whoSendsMoreBeforeTheAnswerMustConnectAgain() throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), service.port());
    clients.add(client);
    client.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
    String body =
        "{\"response\":\"kwh\",\"deadline\":\"PT1S\",\"release\":\""
            + MeterReleases.id(9, "moments")
            + "\"}";
    String post =
        "POST /v1/fit HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    client.getOutputStream().write(post.getBytes(ISO_8859_1));
    client.getOutputStream().flush();
    while (metric("gauze_requests_waiting") == 0) {
      Thread.onSpinWait();
    }
    client
        .getOutputStream()
        .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(ISO_8859_1));
    assertThat(answer(client)).contains(" 404 ", "unknown-release", "Connection: close");
  }
}
