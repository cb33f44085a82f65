package io.gauze.http.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.http.protocol.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever is gone is no member, whenever it went. */
@Timeout(60)
final class EventHubTest {
  private static final String ME = "127.0.0.1";

  private final EventHub hub = new EventHub(new EventHub.Limits(3, 2), List.of());

  /** A client that does something when bytes are sent to it. */
  private static final class Acting implements EventHub.Client {
    private final Runnable act;
    private boolean ended;

    Acting(Runnable act) {
      this.act = act;
    }

    @Override
    public void send(byte[] bytes) {
      act.run();
    }

    @Override
    public void end() {
      ended = true;
    }
  }

  @Test
  void aClientThatIsCutOffWhileItIsAddedIsNoMember() throws Problem {
    List<EventHub.Client> self = new ArrayList<>();
    for (int k = 0; k < 10; k++) { // more than there may be
      self.add(0, new Acting(() -> hub.remove(self.get(0))));
      hub.add(self.get(0), ME, Optional.empty());
      assertThat(hub.size()).isZero();
    }
  }

  /** The connection breaks on another thread just when the client is added. */
  @Test
  void aClientWhoseConnectionBreaksWhileItIsAddedIsNoMember() throws Exception {
    CountDownLatch sending = new CountDownLatch(1);
    CountDownLatch removing = new CountDownLatch(1);
    EventHub.Client client =
        new Acting(
            () -> {
              sending.countDown();
              try {
                removing.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    CompletableFuture<Void> breaks =
        CompletableFuture.runAsync(
            () -> {
              try {
                sending.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              removing.countDown();
              hub.remove(client);
            });
    hub.add(client, ME, Optional.empty());
    breaks.get(10, TimeUnit.SECONDS);
    assertThat(hub.size()).isZero();
  }

  @Test
  void anAddressHasAShareAndTheHubAnEnd() throws Problem {
    List<Acting> clients = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      clients.add(new Acting(() -> {}));
    }
    hub.add(clients.get(0), ME, Optional.empty());
    hub.add(clients.get(1), ME, Optional.empty());
    assertThatThrownBy(() -> hub.add(clients.get(2), ME, Optional.empty()))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("of your address");
    hub.add(clients.get(2), "127.0.0.2", Optional.empty());
    assertThatThrownBy(() -> hub.add(clients.get(3), "127.0.0.3", Optional.empty()))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("at most 3");
    hub.close();
    hub.add(clients.get(3), ME, Optional.empty()); // too late
    assertThat(clients).allMatch(client -> client.ended);
    assertThat(hub.size()).isZero();
  }
}
