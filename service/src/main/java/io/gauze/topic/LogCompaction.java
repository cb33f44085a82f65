package io.gauze.topic;

/**
 * The compaction of a topic's records.
 *
 * @param compacted whether a later record of a key removes the earlier ones
 * @param lagMillis the least age of the later record for that
 */
public record LogCompaction(boolean compacted, long lagMillis) {}
