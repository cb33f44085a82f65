package io.gauze.row;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.function.LongSupplier;

/**
 * Keyed hash from a row's key to its {@link RowTag}. The hash is secret, since readers of a release
 * must not know in which bucket a row falls, and with which sign.
 *
 * <p>A key is a pair of words (partition and offset of an append-only log), or the bytes of a
 * record's key. The pair is hashed by SipHash-2-4 with 128 bits of output (J.-P. Aumasson and D. J.
 * Bernstein, <a href="https://doi.org/10.1007/978-3-642-34931-7_28">SipHash: a fast short-input
 * PRF</a>, INDOCRYPT 2012, and its reference implementation for the long output), a pseudorandom
 * function: two of 2^33 rows share a tag with probability about 2^-63. Bytes are first mapped to a
 * pair by two independently keyed PolymurHash 2.0, a universal hash: for keys chosen without
 * knowledge of the secret, two keys of length n have the same pair with probability at most {@code
 * (n 2^-60)^2}. The composition of a pseudorandom function and a universal hash is a pseudorandom
 * function of the bytes.
 *
 * <p>Use only one kind of key in a stream: a pair of words and the bytes of a key may collide.
 * Immutable; the secret cannot be read back.
 */
public final class RowHasher {
  /** The last word of the padded message: the message length modulo 256 in the top byte. */
  static final long LAST_WORD = 16L << 56;

  // The initial state is the key, twice, xored with the letters "somepseudorandomlygeneratedbytes";
  // 0xee selects 128 bits of output.
  static final long START0 = 0x736f6d6570736575L;
  static final long START1 = 0x646f72616e646f6dL ^ 0xee;
  static final long START2 = 0x6c7967656e657261L;
  static final long START3 = 0x7465646279746573L;

  private final long key0;
  private final long key1;
  private final Hasher64 firstOfBytes;
  private final Hasher64 secondOfBytes;

  /**
   * Creates a hasher with a fresh secret.
   *
   * @param entropy a cryptographic source of uniform words; six are drawn, which must be used for
   *     nothing else
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

  /** Returns a hasher of whole batches of pairs of words, with the same secret. */
  public BatchHasher ofBatches() {
    return new BatchHasher(key0, key1);
  }

  /**
   * Computes the tag of a record's key. Allocates nothing.
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
   * Computes the tag of a pair of words, which form a 16-byte message, little-endian. Allocates
   * nothing.
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
      // two for each word of the message, four for each word of the tag
      int rounds = word < 3 ? 2 : 4;
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

  /** Shows nothing of the secret. */
  @Override
  public String toString() {
    return "RowHasher[secret]";
  }
}
