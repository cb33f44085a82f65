package io.gauze.row;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.function.LongSupplier;

/**
 * Keyed hash from a row's key to its {@link RowTag}: which bucket a row falls in, and with which
 * sign, must not be known to the readers of a release.
 *
 * <p>A key is a pair of words (partition and offset of an append-only log), or the bytes of a
 * record's key. The pair is hashed by SipHash-2-4 with 128 bits of output (J.-P. Aumasson and D. J.
 * Bernstein, <a href="https://doi.org/10.1007/978-3-642-34931-7_28">SipHash: a fast short-input
 * PRF</a>, INDOCRYPT 2012, and its reference implementation for the long output), a pseudorandom
 * function: two of 2^33 rows share a tag with probability about 2^-63. Bytes are first taken to a
 * pair by two independently keyed PolymurHash 2.0, a universal hash: for keys chosen without
 * knowledge of the secret, two of length n have the same pair with probability at most {@code (n
 * 2^-60)^2}; a pseudorandom function of a universal hash is one of the bytes.
 *
 * <p>Use one of the two kinds of key in a stream: a pair of words and the bytes of a key may fall
 * together. Immutable; its secret cannot be read back.
 */
public final class RowHasher {
  /** The message length modulo 256 in the top byte, which ends the padded message. */
  static final long LAST_WORD = 16L << 56;

  // The state words start as the key, twice, under the letters "somepseudorandomlygeneratedbytes";
  // 0xee: 128 bits are wanted.
  static final long START0 = 0x736f6d6570736575L;
  static final long START1 = 0x646f72616e646f6dL ^ 0xee;
  static final long START2 = 0x6c7967656e657261L;
  static final long START3 = 0x7465646279746573L;

  private final long key0;
  private final long key1;
  private final Hasher64 firstOfBytes;
  private final Hasher64 secondOfBytes;

  /**
   * A hasher under a fresh secret.
   *
   * @param entropy a cryptographic source of uniform words, of which six are drawn and which are
   *     used for nothing else
   */
  public static RowHasher create(LongSupplier entropy) {
    return new RowHasher(entropy);
  }

  private RowHasher(LongSupplier entropy) {
    key0 = entropy.getAsLong();
    key1 = entropy.getAsLong();
    firstOfBytes = universal(entropy);
    secondOfBytes = universal(entropy);
  }

  private static Hasher64 universal(LongSupplier entropy) {
    return Hashing.polymurHash2_0(0L, entropy.getAsLong(), entropy.getAsLong());
  }

  /** A hasher of the pairs of words in whole batches, under the same secret. */
  public BatchHasher ofBatches() {
    return new BatchHasher(key0, key1);
  }

  /**
   * The tag of a record's key. Allocates nothing.
   *
   * @param key the key's bytes
   * @param tag receives the tag
   */
  public void tag(byte[] key, RowTag tag) {
    tag(
        firstOfBytes.hashBytesToLong(key, 0, key.length),
        secondOfBytes.hashBytesToLong(key, 0, key.length),
        tag);
  }

  /**
   * The tag of a pair of words: of the 16-byte message that they are, one after the other,
   * little-endian. Allocates nothing.
   *
   * @param high for instance the partition
   * @param low for instance the offset
   * @param tag receives the tag
   */
  public void tag(long high, long low, RowTag tag) {
    long v0 = key0 ^ START0;
    long v1 = key1 ^ START1;
    long v2 = key0 ^ START2;
    long v3 = key1 ^ START3;
    long first = 0;
    for (int word = 0; word < 5; word++) {
      long m = word == 0 ? high : word == 1 ? low : word == 2 ? LAST_WORD : 0;
      int rounds = word < 3 ? 2 : 4; // two a word of the message; four for either word of the tag
      if (word < 3) {
        v3 ^= m;
      } else if (word == 3) {
        v2 ^= 0xee;
      } else {
        v1 ^= 0xdd;
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
      v0 ^= m;
      if (word == 3) {
        first = v0 ^ v1 ^ v2 ^ v3;
      }
    }
    tag.set(first, v0 ^ v1 ^ v2 ^ v3);
  }

  /** Nothing of the secret. */
  @Override
  public String toString() {
    return "RowHasher[secret]";
  }
}
