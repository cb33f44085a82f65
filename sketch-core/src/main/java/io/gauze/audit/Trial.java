package io.gauze.audit;

import io.gauze.noise.Entropy;

/** Runs a mechanism on one of two neighbouring data sets. Not for use by several threads. */
@FunctionalInterface
public interface Trial {
  /**
   * One run, with fresh noise and secrets.
   *
   * @param second which of the two data sets
   * @param entropy random bits that are used for nothing else
   * @return a number made from the release alone that is the larger the more the release speaks for
   *     the second data set: where the law is known {@code ln(P2 / P1)}, of either sign, infinite
   *     where only one of them is possible; not NaN
   */
  double run(boolean second, Entropy entropy);
}
