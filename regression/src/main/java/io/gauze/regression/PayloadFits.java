package io.gauze.regression;

import io.gauze.mechanism.Payload;

/**
 * What fits make of one kind of payload. {@link java.util.ServiceLoader} finds the implementations:
 * a new kind of payload is a new file, and a line in {@code META-INF/services}.
 *
 * @param <P> the kind
 */
public interface PayloadFits<P extends Payload> {
  /** The kind of payload. */
  Class<P> payload();

  /**
   * Returns the input for the rows of a release.
   *
   * @throws IllegalArgumentException if the numbers cannot be those of such a release
   */
  FitInput input(P payload, ReleasedNumbers numbers);

  /** Returns what fits of such a release will be, before there is one. */
  Prospect prospect(P payload, NominalModel model);
}
