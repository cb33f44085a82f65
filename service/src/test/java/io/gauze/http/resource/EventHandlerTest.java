package io.gauze.http.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.answer.ReleaseFolder;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.answer.SmallReleases;
import io.gauze.http.SlowClient;
import io.gauze.http.protocol.BearerAuth;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.http.protocol.SlowClients;
import io.gauze.release.ReleaseFile;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class EventHandlerTest {
  private static final int CLIENTS = 20;
  private static final String REQUEST = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n";

  /** Some 10 MB of events: more than the buffers between a client and the service. */
  private static final int EVENTS = 25_000;

  @TempDir private Path folder;

  /** They are forgotten at once, and their connections are closed when their time is over. */
  @Test
  void clientsThatHardlyReadAreSentAway() throws Exception {
    ReleaseFile.write(SmallReleases.hour(1), folder.resolve("1.avro"));
    Entry entry;
    try (ReleaseLibrary library =
        new ReleaseLibrary(Optional.empty(), new ReleaseFolder(folder), Clock.systemUTC())) {
      entry = library.state().entries().get(0);
    }
    EventHub hub = new EventHub(new EventHub.Limits(CLIENTS, CLIENTS), List.of());
    SlowClients slow = new SlowClients(new ClientLimits(Duration.ofSeconds(1), 1 << 20));
    slow.setHandler(new EventHandler(hub, new BearerAuth(Optional.empty()), slow));
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.addBean(slow);
    server.addConnector(connector);
    server.setHandler(slow);
    server.start();
    List<SlowClient> clients = new ArrayList<>();
    try {
      for (int k = 0; k < CLIENTS; k++) {
        clients.add(new SlowClient(connector.getLocalPort(), REQUEST));
      }
      while (hub.size() < CLIENTS) {
        Thread.onSpinWait();
      }
      hub.publish(Collections.nCopies(EVENTS, entry));
      assertThat(hub.size()).isZero();
      while (slow.connections() > 0) {
        clients.forEach(SlowClient::read);
      }
      while (clients.stream().anyMatch(client -> !client.isClosed())) { // what is on the way
        clients.forEach(SlowClient::read);
      }
      assertThat(clients).allMatch(client -> client.answer().contains("text/event-stream"));
    } finally {
      server.stop();
      for (SlowClient client : clients) {
        client.close();
      }
    }
  }
}
