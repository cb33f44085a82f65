package io.gauze.mechanism;

import io.gauze.internal.Checks;
import io.gauze.model.track.PreviousModel;
import io.gauze.model.track.PublishedTrack;
import io.gauze.noise.Entropy;
import java.util.Optional;
import java.util.function.Function;

/**
 * A mechanism whose model of an epoch begins with the release of an earlier epoch. That one must
 * have been published: what is still in the job may be made again after a crash, with other noise,
 * and only one of both may ever be seen.
 */
public interface TrackingMechanism extends SecondReadingMechanism {
  /**
   * Begins the fit of one epoch and group, as {@link #begin(Entropy)}.
   *
   * @param before the published release with which this one begins
   * @throws IllegalArgumentException if a number of it is out of range
   */
  EpochFitter begin(Optional<PreviousRelease> before, Entropy entropy);

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

  /** Begins the fit of an epoch before which nothing is published. */
  @Override
  default EpochFitter begin(Entropy entropy) {
    return begin(Optional.empty(), entropy);
  }
}
