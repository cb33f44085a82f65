package io.gauze.model;

import io.gauze.internal.Checks;
import java.math.BigInteger;

/**
 * The exact moments {@code M = sum u u'} and {@code m = sum u y} of one model, in whole steps.
 * Private.
 */
public final class ExactSquares {
  private final int features;
  private final long[] moments;
  private final long[] products;

  /**
   * Creates moments.
   *
   * @param moments M, p x p row-major; the array is kept
   * @param products m, p entries; the array is kept
   * @throws IllegalArgumentException if the sizes do not agree
   */
  public ExactSquares(long[] moments, long[] products) {
    features = products.length;
    Checks.length("moments", moments.length, (long) features * features);
    this.moments = moments;
    this.products = products;
  }

  /** p. */
  int features() {
    return features;
  }

  long moment(int row, int column) {
    return moments[row * features + column];
  }

  long product(int row) {
    return products[row];
  }

  /** The sum of the diagonal of M: no eigenvalue is larger. */
  BigInteger trace() {
    BigInteger sum = BigInteger.ZERO;
    for (int j = 0; j < features; j++) {
      sum = sum.add(BigInteger.valueOf(moment(j, j)));
    }
    return sum;
  }

  /** Returns {@code (M theta)_row} in the unit of theta. */
  BigInteger times(int row, BigInteger... theta) {
    BigInteger sum = BigInteger.ZERO;
    for (int k = 0; k < features; k++) {
      sum = sum.add(theta[k].multiply(BigInteger.valueOf(moment(row, k))));
    }
    return sum;
  }

  /** Shows the shape only. */
  @Override
  public String toString() {
    return "ExactSquares[features=" + features + "]";
  }
}
