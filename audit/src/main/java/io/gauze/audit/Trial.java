package io.gauze.audit;

import io.gauze.noise.Entropy;

/** Runs a mechanism on one of two neighbouring data sets. Not for use by several threads. */
@FunctionalInterface
public interface Trial {
  /**
   * Runs the mechanism once, with fresh noise and secrets.
   *
   * @param second whether to run on the second data set
   * @param entropy random bits that are used for nothing else
   * @return a number made from the release alone that is the larger the more the release speaks for
   *     the second data set. If the law is known this is {@code ln(P2 / P1)}, of either sign,
   *     infinite if only one of the data sets is possible; not NaN
   */
  double run(boolean second, Entropy entropy);
}
