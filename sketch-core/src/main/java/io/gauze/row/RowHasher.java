package io.gauze.row;

/**
 * Keyed hash of a row's 128-bit key: which bucket a row falls in, and with which sign, must not be
 * known to the readers of a release.
 *
 * <p>Implements J.-P. Aumasson and D. J. Bernstein, <a
 * href="https://doi.org/10.1007/978-3-642-34931-7_28">SipHash: a fast short-input PRF</a>,
 * INDOCRYPT 2012: SipHash-2-4 with 64 bits of output, for a message of exactly 16 bytes. Immutable;
 * its key is secret and cannot be read back.
 */
public final class RowHasher {
  /** The message length modulo 256 in the top byte, which ends the padded message. */
  private static final long LAST_WORD = 16L << 56;

  private final long key0;
  private final long key1;

  /**
   * A hasher under a secret key of 16 bytes.
   *
   * @param key0 the first 8 bytes, little-endian
   * @param key1 the last 8 bytes, little-endian
   */
  public RowHasher(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  /**
   * The hash of the 16-byte message whose first 8 bytes are {@code high} and whose last 8 bytes are
   * {@code low}, both little-endian. Allocates nothing.
   */
  public long hash(long high, long low) {
    // the state words start as the key, twice, under the letters "somepseudorandomlygeneratedbytes"
    long v0 = key0 ^ 0x736f6d6570736575L;
    long v1 = key1 ^ 0x646f72616e646f6dL;
    long v2 = key0 ^ 0x6c7967656e657261L;
    long v3 = key1 ^ 0x7465646279746573L;
    for (int word = 0; word < 4; word++) {
      long m = word == 0 ? high : word == 1 ? low : word == 2 ? LAST_WORD : 0xff;
      int rounds = word == 3 ? 4 : 2; // two a word; then four that finish
      if (word == 3) {
        v2 ^= m;
      } else {
        v3 ^= m;
      }
      for (int round = 0; round < rounds; round++) {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      if (word < 3) {
        v0 ^= m;
      }
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /** Nothing of the key. */
  @Override
  public String toString() {
    return "RowHasher[secret]";
  }
}
