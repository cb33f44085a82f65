package io.gauze.model.track;

import io.gauze.internal.Checks;
import java.util.Objects;

/**
 * A model of an earlier epoch that has been published.
 *
 * @param <M> what its release says
 * @param model its public numbers
 * @param epochsBefore how many epochs before the one that is to be fitted it is, at least 1
 */
public record PreviousModel<M extends PublishedTrack>(M model, long epochsBefore) {
  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public PreviousModel {
    Objects.requireNonNull(model, "model");
    Checks.within("epochsBefore", epochsBefore, 1, Long.MAX_VALUE);
  }
}
