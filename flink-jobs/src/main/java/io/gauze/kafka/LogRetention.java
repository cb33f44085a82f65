package io.gauze.kafka;

/**
 * How long a topic keeps its records.
 *
 * @param compacted whether a later record of a key takes away those before
 * @param compactionLagMillis how old it must be for that, at least
 * @param retentionMillis how old records must be to go; -1 if none goes for its age
 * @param bySize whether the first records go when there are too many
 */
public record LogRetention(
    boolean compacted, long compactionLagMillis, long retentionMillis, boolean bySize) {
  /** Whether records go for good, whatever their key. */
  public boolean deletes() {
    return retentionMillis >= 0 || bySize;
  }
}
