package io.gauze.audit.moments;

import io.gauze.audit.Trial;
import io.gauze.mechanism.Mechanism;
import io.gauze.noise.Entropy;

/**
 * Runs a broken mechanism whose parts, strata or cells, get their noise only if they contain a row,
 * on no row or on one. The statistic says whether the release contains anything.
 */
final class BareWhereEmpty implements Trial {
  private final Mechanism mechanism;
  private final long[] row;
  private final int partLength;

  /**
   * Creates the trial.
   *
   * @param mechanism the mechanism
   * @param row the state of the one row
   * @param partLength the number of entries of a part
   */
  BareWhereEmpty(Mechanism mechanism, long[] row, int partLength) {
    this.mechanism = mechanism;
    this.row = row.clone();
    this.partLength = partLength;
  }

  @Override
  public double run(boolean second, Entropy entropy) {
    long[] release = second ? row.clone() : new long[row.length];
    long[] noise = new long[row.length];
    mechanism.addNoise(noise, 0, entropy);
    long seen = 0;
    for (int from = 0; from < release.length; from += partLength) {
      if (isEmpty(release, from)) {
        continue;
      }
      for (int i = from; i < from + partLength; i++) {
        release[i] += noise[i];
        seen |= release[i];
      }
    }
    return seen == 0 ? -1.0 : 1.0;
  }

  private boolean isEmpty(long[] state, int from) {
    long any = 0;
    for (int i = from; i < from + partLength; i++) {
      any |= state[i];
    }
    return any == 0;
  }
}
