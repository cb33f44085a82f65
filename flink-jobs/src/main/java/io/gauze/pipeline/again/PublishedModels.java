package io.gauze.pipeline.again;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.Serializable;
import java.util.Set;

/**
 * Models of earlier epochs, as they are published. A model that is still in the job is never used:
 * after a crash its rows may be fitted again with other noise.
 */
public interface PublishedModels extends AutoCloseable {
  /** Opens the models of a stream where the job runs. */
  interface Factory extends Serializable {
    PublishedModels open();
  }

  /**
   * Reads what is published by now, or waits a moment for more if that was read before. Of the
   * epochs before {@code epoch}, the newest one is kept: epochs come in order.
   *
   * @param epoch that is to be fitted
   * @param oldest an epoch before which no model is needed; the first call decides
   * @throws IOException if the broker does not answer
   */
  void read(long epoch, long oldest) throws IOException;

  /** Returns the epochs whose models were found. */
  Set<Long> epochs(Cell cell);

  /**
   * Returns a model that was found.
   *
   * @param epoch its epoch
   */
  long[] numbers(Cell cell, long epoch);

  @Override
  void close();

  /** Follows the topic of releases from the time on at which the oldest epoch began. */
  final class InTopic implements PublishedModels {
    private final PreviousReleases releases;
    private final long length; // of an epoch, in milliseconds
    private boolean open;

    InTopic(SketchJobSettings settings) {
      this.length = settings.schedule().lengthMillis();
      this.releases =
          new PreviousReleases(
              settings, settings.schedule(), (id, mechanism) -> kept(settings, id, mechanism));
    }

    /** Of a job that ends only what was published before it was started is of use. */
    private static int kept(SketchJobSettings settings, ReleaseId id, Mechanism mechanism) {
      boolean late = settings.bounded() && !settings.published().contains(id.toString());
      return !late && mechanism instanceof TrackingMechanism model ? model.payloadLength() : 0;
    }

    @Override
    public void read(long epoch, long oldest) throws IOException {
      releases.keepNewestBefore(epoch);
      if (open) {
        releases.await();
      }
      open = true;
      releases.read(oldest <= 0 ? 0 : Math.multiplyExact(oldest, length));
    }

    @Override
    public Set<Long> epochs(Cell cell) {
      return releases.of(cell).keySet();
    }

    @Override
    public long[] numbers(Cell cell, long epoch) {
      return releases.of(cell).get(epoch);
    }

    @Override
    public void close() {
      releases.close();
    }
  }
}
