package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Numbers in a range from words: exact, and uniform for 2^20 words that are mixed from counters.
 *
 * <p>False alarms: 4 p-values, each at {@link #ALPHA} = 1e-6 / 4. The twin, which takes the word's
 * top 8 bits alone, is rejected at the same level.
 */
class RowBitsTest {
  private static final double ALPHA = 1e-6 / 4;
  private static final int N = 1 << 20;

  private static int exact(int range, long word) {
    BigInteger unsigned = new BigInteger(Long.toUnsignedString(word));
    return unsigned.multiply(BigInteger.valueOf(range)).shiftRight(64).intValueExact();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 35, 105, 1 << 16, 999_983, 1 << 20, Integer.MAX_VALUE})
  void belowIsTheUpperHalfOfTheProduct(int range) {
    SplittableRandom random = new SplittableRandom(range);
    for (int i = 0; i < 10_000; i++) {
      long word = random.nextLong() >> random.nextInt(64); // long runs of equal top bits too
      assertThat(RowBits.below(range, word)).isEqualTo(exact(range, word));
    }
    for (long word : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0xffffffffL, 1L << 32}) {
      assertThat(RowBits.below(range, word)).isEqualTo(exact(range, word));
    }
    // the first words of some results, and the words before them
    for (int value = 1; value < Math.min(range, 100); value++) {
      long first =
          BigInteger.valueOf(value)
              .shiftLeft(64)
              .add(BigInteger.valueOf(range - 1L))
              .divide(BigInteger.valueOf(range))
              .longValue();
      assertThat(RowBits.below(range, first)).isEqualTo(value);
      assertThat(RowBits.below(range, first - 1)).isEqualTo(value - 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 35, 105, 1000})
  void belowIsUniform(int range) {
    assertThat(uniformity(range, i -> RowBits.below(range, RowBits.mix(i)))).isGreaterThan(ALPHA);
    LongToIntFunction twin = i -> RowBits.below(range, RowBits.mix(i) & (0xffL << 56));
    assertThat(uniformity(range, twin)).isLessThan(ALPHA);
  }

  private static double uniformity(int range, LongToIntFunction draw) {
    long[] counts = new long[range];
    for (long i = 0; i < N; i++) {
      counts[draw.applyAsInt(i)]++;
    }
    return PValues.uniformity(counts);
  }

  /** The first outputs of SplitMix64 from state 0. */
  @Test
  void mixIsThatOfSplitMix64() {
    assertThat(RowBits.mix(0)).isEqualTo(0xe220a8397b1dcdafL);
    assertThat(RowBits.mix(RowBits.GAMMA)).isEqualTo(0x6e789e6aa1b965f4L);
    assertThat(RowBits.mix(RowBits.GAMMA << 1)).isEqualTo(0x06c45d188009454fL);
  }
}
