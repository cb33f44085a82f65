package io.gauze.stream;

import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.noise.Randomness;
import io.gauze.row.EncodedRow;
import io.gauze.row.RecordBatch;
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
    this.batch = new RowBatch(schema.dimension(), PartialEpoch.batchRows(schema.dimension()));
  }

  @Override
  public void add(double... scaled) {
    System.arraycopy(scaled, 0, row, 0, row.length);
    row[0] = schema.intercept(); // as the encoder has it; in a scaled row it is on the grid
    clipper.clip(row, encoded.values());
    batch.add(NO_TAG, encoded, 1);
    if (batch.isFull()) {
      fold();
    }
  }

  /** Adds rows as the encoder encodes them, which is what their scaled values lead to, too. */
  public void add(RowBatch rows) {
    sums.add(rows);
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
    int capacity = PartialEpoch.batchRows(schema.dimension());
    long batches = 2 * RecordBatch.memoryBytes(schema.dimension(), capacity); // its own, a reader's
    return spec.memoryBytes() + spec.batchBytes(capacity) + batches;
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
