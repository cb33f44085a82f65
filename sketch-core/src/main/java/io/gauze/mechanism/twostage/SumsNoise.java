package io.gauze.mechanism.twostage;

import io.gauze.noise.RoundedGaussian;
import java.io.Serializable;

/** The noise of sums that say where rows lie. */
public interface SumsNoise extends Serializable {
  /** The moments of encoded rows. */
  TwoStagePlan.Part first();

  /**
   * The moments that are made after a round.
   *
   * @param round from 1 on; 0 if an earlier release took the place of rounds
   * @param isLast whether they are those that are released
   */
  TwoStagePlan.Part part(int round, boolean isLast);

  /** The noise of counts of norms, in units of 2^-16. */
  RoundedGaussian norms();
}
