package io.gauze.pipeline;

import io.gauze.release.SketchPlan;
import io.gauze.release.StreamPlan;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowBatch;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SketchSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One subtask's un-noised sketches of one epoch since the last flush, and the rows that are yet to
 * be added to them: lives in memory only.
 */
final class PartialEpoch {
  // Batches of the size at which sketches are fastest, of at most 256 kB of ordinary rows.
  private static final int BATCH_ROWS = 1024;
  private static final int BATCH_VALUES = 1 << 16;
  private static final int LEAST_BATCH = 64;

  private final long epoch;
  private final RowBatch batch;
  private final Consumer<RowBatch> tags;
  private final Map<String, LinearSketch<?>> byName = new LinkedHashMap<>();
  private final LinearSketch<?>[] sketches;
  private final long bytes;

  /**
   * @param tags makes the tags of the rows of a batch from what they were added with
   */
  PartialEpoch(long epoch, StreamPlan plan, Consumer<RowBatch> tags) {
    this.epoch = epoch;
    this.tags = tags;
    int dimension = plan.schema().dimension();
    int capacity = Math.max(LEAST_BATCH, Math.min(BATCH_ROWS, BATCH_VALUES / dimension));
    batch = new RowBatch(dimension, capacity);
    long size = RowBatch.memoryBytes(dimension, capacity);
    for (SketchPlan sketch : plan.sketches()) {
      SketchSpec spec = sketch.mechanism().spec();
      byName.put(sketch.name(), spec.zero());
      size += spec.memoryBytes() + spec.batchBytes(capacity);
    }
    sketches = byName.values().toArray(new LinearSketch<?>[0]);
    bytes = size;
  }

  long epoch() {
    return epoch;
  }

  /** The memory of the sketches, their working memory, and the rows that wait for them. */
  long bytes() {
    return bytes;
  }

  void add(RowTag tag, EncodedRow row, int sign) {
    batch.add(tag, row, sign);
    if (batch.isFull()) {
      fold();
    }
  }

  private void fold() {
    tags.accept(batch);
    for (LinearSketch<?> sketch : sketches) {
      sketch.add(batch);
    }
    batch.clear();
  }

  /** The bytes of the cell's part of its sketch. */
  byte[] block(Cell cell) {
    fold();
    long[] state = byName.get(cell.sketch()).state();
    return Block.of(state, Block.from(cell.block()), Block.length(cell.block(), state.length));
  }
}
