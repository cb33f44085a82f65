package io.gauze.ledger;

import java.util.Objects;

/**
 * A complete epoch, and where the log has its record. The account has admitted its releases, and
 * the place of what is admitted decides nothing, so it may be later than their entries were. Of
 * several copies of the record this is the last one, which compaction keeps.
 *
 * @param epoch the epoch
 * @param mark by which the record is known, see {@link EpochRecord#mark}
 * @param partition of the ledger's log
 * @param offset in that partition
 */
public record CompletePosition(CompleteEpoch epoch, long mark, int partition, long offset) {
  public CompletePosition {
    Objects.requireNonNull(epoch, "epoch");
  }

  /**
   * Returns the record, which was read again at this place, with the same {@link #epoch}.
   *
   * @throws IllegalArgumentException if it is not the one that was there before
   */
  public EpochRecord record(String key, String json) {
    EpochRecord record = EpochRecord.fromJson(key, json, hash -> epoch.cells());
    if (record.mark() != mark) {
      throw new IllegalArgumentException("the record must be the one that was read before");
    }
    return record.with(epoch);
  }
}
