package io.gauze.sketch;

import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import java.util.Objects;

/**
 * The shape of {@link EmptySketch}: one number, which is always 0.
 *
 * @param dimension D, in [1, 4096]
 */
public record EmptySketchSpec(int dimension) implements SketchSpec {
  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if the dimension is not in [1, 4096]
   */
  public EmptySketchSpec {
    Dimensions.square("dimension", dimension);
  }

  @Override
  public int stateLength() {
    return 1;
  }

  @Override
  public boolean addsCells() {
    return true;
  }

  @Override
  public int bucketsTouched() {
    return 0;
  }

  @Override
  public boolean usesTags() {
    return false;
  }

  /** Always 0: the state does not depend on the rows. */
  @Override
  public double sensitivity(double rowBound, Neighbours neighbours) {
    Checks.positiveFinite("rowBound", rowBound);
    Objects.requireNonNull(neighbours, "neighbours");
    return 0.0;
  }

  @Override
  public EmptySketch zero() {
    return new EmptySketch(this, new long[stateLength()]);
  }
}
