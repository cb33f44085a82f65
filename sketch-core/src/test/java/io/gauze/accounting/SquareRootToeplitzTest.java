package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SquareRootToeplitzTest {

  /** The factor times itself is the lower triangle of ones. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 64, 1024})
  void theFactorIsARoot(int releases) {
    SquareRootToeplitz factor = SquareRootToeplitz.of(releases);
    for (int k = 0; k < releases; k++) {
      double entry = 0.0;
      for (int j = 0; j <= k; j++) {
        entry += factor.weight(j) * factor.weight(k - j);
      }
      assertThat(entry).isCloseTo(1.0, within(1e-13));
    }
  }

  /** Weights by another formula, binomial(2k, k) / 4^k, in 50 digits. */
  @Test
  void theNormIsNotBelowTheExactOne() {
    MathContext digits = new MathContext(50);
    BigDecimal weight = BigDecimal.ONE;
    BigDecimal squares = BigDecimal.ZERO;
    for (int k = 0; k < 1024; k++) {
      squares = squares.add(weight.pow(2), digits);
      weight =
          weight
              .multiply(BigDecimal.valueOf((2L * k + 1) * (2 * k + 2)))
              .divide(BigDecimal.valueOf(4L * (k + 1) * (k + 1)), digits);
    }
    BigDecimal norm = new BigDecimal(SquareRootToeplitz.of(1024).columnNorm());
    assertThat(norm).isGreaterThanOrEqualTo(squares.sqrt(digits));
    assertThat(norm.doubleValue()).isCloseTo(squares.sqrt(digits).doubleValue(), within(1e-11));
  }

  /** Against fresh noise in each release, sqrt K. */
  @ParameterizedTest
  @CsvSource({"1, 1.0", "64, 2.3888481", "1024, 3.2725542"})
  void theNoiseOfTheLastRelease(int releases, double factor) {
    assertThat(SquareRootToeplitz.of(releases).noiseFactor())
        .isCloseTo(factor, within(1e-7))
        .isLessThanOrEqualTo(Math.sqrt(releases) + 1e-12);
  }

  /** A row in epoch j changes F x by column j: none is longer than the norm that is claimed. */
  @Test
  void noColumnIsLonger() {
    SquareRootToeplitz factor = SquareRootToeplitz.of(50);
    for (int j = 0; j < 50; j++) {
      double squares = 0.0;
      for (int k = 0; k < 50 - j; k++) {
        squares += factor.weight(k) * factor.weight(k);
      }
      assertThat(Math.sqrt(squares)).isLessThanOrEqualTo(factor.columnNorm());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 20) + 1})
  void theNumberOfReleasesIsChecked(int releases) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SquareRootToeplitz.of(releases))
        .withMessage("releases must be in [1, 1048576]. Provided value: " + releases);
  }

  @Test
  void weightsAreThoseOfTheReleases() {
    SquareRootToeplitz factor = SquareRootToeplitz.of(3);
    assertThat(factor.releases()).isEqualTo(3);
    assertThat(factor.weight(2)).isEqualTo(0.375);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> factor.weight(3));
  }
}
