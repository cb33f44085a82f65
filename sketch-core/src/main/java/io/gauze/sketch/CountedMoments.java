package io.gauze.sketch;

import io.gauze.row.RowBatch;

/**
 * The sum of {@code a a'} over the rows a, as {@link SecondMoments}, and the number of rows.
 *
 * <p>A row that was shortened by the factor f has the constant {@code f c0}, and so adds {@code f^2
 * c0^2} to the sum of the constants' squares. The number of rows less that sum over c0^2 is the
 * weight that shortening took off all rows. Responses that are shortened apart leave the constant
 * as it is: rows whose responses are at their bound are counted apart.
 *
 * <p>State: the upper triangle, row by row, then one or two counts in units of {@link
 * CountedMomentsSpec#rowUnit}: D (D + 1) / 2 + 1 or + 2 longs. Exact for up to {@link
 * io.gauze.row.Grid#MAX_ROWS} rows. The row's tag is not used.
 */
public final class CountedMoments extends LinearSketch<CountedMoments> {
  private final CountedMomentsSpec spec;
  private final MomentBatches batches;
  private final int[] responses;
  private final int countsAt;

  CountedMoments(CountedMomentsSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.batches = new MomentBatches(spec.dimension(), 1);
    this.responses = spec.responses().stream().mapToInt(Integer::intValue).toArray();
    this.countsAt = spec.moments().stateLength();
  }

  @Override
  public CountedMomentsSpec spec() {
    return spec;
  }

  @Override
  public CountedMoments copy() {
    return new CountedMoments(spec, state.clone());
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    MomentKernel.addRow(values, from, spec.dimension(), sign, state, 0);
    state[count(values, from)] += sign * spec.rowUnit();
  }

  @Override
  void update(RowBatch batch) {
    int[] groups = batches.groups(batch.size());
    for (int k = 0; k < batch.size(); k++) {
      int sign = batch.signs()[k];
      groups[k] = sign < 0 ? 1 : 0;
      state[count(batch.values(), k * batch.dimension())] += sign * spec.rowUnit();
    }
    batches.add(batch, state);
  }

  /** Returns the index of the count of a row. */
  private int count(int[] values, int from) {
    if (responses.length == 0) {
      return countsAt;
    }
    long square = 0;
    for (int response : responses) {
      long value = values[from + response];
      square += value * value;
    }
    return square < spec.responseSquare() ? countsAt : countsAt + 1;
  }
}
