package io.gauze.mechanism;

import io.gauze.internal.Checks;
import io.gauze.model.track.PreviousModel;
import io.gauze.model.track.PublishedTrack;
import io.gauze.noise.Entropy;
import java.util.Optional;
import java.util.function.Function;

/**
 * A mechanism whose release of an epoch begins with one of an earlier epoch of its series. What is
 * still in the job may be made again after a crash, with other noise, and only one of both may ever
 * be seen. So that one must have been published, or be lost in a crash together with all that was
 * made of it.
 */
public interface TrackingMechanism extends SecondReadingMechanism {
  /**
   * Begins the fit of one epoch and group, as {@link #begin(Entropy)}.
   *
   * @param before the release with which this one begins
   * @throws IllegalArgumentException if a number of it is out of range
   */
  EpochFitter begin(Optional<PreviousRelease> before, Entropy entropy);

  /**
   * Whether the earlier release must have been published. Otherwise one that the running job has
   * made and not published yet is taken, too: it is published before this one, or neither is.
   */
  default boolean waitsForPublished() {
    return true;
  }

  /** The most epochs that the earlier release may be before. */
  default int mostEpochsBefore() {
    return Integer.MAX_VALUE;
  }

  /**
   * Returns the model of a published release.
   *
   * @param reader reads the numbers of a payload
   * @throws IllegalArgumentException if there are too few or too many numbers, or as the reader
   */
  default <M extends PublishedTrack> Optional<PreviousModel<M>> model(
      Optional<PreviousRelease> before, Function<long[], M> reader) {
    return before.map(
        release -> {
          Checks.length("numbers", release.payload().size(), payloadLength());
          return new PreviousModel<>(reader.apply(release.numbers()), release.epochsBefore());
        });
  }

  /** Begins the fit of an epoch before which there is no release. */
  @Override
  default EpochFitter begin(Entropy entropy) {
    return begin(Optional.empty(), entropy);
  }
}
