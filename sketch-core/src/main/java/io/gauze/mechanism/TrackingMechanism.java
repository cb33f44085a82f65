package io.gauze.mechanism;

import io.gauze.model.EarlierModel;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import java.util.Optional;

/**
 * A mechanism whose model of an epoch begins with the model of an earlier epoch. That one must have
 * been published: a model that is still in the job may be fitted again after a crash, with other
 * noise, and only one of both may ever be seen.
 */
public interface TrackingMechanism extends RowsMechanism {
  /**
   * Returns the payload of an epoch, as {@link #fit(ModelRows, Entropy)}.
   *
   * @param before the published model with which this one begins
   */
  long[] fit(ModelRows rows, Optional<EarlierModel> before, Entropy entropy);

  /**
   * Returns the model of a release, with which a later epoch may begin.
   *
   * @param numbers the payload of a release of this mechanism
   * @param epochsBefore how many epochs before the later one its epoch is, at least 1
   * @throws IllegalArgumentException if a number is out of range
   */
  EarlierModel earlier(long[] numbers, long epochsBefore);

  /** Returns the payload of an epoch before which nothing is published. */
  @Override
  default long[] fit(ModelRows rows, Entropy entropy) {
    return fit(rows, Optional.empty(), entropy);
  }
}
