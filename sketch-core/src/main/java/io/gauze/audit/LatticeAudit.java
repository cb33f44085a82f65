package io.gauze.audit;

import io.gauze.accounting.Neighbours;
import java.util.List;
import java.util.function.Function;

/**
 * Whether the normal numbers of a sampler show in its releases: a row more or less among 2^31 rows
 * of two columns, guessed by {@link LatticeAttack}. A guess is right half of the time, or it is a
 * test that epsilon does not allow.
 */
final class LatticeAudit {
  /** What promises are like: what is left to guess is the sampler's fault. */
  static final Claim CLAIM = new Claim(1.0, 1e-6, Neighbours.ADD_REMOVE);

  private static final int RUNS = 1_000;

  /** The moments without and with a row of norm 1, in squared grid steps. */
  private static final long[] FIRST = {1L << 60, 1L << 59, 1L << 60};

  private static final long[] SECOND = plus(19_660, 26_214);

  private LatticeAudit() {}

  private static long[] plus(long left, long right) {
    return new long[] {FIRST[0] + left * left, FIRST[1] + left * right, FIRST[2] + right * right};
  }

  /**
   * The mechanism and its broken twin.
   *
   * @param sound makes releases from moments
   * @param twin the same
   * @param guess an attack that takes moments for right
   */
  static List<AuditCase> cases(
      String mechanism,
      Function<long[], LatticeAttack.Releaser> sound,
      Function<long[], LatticeAttack.Releaser> twin,
      Function<long[], LatticeAttack> guess) {
    return List.of(
        audit(mechanism, "lattice attack", sound, guess).asSound(),
        audit(mechanism, "normal numbers on a lattice, no filling", twin, guess));
  }

  private static AuditCase audit(
      String mechanism,
      String variant,
      Function<long[], LatticeAttack.Releaser> releaser,
      Function<long[], LatticeAttack> guess) {
    Trial trial =
        LatticeAttack.trial(
            releaser.apply(FIRST), releaser.apply(SECOND), guess.apply(FIRST), guess.apply(SECOND));
    return AuditCase.of(mechanism, variant, CLAIM, () -> trial).withThreshold(0.0).withRuns(RUNS);
  }
}
