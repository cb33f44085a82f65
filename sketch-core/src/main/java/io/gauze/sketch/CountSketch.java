package io.gauze.sketch;

import io.gauze.row.EncodedRow;
import java.util.Arrays;

/**
 * Each row is added, with a random sign, to one random bucket.
 *
 * <p>Implements the sketch of M. Charikar, K. Chen and M. Farach-Colton, <a
 * href="https://doi.org/10.1016/S0304-3975(03)00400-6">Finding frequent items in data streams</a>,
 * TCS 312 (2004), with one hash and whole rows in the place of counters, as K. Clarkson and D.
 * Woodruff use it for regression (<a href="https://doi.org/10.1145/2488608.2488620">STOC 2013</a>).
 * Differs from both: bucket (top bits) and sign (lowest bit) come from one 64-bit mix of the row's
 * keyed hash, not from pairwise or 4-wise independent families.
 *
 * <p>The state is bucket by bucket, D longs each, in grid steps. An update takes O(D) time.
 */
public final class CountSketch implements LinearSketch<CountSketch> {
  private final CountSketchSpec spec;
  private final long[] state;
  private final long salt;
  private final int shift;

  CountSketch(CountSketchSpec spec, long[] state) {
    this.spec = spec;
    this.state = state;
    this.salt = mix(spec.seed());
    this.shift = 63 - Integer.numberOfTrailingZeros(spec.buckets());
  }

  /** An empty sketch. */
  public static CountSketch create(CountSketchSpec spec) {
    return spec.zero();
  }

  /**
   * Reads what {@link #toBytes()} wrote.
   *
   * @throws IllegalArgumentException if the bytes are not a CountSketch, of an unknown version or
   *     of the wrong length
   */
  public static CountSketch fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes, CountSketch.class);
  }

  @Override
  public CountSketchSpec spec() {
    return spec;
  }

  @Override
  public void add(long rowHash, EncodedRow row, int sign) {
    Checks.update(spec, row, sign);
    long mixed = mix(rowHash ^ salt);
    long factor = sign * sign(mixed);
    int[] a = row.values();
    int from = bucket(mixed) * a.length;
    for (int i = 0; i < a.length; i++) {
      state[from + i] += factor * a[i];
    }
  }

  /** The bucket in [0, buckets) to which rows of this hash are added. */
  int bucketOf(long rowHash) {
    return bucket(mix(rowHash ^ salt));
  }

  /** The sign, 1 or -1, with which rows of this hash are added. */
  int signOf(long rowHash) {
    return (int) sign(mix(rowHash ^ salt));
  }

  private int bucket(long mixed) {
    return (int) (mixed >>> 1 >>> shift); // two shifts, since one bucket needs 64
  }

  private static long sign(long mixed) {
    return 1 - ((mixed & 1) << 1);
  }

  /**
   * A bijection of the 64-bit words in which each bit of the input changes each bit of the output
   * about half of the time: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, <a
   * href="https://doi.org/10.1145/2660193.2660195">Fast splittable pseudorandom number
   * generators</a>, OOPSLA 2014). Part of the stored form: never to change.
   */
  private static long mix(long word) {
    long z = word + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  @Override
  public void merge(CountSketch other) {
    Checks.merge(spec, other.spec);
    for (int i = 0; i < state.length; i++) {
      state[i] += other.state[i];
    }
  }

  @Override
  public CountSketch copy() {
    return new CountSketch(spec, state.clone());
  }

  @Override
  public long[] state() {
    return state;
  }

  @Override
  public void clear() {
    Arrays.fill(state, 0);
  }

  @Override
  public byte[] toBytes() {
    return SketchBytes.write(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CountSketch that
        && spec.equals(that.spec)
        && Arrays.equals(state, that.state);
  }

  @Override
  public int hashCode() {
    return 31 * spec.hashCode() + Arrays.hashCode(state);
  }

  /** The shape only: sums are private. */
  @Override
  public String toString() {
    return "CountSketch[" + spec + "]";
  }
}
