package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.RowHasher;
import io.gauze.row.RowTag;
import java.util.SplittableRandom;
import java.util.function.LongToIntFunction;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Buckets and signs of 2^20 rows against a uniform random function, for row keys as they come:
 * offsets of one partition.
 *
 * <p>False alarms: 16 p-values (8 statistics for 2 hashes of the key), each at {@link #ALPHA} =
 * 1e-6 / 16, so that all together alarm with probability at most 1e-6 over the key of the hasher;
 * keys and seeds are pinned. Each statistic also rejects a function that is wrong in that respect
 * only, at the same level.
 */
class CountSketchHashTest {
  private static final int N = 1 << 20;
  private static final int BUCKETS = 256;
  private static final double ALPHA = 1e-6 / 16;
  private static final RowHasher HASHER = RowHasher.create(new SplittableRandom(17)::nextLong);
  private static final RowTag TAG = new RowTag();
  private static final CountSketch ONE = sketch(1);
  private static final CountSketch TWO = sketch(2);

  /** From a row's number to the hash that the sketch is given. */
  enum RowHash {
    /** As in the engine. */
    KEYED,
    /** Nothing but the sketch's own mix, on the hardest of inputs. */
    COUNTER;

    long of(long offset) {
      if (this == KEYED) {
        HASHER.tag(3, offset, TAG);
        return TAG.first();
      }
      return offset;
    }
  }

  private static CountSketch sketch(long seed) {
    return CountSketch.create(new CountSketchSpec(1, BUCKETS, seed));
  }

  /**
   * Chi-square with 255 degrees of freedom, 4096 rows a bucket. The twin sends one row in 512 to
   * bucket 0, which is 2040 too many: chi-square 1016 larger, its sd being 23.
   */
  @ParameterizedTest
  @EnumSource(RowHash.class)
  void bucketsAreUniform(RowHash hash) {
    LongToIntFunction bucket = i -> ONE.bucketOf(hash.of(i));
    assertThat(uniformity(bucket, BUCKETS)).isGreaterThan(ALPHA);
    LongToIntFunction twin = i -> i % 512 == 0 ? 0 : bucket.applyAsInt(i);
    assertThat(uniformity(twin, BUCKETS)).isLessThan(ALPHA);
  }

  /** The sum of N signs is normal with variance N. The twin turns 1 of 50 signs to plus: z = 20. */
  @ParameterizedTest
  @EnumSource(RowHash.class)
  void signsAreBalanced(RowHash hash) {
    LongToIntFunction sign = i -> ONE.signOf(hash.of(i));
    assertThat(balance(sign, N)).isGreaterThan(ALPHA);
    LongToIntFunction twin = i -> i % 50 == 0 ? 1 : sign.applyAsInt(i);
    assertThat(balance(twin, N)).isLessThan(ALPHA);
  }

  /**
   * Chi-square of bucket and sign together, 511 degrees of freedom. The twin takes the sign from
   * the bucket.
   */
  @ParameterizedTest
  @EnumSource(RowHash.class)
  void signsDoNotDependOnBuckets(RowHash hash) {
    LongToIntFunction cell =
        i -> {
          long h = hash.of(i);
          return 2 * ONE.bucketOf(h) + (1 + ONE.signOf(h)) / 2;
        };
    assertThat(uniformity(cell, 2 * BUCKETS)).isGreaterThan(ALPHA);
    LongToIntFunction twin = i -> cell.applyAsInt(i) / 2 * 2 + cell.applyAsInt(i) / 2 % 2;
    assertThat(uniformity(twin, 2 * BUCKETS)).isLessThan(ALPHA);
  }

  /**
   * Neighbouring rows share a bucket once in 256 times: 4096 of 2^20, sd 64. The twin spreads rows
   * in turn, so that neighbours never share one: z = -64, though its buckets are perfectly uniform.
   */
  @ParameterizedTest
  @EnumSource(RowHash.class)
  void neighboursCollideAsOftenAsChanceHasIt(RowHash hash) {
    LongToIntFunction bucket = i -> ONE.bucketOf(hash.of(i));
    assertThat(collisions(bucket, i -> bucket.applyAsInt(i + 1))).isGreaterThan(ALPHA);
    LongToIntFunction twin = i -> (int) (i % BUCKETS);
    assertThat(uniformity(twin, BUCKETS)).isGreaterThan(ALPHA);
    assertThat(collisions(twin, i -> twin.applyAsInt(i + 1))).isLessThan(ALPHA);
  }

  /** The same for rows whose keys differ in the highest bit only. The twin ignores that bit. */
  @ParameterizedTest
  @EnumSource(RowHash.class)
  void rowsThatDifferInTheTopBitCollideAsOftenAsChanceHasIt(RowHash hash) {
    LongToIntFunction bucket = i -> ONE.bucketOf(hash.of(i));
    assertThat(collisions(bucket, i -> bucket.applyAsInt(i ^ Long.MIN_VALUE))).isGreaterThan(ALPHA);
    LongToIntFunction twin = i -> bucket.applyAsInt(i & Long.MAX_VALUE);
    assertThat(collisions(twin, i -> twin.applyAsInt(i ^ Long.MIN_VALUE))).isLessThan(ALPHA);
  }

  /**
   * The same row falls in the same bucket of two sketches of other seeds as rarely. The twin
   * ignores the seed.
   */
  @ParameterizedTest
  @EnumSource(RowHash.class)
  void seedsGiveIndependentBuckets(RowHash hash) {
    LongToIntFunction one = i -> ONE.bucketOf(hash.of(i));
    LongToIntFunction two = i -> TWO.bucketOf(hash.of(i));
    assertThat(collisions(one, two)).isGreaterThan(ALPHA);
    assertThat(collisions(one, one)).isLessThan(ALPHA);
  }

  /** And its two signs agree half of the time. */
  @ParameterizedTest
  @EnumSource(RowHash.class)
  void seedsGiveIndependentSigns(RowHash hash) {
    LongToIntFunction one = i -> ONE.signOf(hash.of(i));
    LongToIntFunction two = i -> TWO.signOf(hash.of(i));
    assertThat(balance(i -> one.applyAsInt(i) * two.applyAsInt(i), N)).isGreaterThan(ALPHA);
    assertThat(balance(i -> one.applyAsInt(i) * one.applyAsInt(i), N)).isLessThan(ALPHA);
  }

  /**
   * The signs of neighbours agree half of the time. The twin alternates: balanced, but never
   * agrees.
   */
  @ParameterizedTest
  @EnumSource(RowHash.class)
  void neighboursHaveIndependentSigns(RowHash hash) {
    LongToIntFunction sign = i -> ONE.signOf(hash.of(i));
    assertThat(balance(i -> sign.applyAsInt(i) * sign.applyAsInt(i + 1), N)).isGreaterThan(ALPHA);
    LongToIntFunction twin = i -> i % 2 == 0 ? 1 : -1;
    assertThat(balance(twin, N)).isGreaterThan(ALPHA);
    assertThat(balance(i -> twin.applyAsInt(i) * twin.applyAsInt(i + 1), N)).isLessThan(ALPHA);
  }

  /** The p-value of the chi-square test that the cells of N rows are uniform. */
  private static double uniformity(LongToIntFunction cell, int cells) {
    long[] counts = new long[cells];
    for (long i = 0; i < N; i++) {
      counts[cell.applyAsInt(i)]++;
    }
    double expected = (double) N / cells;
    double chiSquare = 0;
    for (long count : counts) {
      chiSquare += (count - expected) * (count - expected) / expected;
    }
    return ChiSquaredDistribution.of(cells - 1).survivalProbability(chiSquare);
  }

  /**
   * The two-sided p-value of the test that N rows have as many signs of one kind as of the other.
   */
  private static double balance(LongToIntFunction sign, int n) {
    long sum = 0;
    for (long i = 0; i < n; i++) {
      sum += sign.applyAsInt(i);
    }
    return twoSided(sum / Math.sqrt(n));
  }

  /** The two-sided p-value of the test that two buckets agree once in {@link #BUCKETS} times. */
  private static double collisions(LongToIntFunction one, LongToIntFunction two) {
    long equal = 0;
    for (long i = 0; i < N; i++) {
      equal += one.applyAsInt(i) == two.applyAsInt(i) ? 1 : 0;
    }
    double p = 1.0 / BUCKETS;
    return twoSided((equal - N * p) / Math.sqrt(N * p * (1 - p)));
  }

  private static double twoSided(double z) {
    return 2 * NormalDistribution.of(0, 1).survivalProbability(Math.abs(z));
  }
}
