package io.gauze.noise;

import io.gauze.accounting.SquareRootToeplitz;
import io.gauze.accounting.loss.CumulativeLaw;
import io.gauze.internal.Checks;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;

/**
 * The noise of K cumulative releases of whole sums, after {@link SquareRootToeplitz}. Release k
 * gets {@code round(f_0 z_k + f_1 z_(k-1) + ... + f_k z_0)}, z normal with {@link
 * SquareRootToeplitz#columnNorm} times the standard deviation that one release alone would need.
 * All releases together then keep the guarantee of that one.
 *
 * <p>For whole sums x, {@code x + round(F z) = round(x + F z)}: adding the noise is rounding the
 * output of the continuous mechanism. That needs F z as a real number. Each z is sampled to 2^-64
 * of a grid step, and the sum is rounded from doubles with a margin inside which exact arithmetic
 * decides. {@link #totalVariation()} bounds the effect of these errors; the source contains the
 * derivation.
 *
 * <p>Release k needs the draws of all earlier releases, so the draws stay in memory until the last
 * release, 16 bytes per entry and release, and are overwritten then. Anyone who reads them, in
 * memory or in {@link #draws}, can remove the noise. Mutable, not thread-safe.
 */
// Let Z be the ideal normal numbers of one entry, and z the middles of the cells, 2^-63 wide, that
// contain them. The law of the cells is within 2^-100 for each of K draws (RoundedGaussian). For
// equal cells |z_j - Z_j| <= 2^-64, f_j is rounded down by at most K 2^-160, and |z_j| < 2^44, so
//   |sum of release k - its ideal| <= e = 2^-64 sum_j f_j + K^2 2^-116,  K^2 2^-116 <= 2^-76,
// and the rounded sums differ only if (F Z)_k is within e of half a step. Given earlier draws,
// (F Z)_k is normal with standard deviation s >= 2^10, that of Z_k, as f_0 = 1. Its density at
// points one step apart sums to at most 1 + 1 / (s sqrt(2 pi)) < 1 + 2^-11, so the probability is
// at most 2 e (1 + 2^-11). An entry has K draws and K releases.
public final class CumulativeNoise {
  private static final int WEIGHT_BITS = 160;
  private static final int LOW_BITS = 64;
  private static final int DRAW_BYTES = 2 * Long.BYTES;

  private final RoundedGaussian[] samplers; // one for each entry; entries of equal scale share one
  private final BigInteger[] weights; // in units of 2^-160, rounded down
  private final double[] nearWeights;
  private final double margin;
  private final long[][] whole;
  private final long[][] low;
  private int next;

  private CumulativeNoise(int releases, RoundedGaussian... samplers) {
    this.samplers = samplers;
    weights = weights(releases);
    nearWeights = new double[releases];
    Arrays.setAll(nearWeights, k -> Math.scalb(weights[k].doubleValue(), -WEIGHT_BITS));
    margin = margin();
    whole = new long[releases][];
    low = new long[releases][];
  }

  /**
   * Creates noise for a series of releases, before the first one.
   *
   * @param releases K, in [1, 2^20]
   * @param entries the number of entries of a release, at least 1
   * @param sigma of each entry, the standard deviation that one release alone would need for the
   *     same guarantee, in grid steps; with the column norm in [2^10, 2^40]
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CumulativeNoise create(int releases, int entries, IntToDoubleFunction sigma) {
    Checks.within("entries", entries, 1, Integer.MAX_VALUE);
    double norm = SquareRootToeplitz.of(releases).columnNorm();
    Map<Double, RoundedGaussian> byScale = new HashMap<>();
    RoundedGaussian[] samplers = new RoundedGaussian[entries];
    for (int i = 0; i < entries; i++) {
      double scale = Math.nextUp(sigma.applyAsDouble(i) * norm);
      samplers[i] = byScale.computeIfAbsent(scale, RoundedGaussian::of);
    }
    return new CumulativeNoise(releases, samplers);
  }

  /** Returns the law of this noise, which a stored series must match. */
  public CumulativeLaw law() {
    double[] scales = Arrays.stream(samplers).mapToDouble(RoundedGaussian::sigma).toArray();
    return new CumulativeLaw(whole.length, scales);
  }

  /**
   * Returns the draws of one release, for {@link #resume}. They are secret until the last release.
   * Little-endian, 16 bytes per entry: the whole steps of all entries, then their fractions in
   * 2^-64 steps.
   *
   * @param release one that was made
   * @throws IllegalArgumentException if it was not made, or if all releases were, since their draws
   *     are overwritten then
   */
  public byte[] draws(int release) {
    if (release < 0 || release >= next || next == whole.length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "release must be one of the %d made, and one must be to come. Provided value: %d of %d",
              next,
              release,
              whole.length));
    }
    ByteBuffer buffer = ByteBuffer.allocate(drawBytes()).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(whole[release]).put(low[release]);
    return buffer.array();
  }

  private int drawBytes() {
    return Math.multiplyExact(DRAW_BYTES, samplers.length);
  }

  /**
   * Continues after a release that was made elsewhere, as if it had been made here. O(entries)
   * time.
   *
   * @param release one more than in the previous call; the first is 0
   * @param draws the result of {@link #draws} for it, of noise of this {@link #law}
   * @throws IllegalArgumentException if it is not the next release, or the draws have another
   *     length, or are too large for this law
   * @throws IllegalStateException if all releases have been made
   */
  public void resume(int release, byte[] draws) {
    checkTurn(release, samplers.length);
    Checks.within("length of draws", draws.length, drawBytes(), drawBytes());
    LongBuffer buffer = ByteBuffer.wrap(draws).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    long[] heldWhole = new long[samplers.length];
    long[] heldLow = new long[samplers.length];
    buffer.get(heldWhole).get(heldLow);
    for (int i = 0; i < heldWhole.length; i++) {
      if (!(Math.abs((double) heldWhole[i]) <= samplers[i].largest())) { // the margin relies on it
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "draws of release %d must be those of its noise, and entry %d is too large for it",
                release,
                i));
      }
    }
    whole[next] = heldWhole;
    low[next] = heldLow;
    advance();
  }

  /**
   * Draws the noise of release k and adds it to the sum of epochs 0 to k. O(entries k) time.
   *
   * @param release k, one more than in the previous call; the first is 0
   * @param state the whole sums in grid steps; added to, and wraps
   * @param entropy random bits; nothing is added if it is noise-free
   * @throws IllegalStateException if all releases have been made
   * @throws IllegalArgumentException if it is not the next release, or the state has another length
   */
  public void addTo(int release, long[] state, Entropy entropy) {
    checkTurn(release, state.length);
    draw(entropy);
    double[] sums = new double[state.length];
    for (int j = 0; j <= release; j++) {
      addMultiple(nearWeights[release - j], whole[j], low[j], sums);
    }
    for (int i = 0; i < sums.length; i++) {
      state[i] += rounded(i, sums[i], release);
    }
    advance();
  }

  private void advance() {
    next++;
    if (next == whole.length) {
      forget(whole);
      forget(low);
    }
  }

  private static void forget(long[][] draws) {
    for (long[] draw : draws) {
      Arrays.fill(draw, 0L);
    }
    Arrays.fill(draws, new long[0]);
  }

  private void checkTurn(int release, int entries) {
    if (next == whole.length) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "all %d releases have been made", whole.length));
    }
    Checks.within("release", release, next, next);
    Checks.within("entries", entries, samplers.length, samplers.length);
  }

  private void draw(Entropy entropy) {
    Objects.requireNonNull(entropy, "entropy");
    long[] newWhole = new long[samplers.length];
    long[] newLow = new long[samplers.length];
    for (int i = 0; i < samplers.length; i++) {
      samplers[i].fine(entropy, newWhole, newLow, i);
    }
    whole[next] = newWhole;
    low[next] = newLow;
  }

  private static void addMultiple(double weight, long[] whole, long[] low, double[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += weight * (whole[i] + (low[i] >>> 11) * 0x1p-53);
    }
  }

  // A term has four roundings (weight, low, z, product), and K - 1 sums and the last operation add
  // one each: each relative error is 2^-53, of at most the largest |z| times the sum of the
  // weights. Three more are for the products of small terms.
  private double margin() {
    double largest = 0.0;
    for (RoundedGaussian sampler : samplers) {
      largest = Math.max(largest, sampler.largest());
    }
    return (nearWeights.length + 7) * 0x1p-53 * largest * sum(nearWeights);
  }

  private long rounded(int entry, double sum, int release) {
    double above = sum + 0.5;
    double nearest = Math.floor(above);
    boolean safe = above - nearest > margin && nearest + 1.0 - above > margin;
    return safe ? (long) nearest : exact(entry, release);
  }

  private long exact(int entry, int release) {
    BigInteger sum = BigInteger.ONE.shiftLeft(WEIGHT_BITS + LOW_BITS - 1); // half a step
    for (int j = 0; j <= release; j++) {
      BigInteger fine =
          BigInteger.valueOf(whole[j][entry])
              .shiftLeft(LOW_BITS)
              .add(BigInteger.valueOf(low[j][entry] >>> 1).shiftLeft(1))
              .add(BigInteger.valueOf(low[j][entry] & 1L));
      sum = sum.add(weights[release - j].multiply(fine));
    }
    return sum.shiftRight(WEIGHT_BITS + LOW_BITS).longValueExact(); // rounds down
  }

  /**
   * Returns a bound on the total variation distance between all releases' noise together and its
   * law. It costs {@code 1 + exp(epsilon)} times that in delta.
   */
  public double totalVariation() {
    return samplers.length * totalVariation(whole.length);
  }

  /**
   * Returns the bound of {@link #totalVariation()} for one entry, all releases together: about
   * {@code 2^-62 K sqrt(K / pi)}.
   *
   * @param releases K, in [1, 2^20]
   * @throws IllegalArgumentException if it is outside its range
   */
  public static double totalVariation(int releases) {
    SquareRootToeplitz factor = SquareRootToeplitz.of(releases);
    double sum = 0.0;
    for (int k = 0; k < releases; k++) {
      sum += factor.weight(k);
    }
    double off = 0x1p-64 * sum * (1.0 + 0x1p-20) + 0x1p-76; // rounded up
    return releases * (2.0 * off * (1.0 + 0x1p-11) + RoundedGaussian.TOTAL_VARIATION);
  }

  /**
   * Returns the standard deviation of a release's noise over that of one release alone with the
   * same guarantee. It grows to {@link SquareRootToeplitz#noiseFactor} at the last release.
   *
   * @param release k, in [0, K)
   * @throws IllegalArgumentException if it is outside its range
   */
  public double noiseFactor(int release) {
    Checks.within("release", release, 0, whole.length - 1);
    return SquareRootToeplitz.of(whole.length).noiseFactor(release);
  }

  private static BigInteger[] weights(int releases) {
    BigInteger[] weights = new BigInteger[releases];
    weights[0] = BigInteger.ONE.shiftLeft(WEIGHT_BITS);
    for (int k = 1; k < releases; k++) {
      weights[k] =
          weights[k - 1]
              .multiply(BigInteger.valueOf(2L * k - 1))
              .divide(BigInteger.valueOf(2L * k));
    }
    return weights;
  }

  private static double sum(double... values) {
    return Arrays.stream(values).sum();
  }

  /** Shows no draw. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "CumulativeNoise[releases=%d, entries=%d, made=%d]",
        whole.length,
        samplers.length,
        next);
  }
}
