package io.gauze.sketch;

import io.gauze.row.EncodedRow;
import io.gauze.row.RowBatch;
import io.gauze.row.RowTag;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Insertions and deletions for tests. */
final class Updates {
  /** One insertion or deletion. */
  static final class Update {
    final RowTag tag;
    final EncodedRow row;
    final int sign;

    Update(RowTag tag, EncodedRow row, int sign) {
      this.tag = tag;
      this.row = row;
      this.sign = sign;
    }

    void to(LinearSketch<?> sketch) {
      sketch.add(tag, row, sign);
    }

    Update undone() {
      return new Update(tag, row, -sign);
    }
  }

  private Updates() {}

  static EncodedRow row(int... values) {
    EncodedRow row = new EncodedRow(values.length);
    System.arraycopy(values, 0, row.values(), 0, values.length);
    return row;
  }

  static RowTag tag(long first, long second) {
    RowTag tag = new RowTag();
    tag.set(first, second);
    return tag;
  }

  /** A batch of exactly these. */
  static RowBatch batch(List<Update> updates, int dimension) {
    RowBatch batch = new RowBatch(dimension, Math.max(1, updates.size()));
    updates.forEach(update -> batch.add(update.tag, update.row, update.sign));
    return batch;
  }

  /** Random updates, a third of them deletions, entries in [-2^15, 2^15]. */
  static List<Update> random(int count, int dimension, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Update> updates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int[] values = random.ints(dimension, -32768, 32769).toArray();
      updates.add(
          new Update(
              tag(random.nextLong(), random.nextLong()),
              row(values),
              random.nextInt(3) == 0 ? -1 : 1));
    }
    return updates;
  }
}
