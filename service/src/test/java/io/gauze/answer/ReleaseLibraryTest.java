package io.gauze.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.release.Release;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What those who ask for new releases are told. */
final class ReleaseLibraryTest {
  private final Deque<Release> waiting = new ArrayDeque<>();
  private boolean fails;

  /** A feed of what waits, which may fail behind it. */
  private final class Feed implements ReleaseFeed {
    private long offset;

    @Override
    public void readToEnd(ReleaseTopic.Reader reader) throws IOException {
      while (!waiting.isEmpty()) {
        Release next = waiting.remove();
        reader.release(
            next,
            new ReleaseTopic.Place(
                next.id(), 0, offset++, 1, next.payload().length(), BodyHash.of(next.toBytes())));
      }
      if (fails) {
        throw new IOException("made up");
      }
    }

    @Override
    public void readOn(ReleaseTopic.Reader reader, Duration patience) throws IOException {
      readToEnd(reader);
    }

    @Override
    public void fetch(List<ReleaseTopic.Place> places, Consumer<Release> taker) {}

    @Override
    public void close() {}
  }

  @Test
  void aReleaseBeforeAFailureIsToldAfterIt() throws Exception {
    waiting.add(SmallReleases.hour(1));
    try (ReleaseLibrary library =
        new ReleaseLibrary(Optional.empty(), new Feed(), Clock.systemUTC())) {
      assertThat(library.refresh()).as("what was there at the start").isEmpty();
      waiting.add(SmallReleases.hour(2));
      fails = true;
      assertThatThrownBy(library::refresh).isInstanceOf(IOException.class);
      assertThat(library.state().entries()).hasSize(2);
      waiting.add(SmallReleases.hour(3));
      fails = false;
      assertThat(library.refresh())
          .extracting(each -> each.id().toString())
          .containsExactly(SmallReleases.id(2), SmallReleases.id(3));
      assertThat(library.refresh()).isEmpty();
    }
  }
}
