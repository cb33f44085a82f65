package io.gauze.sketch;

/**
 * Random words of a row, made from its tag. Part of the stored form, which never changes.
 *
 * <p>Assumes that nobody who sees the released sums can distinguish the tag from 128 independent
 * uniform bits. The mix is a bijection, so a word made from a uniform word is uniform; words made
 * from one half of a tag with other salts are other functions of the same 64 bits, and their
 * independence is tested, not proved.
 */
final class RowBits {
  /** The odd constant that separates words of one half of a tag: 2^64 / golden ratio. */
  static final long GAMMA = 0x9e3779b97f4a7c15L;

  private RowBits() {}

  /**
   * A bijection of the 64-bit words in which each bit of the input changes each bit of the output
   * with a probability of about one half: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood,
   * <a href="https://doi.org/10.1145/2660193.2660195">Fast splittable pseudorandom number
   * generators</a>, OOPSLA 2014).
   */
  static long mix(long word) {
    long z = word + GAMMA;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /**
   * Returns a number in [0, range) from a uniform word, each with probability 1/range, up to 2^-64
   * (D. Lemire, <a href="https://doi.org/10.1145/3230636">Fast random integer generation in an
   * interval</a>, 2019, without the rejection).
   */
  static int below(int range, long word) {
    // the upper half of the 96-bit product, from its two 32-bit halves
    long high = (word >>> 32) * range;
    long low = (word & 0xffffffffL) * range;
    return (int) ((high + (low >>> 32)) >>> 32);
  }
}
