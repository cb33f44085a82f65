package io.gauze.ledger;

import java.util.Objects;

/**
 * The last entry of a release, and where the ledger has the first one: of two streams that ask at
 * once, the one that stands first goes on.
 *
 * @param entry the last entry
 * @param partition of the ledger's log
 * @param offset in that partition
 */
public record LedgerLine(LedgerEntry entry, int partition, long offset) {
  /** Nothing is missing. */
  public LedgerLine {
    Objects.requireNonNull(entry, "entry");
  }

  /** This line once the log has another entry of the same release. */
  public LedgerLine then(LedgerLine later) {
    return new LedgerLine(later.entry, partition, offset);
  }
}
