package io.gauze.audit.papers;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;

/**
 * Triangular factors to 50 digits. A matrix is an array of rows, of which the upper part is read.
 */
final class ExactTriangles {
  private static final MathContext DIGITS = LatticeAttack.DIGITS;

  private ExactTriangles() {}

  /** Returns the moments in the encoded scale, with a ridge. */
  static BigDecimal[][] ridged(int columns, long[] upper, double unit, double ridge) {
    BigDecimal[][] matrix = new BigDecimal[columns][columns];
    int at = 0;
    for (int i = 0; i < columns; i++) {
      for (int j = i; j < columns; j++) {
        BigDecimal entry = BigDecimal.valueOf(upper[at++]).multiply(new BigDecimal(unit));
        matrix[i][j] = i == j ? entry.add(new BigDecimal(ridge)) : entry;
      }
    }
    return matrix;
  }

  /** Returns the first rows of U with {@code U'U = M}; fewer if a pivot is not above 0. */
  static BigDecimal[][] factor(BigDecimal[][] matrix, int rows) {
    int columns = matrix.length;
    BigDecimal[][] factor = new BigDecimal[rows][columns];
    for (int i = 0; i < rows; i++) {
      for (int j = i; j < columns; j++) {
        BigDecimal rest = matrix[i][j];
        for (int k = 0; k < i; k++) {
          rest = rest.subtract(factor[k][i].multiply(factor[k][j]), DIGITS);
        }
        if (i == j && rest.signum() <= 0) {
          return Arrays.copyOf(factor, i);
        }
        factor[i][j] = i == j ? rest.sqrt(DIGITS) : rest.divide(factor[i][i], DIGITS);
      }
    }
    return factor;
  }

  /** Returns the last columns of U^-1, for U of as many columns as rows: [row][column]. */
  static BigDecimal[][] inverse(BigDecimal[][] upper, int last) {
    int columns = upper.length;
    BigDecimal[][] inverse = new BigDecimal[columns][columns];
    for (int j = columns - last; j < columns; j++) {
      inverse[j][j] = BigDecimal.ONE.divide(upper[j][j], DIGITS);
      for (int i = j - 1; i >= 0; i--) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int k = i + 1; k <= j; k++) {
          sum = sum.subtract(upper[i][k].multiply(inverse[k][j]), DIGITS);
        }
        inverse[i][j] = sum.divide(upper[i][i], DIGITS);
      }
    }
    return inverse;
  }

  /** Returns {@code C'VC} for the last columns C of a triangle, from the last one on. */
  static BigDecimal[][] reversedForm(
      BigDecimal[][] triangle, int last, long[] upper, BigDecimal unit) {
    int columns = triangle.length;
    BigDecimal[][] form = new BigDecimal[last][last];
    for (int a = 0; a < last; a++) {
      BigDecimal[] product = times(upper, triangle, columns - 1 - a);
      for (int b = a; b < last; b++) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i <= columns - 1 - b; i++) {
          sum = sum.add(product[i].multiply(triangle[i][columns - 1 - b]), DIGITS);
        }
        form[a][b] = sum.multiply(unit);
      }
    }
    return form;
  }

  /** Returns the symmetric matrix, given by its upper triangle, times a column of a triangle. */
  private static BigDecimal[] times(long[] upper, BigDecimal[][] triangle, int column) {
    int columns = triangle.length;
    BigDecimal[] product = new BigDecimal[columns];
    Arrays.fill(product, BigDecimal.ZERO);
    int at = 0;
    for (int i = 0; i < columns; i++) {
      for (int j = i; j < columns; j++) {
        BigDecimal entry = BigDecimal.valueOf(upper[at++]);
        if (j <= column) {
          product[i] = product[i].add(entry.multiply(triangle[j][column]), DIGITS);
        }
        if (i != j && i <= column) {
          product[j] = product[j].add(entry.multiply(triangle[i][column]), DIGITS);
        }
      }
    }
    return product;
  }
}
