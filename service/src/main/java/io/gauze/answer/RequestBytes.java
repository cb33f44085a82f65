package io.gauze.answer;

/**
 * A record of the requests topic as the broker gave it, not decoded yet. Of keys and values longer
 * than {@link #MAX_BYTES}, only the length is kept.
 */
public interface RequestBytes {
  /** The most bytes of a key or value that is kept: 64 KiB. */
  int MAX_BYTES = 1 << 16;

  /** The partition of the requests topic. */
  int partition();

  /** The offset in the partition. */
  long offset();

  /** The length of the key as it was sent; -1 for a record without key. */
  int keyLength();

  /** The length of the value as it was sent; -1 for a record without value. */
  int valueLength();

  /** The bytes of the key, not a copy; empty if it is missing or too long. */
  byte[] key();

  /** The bytes of the value, not a copy; empty if it is missing or too long. */
  byte[] value();
}
