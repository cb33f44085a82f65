package io.gauze.audit.papers;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Trial;
import java.util.List;
import java.util.function.Function;

/**
 * Audits whether the normal numbers of a sampler show in its releases. {@link LatticeAttack}
 * guesses whether one row is added to 2^31 rows of two columns. It must be right about half of the
 * time; otherwise it is a test that epsilon does not allow.
 */
final class LatticeAudit {
  /**
   * A claim like that of real promises. The attack can exceed it only through an error of the
   * sampler.
   */
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
   * Returns the cases of the mechanism and of its broken twin.
   *
   * @param mechanism the mechanism's name
   * @param sound makes releases of the mechanism from moments
   * @param twin makes releases of the broken twin from moments
   * @param guess makes an attack that assumes the moments
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
