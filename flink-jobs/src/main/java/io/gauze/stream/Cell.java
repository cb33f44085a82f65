package io.gauze.stream;

import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The key of the accumulators: one block of one sketch of one group. The set of cells is public and
 * fixed by the config.
 *
 * @param group the public group's value; {@code all} for a stream without groups
 * @param sketch the sketch's name in the config
 * @param block the index of a run of at most {@link Block#MAX_LONGS} state entries; for sketches
 *     for which rows are read twice see {@link SketchParts}
 */
public record Cell(String group, String sketch, int block) {
  /**
   * Creates a cell.
   *
   * @throws IllegalArgumentException if the block is negative
   */
  public Cell {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(sketch, "sketch");
    if (block < 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "block must be >= 0. Provided value: %d", block));
    }
  }

  /** The Flink key of the cell. */
  public String key() {
    return group + '/' + sketch + '/' + block;
  }

  public void write(DataOutputView out) throws IOException {
    out.writeUTF(group);
    out.writeUTF(sketch);
    out.writeInt(block);
  }

  public static Cell read(DataInputView in) throws IOException {
    return new Cell(in.readUTF(), in.readUTF(), in.readInt());
  }
}
