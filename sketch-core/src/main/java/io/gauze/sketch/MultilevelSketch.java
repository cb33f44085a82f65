package io.gauze.sketch;

import static io.gauze.sketch.RowBits.GAMMA;
import static io.gauze.sketch.RowBits.below;
import static io.gauze.sketch.RowBits.mix;

import io.gauze.row.RowBatch;
import java.util.Arrays;

/**
 * Sums of random subsets of the rows, from all rows to single ones: a sketch for the l1 norm, and
 * therefore for least absolute deviations.
 *
 * <p>Implements A. Munteanu, S. Omlor and D. Woodruff, <a
 * href="https://arxiv.org/abs/2304.00051">Almost linear constant-factor sketching for l1 and
 * logistic regression</a>, ICLR 2023, with levels that exclude each other. In level 0 a row is
 * added, without a sign, to s buckets, one in each of s equal parts of the level. It is in level l
 * of 1 to h - 1 with probability {@code b^-l}, in at most one of them, and independently in level h
 * with probability {@code b^-h}; in such a level it is added to one bucket. All draws come from the
 * row's tag.
 *
 * <p>State: (h + 1) N buckets of D longs each, level by level, unweighted, in grid steps; {@link
 * MultilevelSketchSpec#weight} returns their weights. Cost: O((s + 2) D) per update.
 *
 * <p>Error: {@code sum of weight |bucket x|} is expected to be at most {@code h + 1} times {@code
 * |A x|_1}, since no level adds more on average. The paper bounds it from below by a constant
 * fraction of {@code |A x|_1} for all x, without constants of practical use; the effect of the
 * sketch on a fit is measured, see {@link MultilevelSketchSpec#forRows}.
 */
public final class MultilevelSketch extends LinearSketch<MultilevelSketch> {
  private final MultilevelSketchSpec spec;
  private final long salt;
  private final long[]
      sampled; // threshold of level l in [1, h): probability b^-1 + ... + b^-l, order-preserving
  private final long last; // threshold of level h

  MultilevelSketch(MultilevelSketchSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.salt = mix(spec.seed());
    this.sampled = new long[Math.max(0, spec.levels() - 1)];
    double sum = 0.0;
    for (int level = 1; level < spec.levels(); level++) {
      sum += 1.0 / StrictMath.pow(spec.base(), level);
      sampled[level - 1] = threshold(sum);
    }
    this.last = threshold(1.0 / StrictMath.pow(spec.base(), spec.levels()));
  }

  /**
   * Returns the threshold for a probability below 1: a uniform word w with w + 2^63, as signed
   * numbers, below the threshold has this probability.
   */
  private static long threshold(double probability) {
    // 2^63 times a double is exact. The probability is split in two halves, since a long cannot
    // hold 2^64.
    return (long) ((probability - 0.5) * 0x1p64);
  }

  /** Creates an empty sketch. */
  public static MultilevelSketch create(MultilevelSketchSpec spec) {
    return spec.zero();
  }

  @Override
  public MultilevelSketchSpec spec() {
    return spec;
  }

  @Override
  public MultilevelSketch copy() {
    return new MultilevelSketch(spec, state.clone());
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    int dimension = spec.dimension();
    for (int copy = 0; copy < spec.copies(); copy++) {
      add(state, bucketOf(first, copy) * dimension, values, from, dimension, sign);
    }
    if (spec.levels() == 0) {
      return;
    }
    long word = second ^ salt;
    int level = levelOf(word);
    if (level > 0) {
      add(state, bucketOf(level, word) * dimension, values, from, dimension, sign);
    }
    if (inLast(word)) {
      add(state, bucketOf(spec.levels(), word) * dimension, values, from, dimension, sign);
    }
  }

  @Override
  void update(RowBatch batch) {
    long[] first = batch.firstTags();
    long[] second = batch.secondTags();
    int[] signs = batch.signs();
    int size = batch.size();
    for (int k = 0; k < size; k++) {
      update(first[k], second[k], batch.values(), k * batch.dimension(), signs[k]);
    }
  }

  private static void add(long[] into, int at, int[] values, int from, int dimension, long sign) {
    for (int i = 0; i < dimension; i++) {
      into[at + i] += sign * values[from + i];
    }
  }

  /** Returns the bucket of level 0 to which this copy of the row is added. */
  int bucketOf(long first, int copy) {
    int part = spec.buckets() / spec.copies();
    return copy * part + below(part, mix((first ^ salt) + copy * GAMMA));
  }

  /**
   * Returns the bucket of a level of 1 to h. Level h has one random word, all other levels share
   * another.
   */
  private int bucketOf(int level, long word) {
    long random = mix(word + (level == spec.levels() ? 2 : 3) * GAMMA);
    return level * spec.buckets() + below(spec.buckets(), random);
  }

  /** Returns the level of 1 to h - 1 that contains the row, or 0. */
  private int levelOf(long word) {
    int level = sampled.length;
    long random = mix(word) + Long.MIN_VALUE;
    if (level == 0 || random >= sampled[level - 1]) {
      return 0;
    }
    while (level > 1 && random < sampled[level - 2]) {
      level--;
    }
    return level;
  }

  private boolean inLast(long word) {
    return mix(word + GAMMA) + Long.MIN_VALUE < last;
  }

  /** Returns all buckets of a row of this tag, in ascending order. */
  int[] bucketsOf(long first, long second) {
    int[] buckets = new int[spec.bucketsTouched()];
    int count = 0;
    for (int copy = 0; copy < spec.copies(); copy++) {
      buckets[count++] = bucketOf(first, copy);
    }
    long word = second ^ salt;
    if (spec.levels() >= 1 && levelOf(word) > 0) {
      buckets[count++] = bucketOf(levelOf(word), word);
    }
    if (spec.levels() >= 1 && inLast(word)) {
      buckets[count++] = bucketOf(spec.levels(), word);
    }
    return Arrays.copyOf(buckets, count);
  }
}
