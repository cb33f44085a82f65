package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import java.util.Objects;

/**
 * The shape of {@link SecondMoments}: the upper triangle of a D x D matrix, row by row.
 *
 * @param dimension D, in [1, 4096]
 */
public record SecondMomentsSpec(int dimension) implements SketchSpec {

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the dimension is not in [1, 4096]
   */
  public SecondMomentsSpec {
    Dimensions.square("dimension", dimension);
  }

  /** Returns the number of entries of the upper triangle of D columns, D (D + 1) / 2. */
  public static int length(int dimension) {
    return dimension * (dimension + 1) / 2;
  }

  @Override
  public int stateLength() {
    return length(dimension);
  }

  @Override
  public boolean addsCells() {
    return true;
  }

  /** Always 1: the whole state is one sum. */
  @Override
  public int bucketsTouched() {
    return 1;
  }

  @Override
  public boolean usesTags() {
    return false;
  }

  /**
   * Returns {@code B^2} for add-remove and {@code sqrt 2 B^2} for replace-one, in the Frobenius
   * norm of the whole matrix. That norm counts an entry off the diagonal twice, so it is at least
   * the norm of the state, which stores the entry once. Both values are attained: {@code |a a' - b
   * b'|^2 = |a|^4 + |b|^4 - 2 (a'b)^2}.
   */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    Checks.positiveFinite("rowBound", rowBound);
    Objects.requireNonNull(neighbours, "neighbours");
    double square = Math.nextUp(rowBound * rowBound);
    return neighbours == Neighbours.ADD_REMOVE
        ? square
        : Math.nextUp(Math.nextUp(Math.sqrt(2.0)) * square);
  }

  /**
   * Returns the index in the state of entry (i, j), which is also entry (j, i).
   *
   * @throws IndexOutOfBoundsException if i or j is not in [0, D)
   */
  public int index(int i, int j) {
    Objects.checkIndex(i, dimension);
    Objects.checkIndex(j, dimension);
    return start(dimension, Math.min(i, j)) + Math.max(i, j);
  }

  /** Returns what is added to a column j of at least i for the index of entry (i, j). */
  static int start(int dimension, int i) {
    // the rows above have D, D - 1, ... entries
    return i * dimension - i * (i - 1) / 2 - i;
  }

  @Override
  public long batchBytes(int rows) {
    return MomentBatches.bytes(dimension, 1, rows);
  }

  @Override
  public SecondMoments zero() {
    return new SecondMoments(this, new long[stateLength()]);
  }
}
