package io.gauze.payload;

import java.io.IOException;
import java.util.function.IntToDoubleFunction;

/** Receives the numbers of a payload as named arrays. */
public interface PayloadArrays {
  /** Returns a number of the payload, in the encoded scale. */
  double value(int at);

  /**
   * Writes an array, row by row.
   *
   * @param entry the entries, counted row by row
   * @param shape the size of each axis; without axes it is a single number
   * @throws IOException if it cannot be written
   */
  void doubles(String name, IntToDoubleFunction entry, int... shape) throws IOException;

  /**
   * Writes numbers of the payload.
   *
   * @param from the index of the first
   */
  default void numbers(String name, int from, int... shape) throws IOException {
    doubles(name, i -> value(from + i), shape);
  }

  /**
   * Writes a symmetric matrix.
   *
   * @param from the index of the first number of its upper triangle
   */
  default void symmetric(String name, int from, int dimension) throws IOException {
    doubles(name, i -> value(from + triangular(i, dimension)), dimension, dimension);
  }

  /**
   * Writes symmetric matrices that follow each other.
   *
   * @param from the index of the first number of the upper triangle of the first one
   */
  default void symmetrics(String name, int from, int count, int dimension) throws IOException {
    int matrix = dimension * dimension;
    int triangle = dimension * (dimension + 1) / 2;
    doubles(
        name,
        i -> value(from + i / matrix * triangle + triangular(i % matrix, dimension)),
        count,
        dimension,
        dimension);
  }

  /** Returns the index in an upper triangle, row by row, of an entry of the whole matrix. */
  private static int triangular(int at, int dimension) {
    int i = Math.min(at / dimension, at % dimension);
    int j = Math.max(at / dimension, at % dimension);
    return i * dimension - i * (i - 1) / 2 + j - i;
  }
}
