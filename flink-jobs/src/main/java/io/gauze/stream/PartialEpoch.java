package io.gauze.stream;

import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.row.BatchHasher;
import io.gauze.row.EncodedRow;
import io.gauze.row.RecordBatch;
import io.gauze.row.RowBatch;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SketchSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sketches without noise of one subtask and one epoch since the last flush, and the rows that
 * are yet to be added to them. It is in memory only.
 */
public final class PartialEpoch {
  // Sketches are fastest with batches of this size, which take at most 256 kB for ordinary rows.
  private static final int BATCH_ROWS = 1024;
  private static final int BATCH_VALUES = 1 << 16;
  private static final int LEAST_BATCH = 64;

  // Rows of many groups come one by one: a batch of them is seldom full, however small it is.
  private static final int LEAST_BATCH_OF_MANY = 8;

  private static final RowTag NO_TAG = new RowTag();

  private final RecordBatch batch;
  private final boolean isUntagged; // rows come with positions, and no sketch uses tags
  private final Map<String, LinearSketch<?>> byName = new LinkedHashMap<>();
  private final LinearSketch<?>[] sketches;

  /**
   * Creates empty sketches.
   *
   * @param capacity the number of rows that are added together, see {@link #batchRows}
   * @param encoder the encoder that has accepted the rows that are added unencoded
   * @param hasher computes the tags of rows that are added with their positions; empty if rows are
   *     added with their tags
   */
  public PartialEpoch(
      StreamPlan plan, int capacity, RowEncoder encoder, Optional<BatchHasher> hasher) {
    isUntagged =
        hasher.isPresent()
            && plan.sketches().stream().noneMatch(each -> each.mechanism().spec().usesTags());
    batch =
        hasher.isPresent() && !isUntagged
            ? RecordBatch.ofPositions(encoder, hasher.get(), isSparse(plan), capacity)
            : RecordBatch.ofTags(encoder, isSparse(plan), capacity);
    plan.sketches().forEach(each -> byName.put(each.name(), each.mechanism().spec().zero()));
    sketches = byName.values().toArray(new LinearSketch<?>[0]);
  }

  /** Whether batches have the cells of rows that may differ from 0, and not all entries. */
  private static boolean isSparse(StreamPlan plan) {
    return plan.schema().isWide()
        && plan.sketches().stream().allMatch(each -> each.mechanism().spec().addsCells());
  }

  /** Returns the number of rows that are best added together if there is memory enough. */
  public static int batchRows(StreamPlan plan) {
    RowSchema schema = plan.schema();
    int values = isSparse(plan) ? 1 + schema.columns().size() : schema.dimension();
    return Math.max(LEAST_BATCH, Math.min(BATCH_ROWS, BATCH_VALUES / values));
  }

  /**
   * Returns the number of rows with which instances for all groups fit into memory. If none does,
   * it is a small one where batches take at least half of the memory.
   *
   * @param memory in bytes
   */
  public static int batchRows(StreamPlan plan, int groups, long memory) {
    int most = batchRows(plan);
    for (int rows = most; rows >= LEAST_BATCH_OF_MANY; rows /= 2) {
      if (groups * bytes(plan, rows) <= memory) {
        return rows;
      }
    }
    boolean isWorthIt = 2 * bytes(plan, LEAST_BATCH_OF_MANY) <= bytes(plan, most);
    return groups > 1 && isWorthIt ? LEAST_BATCH_OF_MANY : most;
  }

  /**
   * Returns the bytes that one instance takes: its sketches, their working memory, and its batch.
   *
   * @param capacity the number of rows of the batch
   */
  public static long bytes(StreamPlan plan, int capacity) {
    RowSchema schema = plan.schema();
    long size =
        isSparse(plan)
            ? RecordBatch.sparseBytes(schema.columns().size(), capacity)
            : RecordBatch.memoryBytes(schema.dimension(), capacity);
    for (SketchPlan sketch : plan.sketches()) {
      SketchSpec spec = sketch.mechanism().spec();
      size += spec.memoryBytes() + spec.batchBytes(capacity);
    }
    return size;
  }

  /** Adds the row that the encoder has accepted. */
  public void addAt(long partition, long offset) {
    if (isUntagged) {
      batch.add(NO_TAG, 1);
    } else {
      batch.addAt(partition, offset);
    }
    foldIfFull();
  }

  public void addAt(long partition, long offset, EncodedRow row) {
    if (isUntagged) {
      batch.add(NO_TAG, row, 1);
    } else {
      batch.addAt(partition, offset, row);
    }
    foldIfFull();
  }

  /** Adds the row that the encoder has accepted. */
  public void add(RowTag tag) {
    batch.add(tag, 1);
    foldIfFull();
  }

  public void add(RowTag tag, EncodedRow row, int sign) {
    batch.add(tag, row, sign);
    foldIfFull();
  }

  private void foldIfFull() {
    if (batch.isFull()) {
      fold();
    }
  }

  /** Adds the rows that are yet to be added. */
  public void settle() {
    fold();
  }

  private void fold() {
    RowBatch rows = batch.encode();
    for (LinearSketch<?> sketch : sketches) {
      sketch.add(rows);
    }
    batch.clear();
  }

  /** Returns the bytes of a cell's part of its sketch. */
  public byte[] block(Cell cell) {
    fold();
    long[] state = byName.get(cell.sketch()).state();
    return Block.of(state, Block.from(cell.block()), Block.length(cell.block(), state.length));
  }
}
