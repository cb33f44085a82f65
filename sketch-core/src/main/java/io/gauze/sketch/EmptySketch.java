package io.gauze.sketch;

import io.gauze.row.RowBatch;

/**
 * A sketch that keeps nothing of the rows, for mechanisms that read the rows themselves once their
 * epoch is sealed.
 */
public final class EmptySketch extends LinearSketch<EmptySketch> {
  private final EmptySketchSpec spec;

  EmptySketch(EmptySketchSpec spec, long[] state) {
    super(state);
    this.spec = spec;
  }

  @Override
  public EmptySketchSpec spec() {
    return spec;
  }

  @Override
  public EmptySketch copy() {
    return new EmptySketch(spec, state.clone());
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {}

  @Override
  void update(RowBatch batch) {}

  @Override
  void updateSparse(RowBatch batch) {}
}
