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
public record LedgerLine(LedgerEntry entry, int partition, long offset) {
  public LedgerLine {
    Objects.requireNonNull(entry, "entry");
  }

  /** Returns this line after the log has got another entry of the same release. */
  public LedgerLine then(LedgerLine later) {
    return new LedgerLine(later.entry, partition, offset);
  }
}
