package io.gauze.benchmarks;

import io.gauze.row.EncodedRow;
import io.gauze.row.RowBatch;
import io.gauze.row.RowHasher;
import io.gauze.row.RowTag;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Made-up rows, one by one and in batches of the same rows. There are enough of them that neither
 * branches nor buckets can be learnt, and few enough to stay in a level 2 cache at D = 12.
 */
@State(Scope.Thread)
public class Rows {
  /** Rows of a batch. */
  public static final int SIZE = 1024;

  private static final int BATCHES = 8;
  private static final long SEED = 7;

  /** D. */
  @Param({"12", "52"})
  public int dimension;

  final RowBatch[] batches = new RowBatch[BATCHES];
  final EncodedRow[][] rows = new EncodedRow[BATCHES][SIZE];
  final RowTag[][] tags = new RowTag[BATCHES][SIZE];
  private int next;

  /** Makes the rows. */
  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(SEED);
    RowHasher hasher = RowHasher.create(random::nextLong);
    for (int b = 0; b < BATCHES; b++) {
      batches[b] = new RowBatch(dimension, SIZE);
      for (int k = 0; k < SIZE; k++) {
        EncodedRow row = new EncodedRow(dimension);
        for (int i = 0; i < dimension; i++) {
          row.values()[i] = random.nextInt(-8192, 8193);
        }
        RowTag tag = new RowTag();
        hasher.tag(b, k, tag);
        rows[b][k] = row;
        tags[b][k] = tag;
        batches[b].add(tag, row, 1);
      }
    }
  }

  /** The number of the next batch, in turn. */
  int turn() {
    next = (next + 1) % BATCHES;
    return next;
  }

  /** The next batch, in turn. */
  RowBatch batch() {
    return batches[turn()];
  }
}
