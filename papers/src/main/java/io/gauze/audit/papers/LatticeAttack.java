package io.gauze.audit.papers;

import io.gauze.audit.Trial;
import io.gauze.noise.Entropy;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An attack that guesses the data and computes the sampler's normal numbers back from a release,
 * exactly up to the rounding of the release. If these numbers are from a lattice, the attack
 * distinguishes the right guess from others.
 *
 * <p>It reads the numbers of some rows and columns only: they are sufficient, and exact arithmetic
 * is slow.
 */
interface LatticeAttack {
  /** The lattice of a sampler that rounds normal numbers to multiples of 2^-40. */
  int BITS = 40;

  /** 50 digits, which are more than a release has. */
  MathContext DIGITS = new MathContext(50);

  /** The number of rows of a factor that are read. */
  int MOST = 3;

  /** Returns the normal numbers for which the guess is right; none if it cannot be right. */
  List<BigDecimal> numbers(long[] release);

  /**
   * Scores how close the numbers are to multiples of {@code 2^-bits}: the number of numbers if all
   * are multiples, about 0 if none is.
   */
  default double score(long[] release, int bits) {
    double sum = 0.0;
    for (BigDecimal number : numbers(release)) {
      BigDecimal steps = number.multiply(BigDecimal.valueOf(2).pow(bits));
      double fraction = steps.remainder(BigDecimal.ONE).doubleValue();
      sum += Math.cos(2.0 * Math.PI * fraction);
    }
    return sum;
  }

  /** Returns a trial whose statistic says which guess is better: above 0 for the second. */
  static Trial trial(
      Releaser first, Releaser second, LatticeAttack guessFirst, LatticeAttack guessSecond) {
    return (inSecond, entropy) -> {
      long[] release = (inSecond ? second : first).release(entropy);
      return guessSecond.score(release, BITS) - guessFirst.score(release, BITS);
    };
  }

  /**
   * Returns the attack on additive Wishart noise on moments.
   *
   * @param moments the guess, in squared grid steps
   */
  static LatticeAttack wishart(int columns, int degrees, double scale, long[] moments) {
    BigDecimal unit = BigDecimal.ONE.divide(new BigDecimal(scale), DIGITS);
    return release -> {
      BigDecimal[][] noise = new BigDecimal[columns][columns];
      int at = 0;
      for (int i = 0; i < columns; i++) {
        for (int j = i; j < columns; j++) {
          noise[i][j] = BigDecimal.valueOf(release[at] - moments[at]).multiply(unit);
          at++;
        }
      }
      BigDecimal[][] factor = ExactTriangles.factor(noise, Math.min(MOST, columns));
      List<BigDecimal> numbers = new ArrayList<>();
      for (int i = 0; i < factor.length; i++) {
        numbers.add(ofChiSquare(factor[i][i], degrees - i));
        numbers.addAll(Arrays.asList(factor[i]).subList(i + 1, columns));
      }
      return numbers;
    };
  }

  /**
   * Returns the attack on rows {@code N(0, M)}, one after the other.
   *
   * @param unit the size of one unit of the release
   * @param moments the guess of M, with its ridge
   */
  static LatticeAttack rows(int columns, int rows, double unit, BigDecimal[][] moments) {
    BigDecimal step = new BigDecimal(unit);
    BigDecimal[][] factor = ExactTriangles.factor(moments, Math.min(MOST, columns));
    return release -> {
      List<BigDecimal> numbers = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        BigDecimal[] normal = new BigDecimal[factor.length];
        for (int j = 0; j < factor.length; j++) {
          BigDecimal rest = BigDecimal.valueOf(release[row * columns + j]).multiply(step);
          for (int k = 0; k < j; k++) {
            rest = rest.subtract(normal[k].multiply(factor[k][j]), DIGITS);
          }
          normal[j] = rest.divide(factor[j][j], DIGITS);
        }
        numbers.addAll(List.of(normal));
      }
      return numbers;
    };
  }

  /**
   * Returns the attack on inverse Wishart matrices.
   *
   * @param unit the size of one unit of the release
   * @param scale the guess of the scale matrix
   */
  // V = U'(R'R)^-1 U for X = U'U. With C the last columns of U^-1, C' V C is the last block of
  // R^-1 (R^-1)'. With its entries counted from the end it is P P' for the last block P of R^-1.
  static LatticeAttack inverse(int columns, int degrees, double unit, BigDecimal[][] scale) {
    int read = Math.min(MOST, columns);
    BigDecimal step = new BigDecimal(unit);
    BigDecimal[][] inverse = ExactTriangles.inverse(ExactTriangles.factor(scale, columns), read);
    return release -> {
      BigDecimal[][] block = ExactTriangles.reversedForm(inverse, read, release, step);
      BigDecimal[][] reversed = ExactTriangles.factor(block, read); // P, transposed, from the end
      BigDecimal[][] factor = ExactTriangles.inverse(reversed, reversed.length);
      List<BigDecimal> numbers = new ArrayList<>();
      for (int i = 0; i < factor.length; i++) {
        numbers.add(ofChiSquare(factor[i][i], degrees - (columns - 1 - i)));
        for (int j = i + 1; j < factor.length; j++) {
          numbers.add(factor[i][j]);
        }
      }
      return numbers;
    };
  }

  /**
   * Returns the normal number from which the root of a chi-square number was made, see {@code
   * ChiSquare}.
   */
  static BigDecimal ofChiSquare(BigDecimal root, int degrees) {
    BigDecimal nine = BigDecimal.valueOf(9L * degrees - 6).divide(BigDecimal.valueOf(2)); // 9 d
    BigDecimal cube =
        root.multiply(root).multiply(BigDecimal.valueOf(4.5)).divide(nine, DIGITS); // v = v^2 / 2 d
    BigDecimal power = BigDecimal.valueOf(Math.cbrt(cube.doubleValue()));
    for (int i = 0; i < 3; i++) { // Newton: 16, 32, 64 digits
      BigDecimal excess = power.subtract(cube.divide(power.multiply(power), DIGITS));
      power = power.subtract(excess.divide(BigDecimal.valueOf(3), DIGITS));
    }
    return power.subtract(BigDecimal.ONE).multiply(nine.sqrt(DIGITS), DIGITS);
  }

  /** Makes a release of one of the data sets. */
  @FunctionalInterface
  interface Releaser {
    long[] release(Entropy entropy);
  }
}
