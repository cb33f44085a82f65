package io.gauze.http.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.answer.SmallReleases;
import io.gauze.http.RunningService;
import io.gauze.http.SlowClient;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.release.ReleaseFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that send or read hardly anything are sent away, and keep nobody else from answers. */
@Timeout(120)
final class SlowClientsTest {
  /** More than the service has threads. */
  private static final int CLIENTS = 250;

  private static final String FIT = "/v1/fit?response=y&features=a&release=" + SmallReleases.id(1);

  @TempDir private Path folder;
  private RunningService service;
  private final List<SlowClient> clients = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    ReleaseFile.write(SmallReleases.hour(1), folder.resolve("1.avro"));
    service =
        RunningService.over(
            folder,
            Optional.empty(),
            ServiceExtras.NONE,
            new ClientLimits(Duration.ofSeconds(2), 1 << 20));
  }

  @AfterEach
  void stop() throws IOException {
    for (SlowClient client : clients) {
      client.close();
    }
    service.close();
  }

  private void connect(String begin) throws IOException {
    for (int k = 0; k < CLIENTS; k++) {
      clients.add(new SlowClient(service.port(), begin));
    }
  }

  /** Sends a byte of each client between two requests of another, until all are sent away. */
  private void trickleUntilClosed() throws Exception {
    while (clients.stream().anyMatch(client -> !client.isClosed())) {
      clients.stream().filter(client -> !client.isClosed()).forEach(SlowClient::trickle);
      assertThat(service.get(FIT).statusCode()).isEqualTo(200);
    }
  }

  private void awaitNobodyElse() throws Exception {
    String metrics = service.get("/metrics").body();
    while (!metrics.contains("gauze_http_connections 1.0")) { // the one that asks
      clients.forEach(SlowClient::read); // so that the server's own timeout begins anew
      metrics = service.get("/metrics").body();
    }
    assertThat(metrics).contains("gauze_event_clients 0.0");
  }

  @Test
  void aHeaderThatNeverEndsIsClosed() throws Exception {
    connect("GET /v1 HTTP/1.1\r\nHost: localhost\r\nX-Long: ");
    trickleUntilClosed();
    awaitNobodyElse();
  }

  @Test
  void aBodyThatNeverEndsIsAProblemAndTakesNoThread() throws Exception {
    connect("POST /v1/fit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{");
    trickleUntilClosed();
    for (SlowClient client : clients) {
      String answer = client.answer();
      if (!answer.isEmpty()) { // its own bytes may have crossed the answer, which is then lost
        assertThat(answer)
            .startsWith("HTTP/1.1 408 ")
            .contains("Connection: close", "urn:gauze:problem:timeout", "in time");
      }
    }
    assertThat(clients).anyMatch(client -> !client.answer().isEmpty());
    awaitNobodyElse();
  }

  /** The answers are more than the buffers between the two, and each is written before the next. */
  @Test
  void answersThatAreHardlyReadAreGivenUp() throws Exception {
    String request = "GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (int k = 0; k < 20; k++) {
      clients.add(new SlowClient(service.port(), request.repeat(400)));
    }
    awaitNobodyElse();
    assertThat(service.get(FIT).statusCode()).isEqualTo(200);
  }
}
