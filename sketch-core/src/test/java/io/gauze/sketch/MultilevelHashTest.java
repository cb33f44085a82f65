package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.RowHasher;
import io.gauze.row.RowTag;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Levels and buckets of 2^20 rows against independent draws, for offsets of one partition as keys.
 *
 * <p>False alarms: 42 p-values, each at {@link #ALPHA} = 1e-6 / 42, so that all together alarm with
 * probability at most 1e-6 over the key of the hasher; keys and seeds are pinned. Each statistic
 * also rejects draws that are wrong in that respect only, at the same level.
 */
class MultilevelHashTest {
  private static final int N = 1 << 20;
  private static final double ALPHA = 1e-6 / 42;
  private static final int COPIES = 3;
  private static final int PART = 35; // of level 0, for one copy: no power of two
  private static final int BUCKETS = COPIES * PART;
  private static final int LEVELS = 4;
  private static final Map<RowHash, Draws> DRAWS = new EnumMap<>(RowHash.class);
  private static final RowHasher HASHER = RowHasher.create(new SplittableRandom(17)::nextLong);

  /** From a row's number to the tag that the sketch is given. */
  enum RowHash {
    /** As in the engine. */
    KEYED,
    /**
     * Nothing but the sketch's own mix, on the hardest of inputs. Both halves count, so level and
     * copies are not independent here.
     */
    COUNTER;

    RowTag of(long offset) {
      RowTag tag = new RowTag();
      tag.set(offset, offset);
      if (this == KEYED) {
        HASHER.tag(3, offset, tag);
      }
      return tag;
    }
  }

  /** The draws of rows 0 to N - 1. */
  private static final class Draws {
    final byte[][] copies = new byte[COPIES][N]; // in [0, PART)
    final byte[] levels = new byte[N]; // in [0, h)
    final byte[] buckets = new byte[N]; // of that level, in [0, BUCKETS)
    final byte[] last = new byte[N]; // bucket of level h, or -1
    private int repeated;

    Draws(RowHash hash, int base, long seed, long firstRow) {
      MultilevelSketch sketch =
          MultilevelSketch.create(new MultilevelSketchSpec(1, BUCKETS, LEVELS, base, COPIES, seed));
      for (int i = 0; i < N; i++) {
        RowTag tag = hash.of(firstRow ^ i);
        set(i, sketch.bucketsOf(tag.first(), tag.second()));
      }
      assertThat(repeated).isZero();
    }

    /** Counts besides how often a row is in two middle levels, or twice in the last. */
    private void set(int i, int... all) {
      for (int copy = 0; copy < COPIES; copy++) {
        copies[copy][i] = (byte) (all[copy] - copy * PART);
      }
      last[i] = -1;
      for (int k = COPIES; k < all.length; k++) {
        int level = all[k] / BUCKETS;
        if (level == LEVELS) {
          repeated += last[i] < 0 ? 0 : 1;
          last[i] = (byte) (all[k] % BUCKETS);
        } else {
          repeated += level > 0 && levels[i] == 0 ? 0 : 1;
          levels[i] = (byte) level;
          buckets[i] = (byte) (all[k] % BUCKETS);
        }
      }
    }

    int cell(int i) {
      return 2 * levels[i] + (last[i] >= 0 ? 1 : 0);
    }
  }

  /** Level 0, 1, 2 and 3 of 4, each without and with level 4. */
  private static double[] probabilities(int base) {
    double[] p = new double[2 * LEVELS];
    double middle = 0;
    double last = Math.pow(base, -LEVELS);
    for (int level = LEVELS - 1; level >= 0; level--) {
      double of = level == 0 ? 1 - middle : Math.pow(base, -level);
      middle += of;
      p[2 * level] = of * (1 - last);
      p[2 * level + 1] = of * last;
    }
    return p;
  }

  /**
   * Chi-square with 7 degrees of freedom: each level's probability, and that the last one does not
   * depend on the others. The twins move 1 row of 100 from level 1 to level 0, or take half of the
   * last level from level 3 (for base 2, as probable).
   */
  @ParameterizedTest
  @EnumSource
  void levelsHaveTheirProbabilities(RowHash hash) {
    for (int base : new int[] {2, 3}) {
      Draws draws = new Draws(hash, base, 1, 0);
      double[] p = probabilities(base);
      assertThat(PValues.chiSquare(counts(8, draws::cell), p)).isGreaterThan(ALPHA);
      IntDraw fewer = i -> draws.cell(i) / 2 == 1 && i % 100 == 0 ? 0 : draws.cell(i);
      assertThat(PValues.chiSquare(counts(8, fewer), p)).isLessThan(ALPHA);
      IntDraw tied = i -> 2 * draws.levels[i] + (draws.levels[i] == 3 && i % 2 == 0 ? 1 : 0);
      assertThat(PValues.chiSquare(counts(8, tied), p)).isLessThan(ALPHA);
    }
  }

  /** A draw of the row of a number. */
  private interface IntDraw {
    int of(int row);
  }

  private static long[] counts(int cells, IntDraw draw) {
    long[] counts = new long[cells];
    for (int i = 0; i < N; i++) {
      int cell = draw.of(i);
      if (cell >= 0) { // others do not take part
        counts[cell]++;
      }
    }
    return counts;
  }

  private static Draws draws(RowHash hash) {
    return DRAWS.computeIfAbsent(hash, h -> new Draws(h, 2, 1, 0));
  }

  private static double uniformity(int cells, IntDraw draw) {
    return PValues.uniformity(counts(cells, draw));
  }

  /** Two numbers as one, or -1 if one of them is -1. */
  private static int pair(int high, int low, int range) {
    return high < 0 || low < 0 ? -1 : high * range + low;
  }

  /**
   * Chi-square of the buckets of each copy (35) and, for the rows that are in them, of each level
   * (105). The twin sends one row in 30 to bucket 0.
   */
  @ParameterizedTest
  @EnumSource
  void bucketsAreUniform(RowHash hash) {
    Draws draws = draws(hash);
    for (int copy = 0; copy < COPIES; copy++) {
      byte[] buckets = draws.copies[copy];
      assertUniform(PART, i -> buckets[i]);
    }
    for (int l = 1; l < LEVELS; l++) {
      int level = l;
      assertUniform(BUCKETS, i -> draws.levels[i] == level ? draws.buckets[i] : -1);
    }
    assertUniform(BUCKETS, i -> draws.last[i]);
  }

  private static void assertUniform(int cells, IntDraw draw) {
    assertThat(uniformity(cells, draw)).isGreaterThan(ALPHA);
    assertThat(uniformity(cells, i -> i % 30 == 0 ? Math.min(0, draw.of(i)) : draw.of(i)))
        .isLessThan(ALPHA);
  }

  /**
   * Chi-square of the buckets of two copies, 1224 degrees of freedom. The twin uses a copy's bucket
   * twice for one row in 20.
   */
  @ParameterizedTest
  @EnumSource
  void copiesAreIndependent(RowHash hash) {
    for (int k = 0; k < COPIES; k++) {
      byte[] one = draws(hash).copies[k];
      byte[] two = draws(hash).copies[(k + 1) % COPIES];
      assertThat(uniformity(PART * PART, i -> pair(one[i], two[i], PART))).isGreaterThan(ALPHA);
      IntDraw twin = i -> pair(one[i], i % 20 == 0 ? one[i] : two[i], PART);
      assertThat(uniformity(PART * PART, twin)).isLessThan(ALPHA);
    }
  }

  /**
   * For the 57,000 rows in one of levels 1 to 3 and in 4: chi-square of their two buckets in groups
   * of 7, 224 degrees of freedom. The twin uses one bucket twice for one row in 20.
   */
  @ParameterizedTest
  @EnumSource
  void bucketsOfTwoLevelsAreIndependent(RowHash hash) {
    Draws draws = draws(hash);
    IntDraw middle = i -> draws.levels[i] == 0 ? -1 : draws.buckets[i] / 7;
    IntDraw last = i -> draws.last[i] < 0 ? -1 : draws.last[i] / 7;
    assertThat(uniformity(225, i -> pair(middle.of(i), last.of(i), 15))).isGreaterThan(ALPHA);
    IntDraw twin = i -> pair(middle.of(i), i % 20 == 0 ? middle.of(i) : last.of(i), 15);
    IntDraw both = i -> last.of(i) < 0 ? -1 : twin.of(i);
    assertThat(uniformity(225, both)).isLessThan(ALPHA);
  }

  /**
   * Chi-square of levels and the bucket of a copy, 279 degrees of freedom; and, for the rows in
   * levels 1 to 3, of the buckets there and of the first copy, 524. The twin is the sketch itself
   * on tags whose halves are equal, for which a copy or a level uses the words of another.
   */
  @Test
  void levelsDoNotDependOnCopies() {
    for (int copy = 0; copy < COPIES; copy++) {
      assertThat(levelsAndCopy(draws(RowHash.KEYED), copy)).isGreaterThan(ALPHA);
    }
    assertThat(levelsAndCopy(draws(RowHash.COUNTER), 0)).isLessThan(ALPHA);
    Draws draws = draws(RowHash.KEYED);
    IntDraw middle = i -> draws.levels[i] == 0 ? -1 : draws.buckets[i] / 7;
    byte[] copy = draws.copies[0];
    assertThat(uniformity(15 * PART, i -> pair(middle.of(i), copy[i], PART))).isGreaterThan(ALPHA);
    IntDraw twin = i -> pair(middle.of(i), i % 20 == 0 ? middle.of(i) : copy[i], PART);
    assertThat(uniformity(15 * PART, twin)).isLessThan(ALPHA);
  }

  private static double levelsAndCopy(Draws draws, int copy) {
    double[] level = probabilities(2);
    double[] p = new double[level.length * PART];
    Arrays.setAll(p, cell -> level[cell / PART] / PART);
    byte[] bucket = draws.copies[copy];
    return PValues.chiSquare(counts(p.length, i -> pair(draws.cell(i), bucket[i], PART)), p);
  }

  /** The same rows in a sketch of another seed, and rows that differ in the key's highest bit. */
  @ParameterizedTest
  @EnumSource
  void otherSeedsAndOtherTopBitsAreIndependent(RowHash hash) {
    Draws draws = draws(hash);
    for (Draws other : List.of(new Draws(hash, 2, 2, 0), new Draws(hash, 2, 1, Long.MIN_VALUE))) {
      assertThat(twoLevels(draws::cell, other::cell)).isGreaterThan(ALPHA);
      assertThat(collisions(i -> draws.copies[0][i], i -> other.copies[0][i])).isGreaterThan(ALPHA);
    }
    assertThat(twoLevels(draws::cell, draws::cell)).isLessThan(ALPHA);
    assertThat(collisions(i -> draws.copies[0][i], i -> draws.copies[0][i])).isLessThan(ALPHA);
  }

  /**
   * The twins: buckets in turn, which are uniform but never shared by neighbours, and neighbours
   * which share their levels.
   */
  @ParameterizedTest
  @EnumSource
  void neighboursAreIndependent(RowHash hash) {
    Draws draws = draws(hash);
    assertThat(twoLevels(i -> i % 2 == 0 ? draws.cell(i) : -1, i -> draws.cell(i ^ 1)))
        .isGreaterThan(ALPHA);
    byte[] copy = draws.copies[0];
    assertThat(collisions(i -> copy[i], i -> copy[(i + 1) % N])).isGreaterThan(ALPHA);
    assertThat(twoLevels(i -> i % 2 == 0 ? draws.cell(i) : -1, draws::cell)).isLessThan(ALPHA);
    assertThat(collisions(i -> i % PART, i -> (i + 1) % PART)).isLessThan(ALPHA);
  }

  /** Chi-square of the levels of two rows, 63 degrees of freedom. */
  private static double twoLevels(IntDraw one, IntDraw two) {
    double[] level = probabilities(2);
    double[] p = new double[64];
    Arrays.setAll(p, cell -> level[cell / 8] * level[cell % 8]);
    return PValues.chiSquare(counts(64, i -> pair(one.of(i), two.of(i), 8)), p);
  }

  /** Two rows share a bucket of a copy once in 35 times. */
  private static double collisions(IntDraw one, IntDraw two) {
    return PValues.successes(counts(2, i -> one.of(i) == two.of(i) ? 1 : 0)[1], N, 1.0 / PART);
  }
}
