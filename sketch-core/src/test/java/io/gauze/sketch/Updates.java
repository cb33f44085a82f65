package io.gauze.sketch;

import io.gauze.row.EncodedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Insertions and deletions for tests. */
final class Updates {
  /** One insertion or deletion. */
  static final class Update {
    final long rowHash;
    final EncodedRow row;
    final int sign;

    Update(long rowHash, EncodedRow row, int sign) {
      this.rowHash = rowHash;
      this.row = row;
      this.sign = sign;
    }

    void to(LinearSketch<?> sketch) {
      sketch.add(rowHash, row, sign);
    }

    Update undone() {
      return new Update(rowHash, row, -sign);
    }
  }

  private Updates() {}

  static EncodedRow row(int... values) {
    EncodedRow row = new EncodedRow(values.length);
    System.arraycopy(values, 0, row.values(), 0, values.length);
    return row;
  }

  /** Random updates, a third of them deletions, entries in [-2^15, 2^15]. */
  static List<Update> random(int count, int dimension, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Update> updates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int[] values = random.ints(dimension, -32768, 32769).toArray();
      updates.add(new Update(random.nextLong(), row(values), random.nextInt(3) == 0 ? -1 : 1));
    }
    return updates;
  }
}
