package io.gauze.ledger;

import java.util.Objects;

/**
 * A complete epoch with its place in the log. The account has admitted its releases, and the place
 * of what is admitted decides nothing, so it may be later than their entries were.
 *
 * @param epoch the epoch
 * @param partition of the ledger's log
 * @param offset in that partition
 */
record CompletePosition(CompleteEpoch epoch, int partition, long offset) {
  CompletePosition {
    Objects.requireNonNull(epoch, "epoch");
  }
}
