package io.gauze.linalg;

import java.io.Serializable;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** An immutable list of doubles. */
public final class DoubleVector implements Serializable {
  private static final long serialVersionUID = 1L;

  private final double[] values;

  private DoubleVector(double[] values) {
    this.values = values;
  }

  /** Returns a vector of the given values, copied. */
  public static DoubleVector of(double... values) {
    return new DoubleVector(values.clone());
  }

  public static DoubleVector generate(int size, IntToDoubleFunction value) {
    return new DoubleVector(IntStream.range(0, size).mapToDouble(value).toArray());
  }

  /** The number of values. */
  public int size() {
    return values.length;
  }

  /**
   * Returns one value.
   *
   * @throws ArrayIndexOutOfBoundsException if {@code index} is not in [0, size)
   */
  public double get(int index) {
    return values[index];
  }

  /** Returns the sum of the products of as many values. */
  public double dot(double... other) {
    return dot(values, other);
  }

  /** Returns the sum of the products of as many values, from the first to the last. */
  public static double dot(double[] left, double[] right) {
    double sum = 0.0;
    for (int i = 0; i < left.length; i++) {
      sum += left[i] * right[i];
    }
    return sum;
  }

  /** Returns the Euclidean norm. */
  public double norm() {
    return norm(values);
  }

  /** Returns the Euclidean norm of values, whose squares must be finite. */
  public static double norm(double... values) {
    return Math.sqrt(dot(values, values));
  }

  /** A copy of the values. */
  public double[] toArray() {
    return values.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DoubleVector that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
