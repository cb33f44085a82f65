package io.gauze.sketch;

import io.gauze.row.EncodedRow;

/**
 * A linear map, in integers, of a stream of insertions and deletions of rows.
 *
 * <p>Law: the state is the sum, over all updates, of sign times a function of the row's hash and
 * the row. So over equal specs the sketches of two streams, merged, equal the sketch of both to the
 * last bit, in any order and any split, and a deletion cancels its insertion. Sums beyond the range
 * of a {@code long} wrap, and wrap back.
 *
 * <p>The state and its bytes are raw sums over private rows. Mutable, not thread-safe.
 *
 * @param <S> the concrete sketch, so that a merge across families does not compile
 */
public sealed interface LinearSketch<S extends LinearSketch<S>> permits SecondMoments, CountSketch {

  /** The shape. */
  SketchSpec spec();

  /**
   * Inserts or deletes a row. Allocates nothing.
   *
   * @param rowHash the secret keyed hash of the row's key
   * @param row the row in grid steps, of the spec's dimension
   * @param sign 1 to insert, -1 to delete
   * @throws IllegalArgumentException if the dimension differs or the sign is neither 1 nor -1
   */
  void add(long rowHash, EncodedRow row, int sign);

  /**
   * Adds another sketch to this one.
   *
   * @throws IllegalArgumentException if the specs differ
   */
  void merge(S other);

  /** An independent copy. */
  S copy();

  /** The state itself, not a copy: who writes to it changes the sketch. */
  long[] state();

  /** Back to the empty sketch. */
  void clear();

  /** The versioned binary form, little-endian: raw sums, to be kept as private as the rows. */
  byte[] toBytes();

  /**
   * Reads what {@link #toBytes()} wrote.
   *
   * @throws IllegalArgumentException if the bytes are not a sketch, of an unknown version or of the
   *     wrong length
   */
  static LinearSketch<?> fromBytes(byte[] bytes) {
    return SketchBytes.read(bytes);
  }
}
