package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import java.util.Optional;

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

  /** Begins the fit of an epoch before which nothing is published. */
  @Override
  default EpochFitter begin(Entropy entropy) {
    return begin(Optional.empty(), entropy);
  }
}
