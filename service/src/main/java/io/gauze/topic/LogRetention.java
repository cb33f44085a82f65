package io.gauze.topic;

/**
 * The retention of a topic's records.
 *
 * @param compacted whether a later record of a key removes the earlier ones
 * @param compactionLagMillis the least age of the later record for that
 * @param retentionMillis the age at which records are deleted; -1 if none is deleted for its age
 * @param bySize whether the oldest records are deleted when the log is too large
 */
public record LogRetention(
    boolean compacted, long compactionLagMillis, long retentionMillis, boolean bySize) {
  /** Returns whether records are deleted whatever their key. */
  public boolean deletes() {
    return retentionMillis >= 0 || bySize;
  }
}
