package io.gauze.ledger;

import java.util.Objects;

/**
 * The last entry of a release with the position of its first entry in the ledger. If two streams
 * ask at once, the one whose entry comes first continues.
 *
 * @param entry the last entry
 * @param partition of the ledger's log
 * @param offset in that partition
 */
public record LedgerPosition(LedgerEntry entry, int partition, long offset) {
  public LedgerPosition {
    Objects.requireNonNull(entry, "entry");
  }

  /** Returns this line after the log has got another entry of the same release. */
  public LedgerPosition then(LedgerPosition later) {
    return new LedgerPosition(later.entry, partition, offset);
  }
}
