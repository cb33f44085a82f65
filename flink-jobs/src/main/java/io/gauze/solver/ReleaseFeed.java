package io.gauze.solver;

import io.gauze.release.Release;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Where releases come from: told about in the order of their topic, read again when wanted. */
public interface ReleaseFeed extends AutoCloseable {
  /** Opens a feed where the job runs. */
  interface Factory extends Serializable {
    /**
     * A feed that has told nothing yet.
     *
     * @throws IOException if there is no topic, or the broker does not answer
     */
    ReleaseFeed open() throws IOException;
  }

  /**
   * Tells what has come since the last call, up to the last committed record now.
   *
   * @throws IOException if the broker does not answer
   */
  void readToEnd(ReleaseTopic.Reader reader) throws IOException;

  /**
   * Waits at most this long for new records and tells them.
   *
   * @throws IOException if the broker refuses
   */
  void readOn(ReleaseTopic.Reader reader, Duration patience) throws IOException;

  /**
   * Reads releases again and hands over those that are still there, in the order of {@code places},
   * one at a time: holds few of them, and never more than one if they are large.
   *
   * @throws IOException if the broker does not answer
   */
  void fetch(List<ReleaseTopic.Place> places, Consumer<Release> taker) throws IOException;

  @Override
  void close();
}
