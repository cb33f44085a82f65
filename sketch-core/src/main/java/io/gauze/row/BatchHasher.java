package io.gauze.row;

/**
 * Tags many rows at once, with the same result as {@link RowHasher#tag(long, long, RowTag)} for
 * each row. Takes a quarter of its time, since the rounds of SipHash run for many rows in loops
 * that the compiler turns into vector instructions. Not thread-safe.
 */
public final class BatchHasher {
  private static final int LANES = 256; // of four words: 8 kB, which fits in the L1 cache

  private final long key0;
  private final long key1;
  private final long[] v0 = new long[LANES];
  private final long[] v1 = new long[LANES];
  private final long[] v2 = new long[LANES];
  private final long[] v3 = new long[LANES];

  BatchHasher(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  /**
   * Replaces pairs of words by their tags. Allocates nothing.
   *
   * @param first the first words; receives the first 64 bits of the tags
   * @param second the second words; receives the last 64 bits of the tags
   * @param from the index of the first pair
   * @param to one more than the index of the last pair
   */
  void tag(long[] first, long[] second, int from, int to) {
    for (int at = from; at < to; at += LANES) {
      block(first, second, at, Math.min(LANES, to - at));
    }
  }

  private void block(long[] high, long[] low, int from, int count) {
    for (int k = 0; k < count; k++) {
      v0[k] = key0 ^ RowHasher.START0;
      v1[k] = key1 ^ RowHasher.START1;
      v2[k] = key0 ^ RowHasher.START2;
      v3[k] = key1 ^ RowHasher.START3 ^ high[from + k];
    }
    rounds(2, count);
    for (int k = 0; k < count; k++) {
      v0[k] ^= high[from + k];
      v3[k] ^= low[from + k];
    }
    rounds(2, count);
    for (int k = 0; k < count; k++) {
      v0[k] ^= low[from + k];
      v3[k] ^= RowHasher.LAST_WORD;
    }
    rounds(2, count);
    for (int k = 0; k < count; k++) {
      v0[k] ^= RowHasher.LAST_WORD;
      v2[k] ^= 0xee;
    }
    finish(high, from, count);
    for (int k = 0; k < count; k++) {
      v1[k] ^= 0xdd;
    }
    finish(low, from, count);
  }

  private void finish(long[] tags, int from, int count) {
    rounds(4, count);
    for (int k = 0; k < count; k++) {
      tags[from + k] = v0[k] ^ v1[k] ^ v2[k] ^ v3[k];
    }
  }

  private void rounds(int rounds, int count) {
    for (int round = 0; round < rounds; round++) {
      round(v0, v1, v2, v3, count);
    }
  }

  private static void round(long[] v0, long[] v1, long[] v2, long[] v3, int count) {
    for (int k = 0; k < count; k++) {
      long a = v0[k] + v1[k];
      long b = Long.rotateLeft(v1[k], 13) ^ a;
      long c = v2[k] + v3[k];
      long d = Long.rotateLeft(v3[k], 16) ^ c;
      a = Long.rotateLeft(a, 32) + d;
      c += b;
      v0[k] = a;
      v1[k] = Long.rotateLeft(b, 17) ^ c;
      v2[k] = Long.rotateLeft(c, 32);
      v3[k] = Long.rotateLeft(d, 21) ^ a;
    }
  }

  /** Shows nothing of the secret. */
  @Override
  public String toString() {
    return "BatchHasher[secret]";
  }
}
