package io.gauze.audit;

/**
 * What an audit found.
 *
 * @param audited what was audited
 * @param runs how often it ran on each neighbour
 * @param lowerBound epsilon at the claim's delta is at least this; wrong with chance at most 1e-6
 * @param standardError of the bound; the spread from audit to audit
 */
public record AuditResult(AuditCase audited, int runs, double lowerBound, double standardError) {
  /** Whether the claim is refuted: the bound is above it. */
  public boolean caught() {
    return lowerBound > audited.claim().epsilon();
  }

  /** Whether a sound mechanism was not caught, or a broken one was. */
  public boolean asExpected() {
    return caught() != audited.sound();
  }

  /** By how many standard errors the bound is above the claim; negative below. */
  public double margin() {
    return (lowerBound - audited.claim().epsilon()) / standardError;
  }
}
