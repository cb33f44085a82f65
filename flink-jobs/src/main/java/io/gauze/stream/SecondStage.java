package io.gauze.stream;

import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.noise.Randomness;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowBatch;
import io.gauze.row.RowClipper;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SketchSpec;
import java.util.Optional;

/**
 * The second stage of one release, made of the rows of its epoch and group: a sketch whose shape a
 * public model decides. The noise is added when the sums are complete; until then they are in the
 * memory of one process, and in no state. Mutable, not thread-safe.
 */
public final class SecondStage implements EpochFitter {
  // Sketches are fastest with batches of this size, which take at most 256 kB for ordinary rows.
  private static final int BATCH_ROWS = 1024;
  private static final int BATCH_VALUES = 1 << 16;
  private static final int LEAST_BATCH = 64;
  private static final RowTag NO_TAG = new RowTag();

  private final TwoStageMechanism mechanism;
  private final RowSchema schema;
  private final ReleaseId id;
  private final Randomness randomness;
  private final LinearSketch<?> sums;
  private final RowClipper clipper;
  private final double[] row;
  private final EncodedRow encoded;
  private final RowBatch batch;

  /**
   * Creates sums of no row.
   *
   * @param schema of the rows
   * @param model the public model of the first stages, as a block
   * @param id of the release
   * @throws IllegalArgumentException if a number of the model is out of range
   */
  public SecondStage(
      TwoStageMechanism mechanism,
      RowSchema schema,
      byte[] model,
      ReleaseId id,
      Randomness randomness) {
    this(mechanism, schema, mechanism.second(Block.longs(model)), id, randomness);
  }

  private SecondStage(
      TwoStageMechanism mechanism,
      RowSchema schema,
      SketchSpec spec,
      ReleaseId id,
      Randomness randomness) {
    this.mechanism = mechanism;
    this.schema = schema;
    this.id = id;
    this.randomness = randomness;
    this.sums = spec.zero();
    this.clipper = RowClipper.of(schema);
    this.row = new double[schema.dimension()];
    this.encoded = new EncodedRow(schema.dimension());
    int rows = Math.min(BATCH_ROWS, BATCH_VALUES / schema.dimension());
    this.batch = new RowBatch(schema.dimension(), Math.max(LEAST_BATCH, rows));
  }

  @Override
  public void add(double... scaled) {
    System.arraycopy(scaled, 0, row, 0, row.length);
    row[0] = schema.intercept(); // as the encoder has it; in a scaled row it is on the grid
    clipper.clip(row, encoded.values());
    add(encoded);
  }

  /** Adds a row as the encoder encodes it, which is what its scaled values lead to, too. */
  public void add(EncodedRow row) {
    batch.add(NO_TAG, row, 1);
    if (batch.isFull()) {
      fold();
    }
  }

  private void fold() {
    sums.add(batch);
    batch.clear();
  }

  /**
   * Returns sums of no row, which another thread may fill and which {@link #add(SecondStage)} then
   * adds to these. They take as much memory.
   */
  public SecondStage share() {
    return new SecondStage(mechanism, schema, sums.spec(), id, randomness);
  }

  /** Adds the rows of a share, which is used no more: the sums do not depend on the rows' order. */
  public void add(SecondStage share) {
    share.fold();
    long[] theirs = share.sums.state();
    long[] ours = sums.state();
    for (int i = 0; i < ours.length; i++) {
      ours[i] += theirs[i];
    }
  }

  @Override
  public long bytes() {
    SketchSpec spec = sums.spec();
    return spec.memoryBytes() + spec.batchBytes(batch.size());
  }

  @Override
  public Optional<BufferedEpochFit> held() {
    return Optional.empty();
  }

  /** Returns the sums with their noise, which is drawn here. */
  @Override
  public long[] numbers() {
    fold();
    long[] numbers = sums.state().clone();
    for (int block = 0; block < Block.count(numbers.length); block++) {
      long[] noise = Block.longs(NoiseInjection.newSecondBlock(mechanism, block, id, randomness));
      for (int i = 0; i < noise.length; i++) {
        numbers[Block.from(block) + i] += noise[i];
      }
    }
    return numbers;
  }
}
