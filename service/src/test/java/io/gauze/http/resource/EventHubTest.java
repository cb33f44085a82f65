package io.gauze.http.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.answer.BodyHash;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.answer.ReleaseTopic;
import io.gauze.answer.SmallReleases;
import io.gauze.http.protocol.Problem;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.report.ReleaseReport.Listed;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever is gone is no member, whenever it went, and gets what it missed when it is back. */
@Timeout(60)
final class EventHubTest {
  private static final String ME = "127.0.0.1";
  private static final int MANY = 3_000;
  private static final Release LIKE = SmallReleases.hour(1);

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

  /** A client that keeps what it gets, up to a number of events, and then is gone. */
  private final class Keeping implements EventHub.Client {
    private final int most;
    private final List<String> events = new ArrayList<>();

    Keeping(int most) {
      this.most = most;
    }

    @Override
    public void send(byte[] bytes) {
      String text = new String(bytes, UTF_8);
      if (text.startsWith("id: ")) {
        events.add(text);
      }
      if (events.size() == most) {
        hub.remove(this);
      }
    }

    @Override
    public void end() {}

    Optional<String> id(int event) {
      return Optional.of(events.get(event).lines().findFirst().orElseThrow().substring(4));
    }
  }

  @Test
  void whoComesBackGetsTheEventsThatItMissed() throws Problem {
    Keeping live = new Keeping(MANY + 1);
    hub.add(live, ME, Optional.empty());
    SplittableRandom random = new SplittableRandom(1);
    long[] offsets = new long[3];
    for (int k = 0; k < MANY; k++) {
      int partition = random.nextInt(offsets.length);
      offsets[partition] += 1 + random.nextInt(3);
      hub.publish(List.of(entry(k, partition, offsets[partition])));
    }
    assertThat(live.events).hasSize(MANY);
    for (int known : new int[] {0, 1, 1022, 1023, 1024, 1025, 2500, MANY - 2, MANY - 1}) {
      Keeping back = new Keeping(MANY + 1);
      hub.add(back, "other", live.id(known));
      assertThat(back.events)
          .as("behind event %d", known)
          .isEqualTo(live.events.subList(known + 1, MANY));
      hub.remove(back);
    }
    Keeping slow = new Keeping(5);
    hub.add(slow, "other", live.id(7));
    assertThat(slow.events).isEqualTo(live.events.subList(8, 13));
    assertThat(hub.size()).isOne();
  }

  /** An event has some 700 bytes. */
  @Test
  void eventsThatNobodyMissedTakeNoMemory() throws Exception {
    List<Entry> known = new ArrayList<>();
    for (int k = 0; k < MANY; k++) {
      known.add(entry(k, 0, k));
    }
    ObjectName threads = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    long before = (Long) beans.getAttribute(threads, "CurrentThreadAllocatedBytes");
    EventHub many = new EventHub(EventHub.Limits.USUAL, known);
    long after = (Long) beans.getAttribute(threads, "CurrentThreadAllocatedBytes");
    assertThat((after - before) / MANY).as("bytes of a release").isLessThan(100);
    assertThat(many.size()).isZero();
  }

  private static Entry entry(int number, int partition, long offset) {
    ReleaseId id = new ReleaseId("s", "g", Integer.toString(number), "moments");
    Listed listed =
        new Listed(id, LIKE.mechanism(), LIKE.payload().kind(), 9, LIKE.guarantee(), 100);
    BodyHash hash = BodyHash.of(id.toString().getBytes(UTF_8));
    return new Entry(listed, new ReleaseTopic.Place(id, partition, offset, 100, 9, hash));
  }
}
