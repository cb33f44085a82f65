package io.gauze.sketch;

import io.gauze.row.RowBatch;
import java.util.Arrays;

/**
 * The sum of {@code a a'} over the rows a, as {@link SecondMoments}, and the weight that shortening
 * took off them.
 *
 * <p>A row that was shortened by the factor f has the constant {@code f c0} and the weight {@code
 * f^2}: it lost {@code 1 - f^2}, which its first entry tells. Responses that are shortened apart
 * leave the constant as it is. A row whose responses are at their bound is taken to have lost the
 * most that their ranges allow, since an encoded row does not tell how much it was.
 *
 * <p>State: the upper triangle, row by row, then the lost weight in units of {@link
 * ShortenedMomentsSpec#rowUnit}, for each row rounded down: D (D + 1) / 2 + 1 longs. Exact for up
 * to {@link io.gauze.row.Grid#MAX_ROWS} rows. The row's tag is not used.
 */
public final class ShortenedMoments extends LinearSketch<ShortenedMoments> {
  private final ShortenedMomentsSpec spec;
  private final MomentBatches batches;
  private final int[] responses;
  private final int lostAt;

  ShortenedMoments(ShortenedMomentsSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.batches = new MomentBatches(spec.dimension(), 1);
    this.responses = spec.responses().columns().stream().mapToInt(Integer::intValue).toArray();
    this.lostAt = spec.moments().stateLength();
  }

  @Override
  public ShortenedMomentsSpec spec() {
    return spec;
  }

  @Override
  public ShortenedMoments copy() {
    return new ShortenedMoments(spec, state.clone());
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    MomentKernel.addRow(values, from, spec.dimension(), sign, state, 0);
    state[lostAt] += sign * lost(values[from], atBound(values, from));
  }

  @Override
  void update(RowBatch batch) {
    int[] groups = batches.groups(batch.size());
    long lost = 0;
    for (int k = 0; k < batch.size(); k++) {
      int sign = batch.signs()[k];
      groups[k] = sign < 0 ? 1 : 0;
      int from = k * batch.dimension();
      lost += sign * lost(batch.values()[from], atBound(batch.values(), from));
    }
    state[lostAt] += lost;
    batches.add(batch, state);
  }

  @Override
  void updateSparse(RowBatch batch) {
    for (int k = 0; k < batch.size(); k++) {
      state[lostAt] += batch.signs()[k] * lost(batch.entry(k, 0), atBound(batch, k));
      MomentKernel.addCells(batch, k, state, 0);
    }
  }

  // unit and squares are at most 2^30
  /** Returns the weight that a row lost, in [0, unit]. */
  private long lost(int first, boolean isAtBound) {
    long unit = spec.rowUnit();
    long lost = 0;
    if (first != spec.constant()) {
      long whole = (long) spec.constant() * spec.constant();
      long left = Math.min(whole, (long) first * first);
      lost = unit * (whole - left) / whole;
    }
    return isAtBound ? Math.min(unit, lost + spec.responses().lost()) : lost;
  }

  private boolean atBound(int[] values, int from) {
    long square = 0;
    for (int response : responses) {
      long value = values[from + response];
      square += value * value;
    }
    return responses.length > 0 && square >= spec.responses().square();
  }

  private boolean atBound(RowBatch batch, int row) {
    if (responses.length == 0) {
      return false;
    }
    long square = 0;
    for (int i = row * batch.width(); i < (row + 1) * batch.width(); i++) {
      if (Arrays.binarySearch(responses, batch.indexes()[i]) >= 0) {
        long value = batch.values()[i];
        square += value * value;
      }
    }
    return square >= spec.responses().square();
  }
}
