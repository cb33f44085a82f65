package io.gauze.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.answer.BodyHash;
import io.gauze.answer.ReleaseFeed;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseTopic;
import io.gauze.answer.SmallReleases;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.release.Release;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a look for releases throws, the service says that it is not ready, and looks again. */
@Timeout(60)
final class FailingLookTest {
  private final AtomicReference<Optional<Error>> failure = new AtomicReference<>(Optional.empty());

  /** A feed of nothing that fails when it is told to, and of a release once it is told nothing. */
  private final class Feed implements ReleaseFeed {
    @Override
    public void readToEnd(ReleaseTopic.Reader reader) {
      if (failure.get().isPresent()) {
        throw failure.get().get();
      }
    }

    @Override
    public void readOn(ReleaseTopic.Reader reader, Duration patience) {
      readToEnd(reader);
      Release release = SmallReleases.hour(1);
      reader.copy(
          release,
          new ReleaseTopic.Place(
              release.id(), 0, 0, 1, release.payload().length(), BodyHash.of(release.toBytes())));
    }

    @Override
    public void fetch(List<ReleaseTopic.Place> places, Consumer<Release> taker) {
      taker.accept(SmallReleases.hour(1));
    }

    @Override
    public void close() {}
  }

  @Test
  void isNotReadyAndThenReadyAgain() throws Exception {
    failure.set(Optional.empty());
    ServiceSettings settings =
        new ServiceSettings(
            new ServiceSettings.Listen("127.0.0.1", 0),
            Optional.empty(),
            Optional.empty(),
            Duration.ofMillis(20),
            ClientLimits.USUAL,
            "test");
    ReleaseLibrary library = new ReleaseLibrary(Optional.empty(), new Feed(), Clock.systemUTC());
    try (ServiceServer service = ServiceServer.start(settings, library)) {
      for (Error each : List.of(new OutOfMemoryError("made up"), new StackOverflowError())) {
        failure.set(Optional.of(each));
        await(service, 503);
        failure.set(Optional.empty());
        await(service, 200);
      }
      assertThat(library.state().entries()).hasSize(1);
    }
  }

  private static void await(ServiceServer service, int status) throws Exception {
    HttpRequest ready = HttpRequest.newBuilder(URI.create(service.address() + "/readyz")).build();
    HttpClient client = HttpClient.newHttpClient();
    while (client.send(ready, BodyHandlers.ofString()).statusCode() != status) {
      Thread.onSpinWait();
    }
  }
}
