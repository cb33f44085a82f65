package io.gauze.audit;

/**
 * The result of an audit.
 *
 * @param audited the case
 * @param runs the number of runs on each neighbour
 * @param lowerBound a lower bound on epsilon at the claim's delta, which is wrong with probability
 *     at most 1e-6
 * @param standardError the standard error of the bound, which is its spread from audit to audit
 */
public record AuditResult(AuditCase audited, int runs, double lowerBound, double standardError) {
  /** Returns true if the claim is refuted: the bound is above it. */
  public boolean caught() {
    return lowerBound > audited.claim().epsilon();
  }

  /** Returns true if a sound mechanism was not caught, or a broken one was. */
  public boolean asExpected() {
    return caught() != audited.sound();
  }

  /**
   * Returns the number of standard errors by which the bound is above the claim; negative below.
   */
  public double margin() {
    return (lowerBound - audited.claim().epsilon()) / standardError;
  }
}
