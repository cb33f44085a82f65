package io.gauze.sketch;

import io.gauze.internal.Checks;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowBatch;
import io.gauze.row.RowTag;
import java.util.Arrays;

/**
 * A linear map, in integers, of a stream of insertions and deletions of rows.
 *
 * <p>Law: the state is the sum, over all updates, of sign times a function of the row's tag and the
 * row. So over equal specs the sketches of two streams, merged, equal the sketch of both to the
 * last bit, in any order and any split, and a deletion cancels its insertion. Sums beyond the range
 * of a {@code long} wrap, and wrap back.
 *
 * <p>The state and its bytes are raw sums over private rows. Mutable, not thread-safe.
 *
 * @param <S> the concrete sketch, so that a merge across families does not compile
 */
public abstract class LinearSketch<S extends LinearSketch<S>> {
  final long[] state;

  LinearSketch(long[] state) {
    this.state = state;
  }

  /** The shape. */
  public abstract SketchSpec spec();

  /** Returns an independent copy. */
  public abstract S copy();

  /** Adds one row, of the right dimension, whose entries start at {@code from}. */
  abstract void update(long first, long second, int[] values, int from, int sign);

  /** Adds a batch of the right dimension. */
  abstract void update(RowBatch batch);

  /** Adds a sparse batch of the right dimension, row by row with all entries. */
  void updateSparse(RowBatch batch) {
    int[] row = new int[batch.dimension()];
    int[] values = batch.values();
    int[] indexes = batch.indexes();
    for (int k = 0; k < batch.size(); k++) {
      int from = k * batch.width();
      for (int i = from; i < from + batch.width(); i++) {
        row[indexes[i]] += values[i]; // of equal indexes at most one has a value
      }
      update(batch.firstTags()[k], batch.secondTags()[k], row, 0, batch.signs()[k]);
      for (int i = from; i < from + batch.width(); i++) {
        row[indexes[i]] = 0;
      }
    }
  }

  /**
   * Inserts or deletes a row. Allocates nothing after the first call.
   *
   * @param tag the secret tag of the row's key
   * @param row the row in grid steps, of the spec's dimension
   * @param sign 1 to insert, -1 to delete
   * @throws IllegalArgumentException if the dimension differs or the sign is neither 1 nor -1
   */
  public final void add(RowTag tag, EncodedRow row, int sign) {
    checkDimension(row.dimension());
    if (sign != 1 && sign != -1) {
      throw new IllegalArgumentException("sign must be 1 or -1. Provided value: " + sign);
    }
    update(tag.first(), tag.second(), row.values(), 0, sign);
  }

  /**
   * Inserts and deletes a batch of rows. The result equals that of {@link #add(RowTag, EncodedRow,
   * int)} for each row, to the last bit. Allocates nothing after the first full batch.
   *
   * @param batch rows of the spec's dimension; not changed
   * @throws IllegalArgumentException if the dimension differs
   */
  public final void add(RowBatch batch) {
    checkDimension(batch.dimension());
    if (batch.isSparse()) {
      updateSparse(batch);
    } else {
      update(batch);
    }
  }

  /**
   * Adds another sketch to this one.
   *
   * @throws IllegalArgumentException if the specs differ
   */
  public final void merge(S other) {
    if (!spec().equals(other.spec())) {
      throw new IllegalArgumentException(
          "merged sketches must have equal specs. Provided value: "
              + spec()
              + " and "
              + other.spec());
    }
    long[] theirs = other.state;
    for (int i = 0; i < state.length; i++) {
      state[i] += theirs[i];
    }
  }

  /** Checks that rows have the dimension of this sketch. */
  final void checkDimension(int dimension) {
    int own = spec().dimension();
    Checks.within("row dimension", dimension, own, own);
  }

  /** The state itself, not a copy: writing to it changes the sketch. */
  public final long[] state() {
    return state;
  }

  /** Resets this sketch to the empty sketch. */
  public final void clear() {
    Arrays.fill(state, 0);
  }

  /** Returns true if the other object is a sketch of the same spec with the same state. */
  @Override
  public final boolean equals(Object other) {
    return other instanceof LinearSketch<?> that
        && spec().equals(that.spec())
        && Arrays.equals(state, that.state);
  }

  @Override
  public final int hashCode() {
    return 31 * spec().hashCode() + Arrays.hashCode(state);
  }

  /** Shows the shape only: sums are private. */
  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + spec() + "]";
  }
}
