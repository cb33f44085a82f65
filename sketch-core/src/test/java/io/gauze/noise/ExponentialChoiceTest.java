package io.gauze.noise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.testing.Alpha;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ExponentialChoiceTest {
  private static final int DRAWS = 1_000_000;
  private static final long UNIT = 1L << 40;

  private static List<BigInteger> scores(double... scores) {
    return Arrays.stream(scores)
        .mapToObj(score -> BigInteger.valueOf(Math.round(score * UNIT)))
        .toList();
  }

  /** 1e6 draws, level 1e-6; a scale off by 5 % is rejected. */
  @Test
  void fitsTheLaw() {
    double[] scores = {-3.0, 0.0, 0.1, 2.0, 1.9, 2.0, -0.5};
    double critical = Alpha.chiSquare(scores.length - 1);
    assertThat(chiSquare(UNIT, scores)).isLessThan(critical);
    assertThat(chiSquare(Math.round(1.05 * UNIT), scores)).isGreaterThan(critical);
  }

  private static double chiSquare(long scale, double... scores) {
    Entropy entropy = Randomness.insecureForTests(7).entropy("choices");
    long[] counts = new long[scores.length];
    for (int i = 0; i < DRAWS; i++) {
      counts[ExponentialChoice.choose(scores(scores), BigInteger.valueOf(scale), entropy)]++;
    }
    double total = 0.0;
    for (double score : scores) {
      total += Math.exp(score);
    }
    double sum = 0.0;
    for (int k = 0; k < scores.length; k++) {
      double expected = DRAWS * Math.exp(scores[k]) / total;
      sum += Math.pow(counts[k] - expected, 2) / expected;
    }
    return sum;
  }

  /** Bits of the uniform that are next to the threshold make the exact decision. */
  @Test
  void closeDecisionsAreExact() {
    List<BigInteger> scores = scores(0.0, 1.0);
    long threshold = (long) (Math.exp(-1.0) * 0x1p63);
    for (long shift : new long[] {-1000, 1000}) {
      // candidate 0, its uniform within the margin of exp(-1), and then, if it is refused,
      // candidate 1
      LongStream words = LongStream.of(0L, (threshold + shift) << 1, 0L, -1L, 0L, 0L);
      var bits = words.iterator();
      int chosen = ExponentialChoice.choose(scores, BigInteger.valueOf(UNIT), bits::nextLong);
      assertThat(chosen).isEqualTo(shift < 0 ? 0 : 1);
    }
  }

  @Test
  void isTheLargestWithoutNoise() {
    Entropy none = Randomness.noiseFreeForTests(1).entropy("none");
    assertThat(ExponentialChoice.choose(scores(1, 3, 2, 3), BigInteger.ONE, none)).isEqualTo(1);
  }

  /** Scores of any size, and a scale at which all but the largest are out of reach. */
  @Test
  void takesNumbersOfAnySize() {
    Entropy entropy = Randomness.insecureForTests(8).entropy("large");
    BigInteger large = BigInteger.ONE.shiftLeft(300);
    for (int i = 0; i < 1000; i++) {
      List<BigInteger> scores = List.of(BigInteger.ZERO, large, large.negate());
      assertThat(ExponentialChoice.choose(scores, BigInteger.ONE.shiftLeft(290), entropy))
          .isEqualTo(1);
    }
    List<BigInteger> equal = Collections.nCopies(4, large);
    assertThat(LongStream.range(0, 1000).map(i -> ExponentialChoice.choose(equal, large, entropy)))
        .contains(0L, 1L, 2L, 3L);
  }

  @Test
  void argumentsAreChecked() {
    Entropy entropy = Randomness.insecureForTests(9).entropy("bad");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExponentialChoice.choose(List.of(), BigInteger.ONE, entropy))
        .withMessage("the number of scores must be in [1, 2^20]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExponentialChoice.choose(scores(1), BigInteger.ZERO, entropy))
        .withMessage("scale must be above 0. Provided value: 0");
  }
}
