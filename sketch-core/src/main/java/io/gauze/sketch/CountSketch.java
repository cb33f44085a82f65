package io.gauze.sketch;

import static io.gauze.sketch.RowBits.mix;

import io.gauze.row.RowBatch;

/**
 * A CountSketch of rows: each row is added, with a random sign, to one random bucket. The state is
 * {@code S A} for the matrix A of all rows, where S has one entry 1 or -1 in each column.
 *
 * <p>Implements the sketch of M. Charikar, K. Chen and M. Farach-Colton, <a
 * href="https://doi.org/10.1016/S0304-3975(03)00400-6">Finding frequent items in data streams</a>,
 * TCS 312 (2004), with one hash and with whole rows instead of counters, as K. Clarkson and D.
 * Woodruff use it for regression (<a href="https://doi.org/10.1145/2488608.2488620">STOC 2013</a>).
 * Differs from both: bucket (top bits) and sign (lowest bit) come from one 64-bit mix of the row's
 * tag, not from pairwise or 4-wise independent families.
 *
 * <p>State: r buckets of D longs each, in grid steps. Cost: O(D) per update; of a sparse batch,
 * O(cells).
 *
 * <p>Error: let U be an orthonormal basis of a column space of dimension d. If buckets and signs
 * are independent from row to row, {@code U'S'SU - I} has the entries {@code sum over i != j in one
 * bucket of s_i s_j u_i u_j'}, so that {@code E |U'S'SU - I|_F^2 <= (d^2 + d) / r} (the second
 * moment method of J. Nelson and H. Nguyen, <a
 * href="https://doi.org/10.1109/FOCS.2013.21">OSNAP</a>, FOCS 2013). By Markov's inequality every
 * {@code |S A x|^2} is within {@code 1 ± e} of {@code |A x|^2}, {@code e = sqrt(2 (d^2 + d) / r)},
 * with probability at least 1/2. If e is below 1, a least-squares fit of one column of A on others,
 * solved on the sketch, then has at most {@code (1 + e) / (1 - e)} times the least residual sum of
 * squares.
 */
public final class CountSketch extends LinearSketch<CountSketch> {
  private static final int BLOCK = 1024; // cells that are added together

  private final CountSketchSpec spec;
  private final long salt;
  private final int shift;
  private int[] places = {}; // of the cells of a block in the state
  private int[] changes = {};

  CountSketch(CountSketchSpec spec, long[] state) {
    super(state);
    this.spec = spec;
    this.salt = mix(spec.seed());
    this.shift = 63 - Integer.numberOfTrailingZeros(spec.buckets());
  }

  /** Creates an empty sketch. */
  public static CountSketch create(CountSketchSpec spec) {
    return spec.zero();
  }

  @Override
  public CountSketchSpec spec() {
    return spec;
  }

  @Override
  public CountSketch copy() {
    return new CountSketch(spec, state.clone());
  }

  @Override
  void update(long first, long second, int[] values, int from, int sign) {
    long mixed = mix(first ^ salt);
    int at = bucket(mixed) * spec.dimension() - from;
    long factor = sign * sign(mixed);
    for (int i = from; i < from + spec.dimension(); i++) {
      state[at + i] += factor * values[i];
    }
  }

  @Override
  void update(RowBatch batch) {
    long[] into = state;
    int[] values = batch.values();
    long[] tags = batch.firstTags();
    int[] signs = batch.signs();
    int dimension = batch.dimension();
    int size = batch.size();
    int from = 0;
    for (int k = 0; k < size; k++) {
      long mixed = mix(tags[k] ^ salt);
      long factor = signs[k] * sign(mixed);
      int at = bucket(mixed) * dimension;
      for (int i = 0; i < dimension; i++) {
        into[at + i] += factor * values[from + i];
      }
      from += dimension;
    }
  }

  @Override
  void updateSparse(RowBatch batch) {
    int width = batch.width();
    if (places.length < Math.max(BLOCK, width)) {
      places = new int[Math.max(BLOCK, width)];
      changes = new int[places.length];
    }
    int together = places.length / width;
    for (int from = 0; from < batch.size(); from += together) {
      addCells(batch, from, Math.min(batch.size(), from + together));
    }
  }

  // The second loop is so short that the processor waits for many cells of the state at once.
  private void addCells(RowBatch batch, int fromRow, int toRow) {
    int[] to = places;
    int[] by = changes;
    int[] values = batch.values();
    int[] indexes = batch.indexes();
    int width = batch.width();
    int next = 0;
    for (int k = fromRow; k < toRow; k++) {
      long mixed = mix(batch.firstTags()[k] ^ salt);
      int factor = (int) (batch.signs()[k] * sign(mixed));
      int at = bucket(mixed) * spec.dimension();
      for (int i = k * width; i < (k + 1) * width; i++) {
        to[next] = at + indexes[i];
        by[next++] = factor * values[i];
      }
    }
    long[] into = state;
    for (int i = 0; i < next; i++) {
      into[to[i]] += by[i];
    }
  }

  /** Returns the bucket in [0, buckets) to which rows of this tag are added. */
  int bucketOf(long first) {
    return bucket(mix(first ^ salt));
  }

  /** Returns the sign, 1 or -1, with which rows of this tag are added. */
  int signOf(long first) {
    return (int) sign(mix(first ^ salt));
  }

  private int bucket(long mixed) {
    return (int) (mixed >>> 1 >>> shift); // two shifts, since a single bucket needs a shift of 64
  }

  private static long sign(long mixed) {
    return 1 - ((mixed & 1) << 1);
  }
}
