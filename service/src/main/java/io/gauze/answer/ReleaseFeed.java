package io.gauze.answer;

import io.gauze.release.Release;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * A source of releases: it reports them in the order of their topic, and reads single ones again.
 */
public interface ReleaseFeed extends AutoCloseable {
  /** Opens a feed where the job runs. */
  interface Factory extends Serializable {
    /**
     * Opens a feed that has reported nothing yet.
     *
     * @throws IOException if the topic does not exist, or the broker does not answer
     */
    ReleaseFeed open() throws IOException;
  }

  /**
   * Reports the records since the last call, up to the last committed record now.
   *
   * @throws IOException if the broker does not answer
   */
  void readToEnd(ReleaseTopic.Reader reader) throws IOException;

  /**
   * Waits at most {@code patience} for new records, and reports them.
   *
   * @throws IOException if the broker refuses
   */
  void readOn(ReleaseTopic.Reader reader, Duration patience) throws IOException;

  /**
   * Reads releases again and passes those that still exist to {@code taker}, in the order of {@code
   * places}, one at a time. Holds few releases at once, and only one if they are large.
   *
   * @throws IOException if the broker does not answer
   */
  void fetch(List<ReleaseTopic.Place> places, Consumer<Release> taker) throws IOException;

  @Override
  void close();
}
