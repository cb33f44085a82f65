package io.gauze.pipeline.read;

import io.gauze.config.EpochSchedule;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowTag;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The state of one key of a table: its current row, encoded, with the group and the secret tag, so
 * that the row can be removed from the sketches to the last bit; and the epoch of the last change,
 * which is kept after the row is gone. As bytes: version 1, epoch, whether there is a row; if so,
 * group, tag, entries. Mutable, reused.
 */
final class TableRow {
  private static final int VERSION = 1;

  private final EncodedRow row;
  private final RowTag tag = new RowTag();
  private String group = "";
  private boolean present;
  private long epoch = EpochSchedule.LATE;

  TableRow(int dimension) {
    row = new EncodedRow(dimension);
  }

  EncodedRow row() {
    return row;
  }

  RowTag tag() {
    return tag;
  }

  String group() {
    return group;
  }

  void setGroup(String other) {
    group = other;
  }

  /** Returns whether the key has a row. */
  boolean isPresent() {
    return present;
  }

  /**
   * The epoch of the last change; {@link EpochSchedule#LATE}, which is before all others, if none.
   */
  long epoch() {
    return epoch;
  }

  /** Records a change in {@code itsEpoch}, and whether there is a row after it. */
  void changed(long itsEpoch, boolean hasRow) {
    epoch = itsEpoch;
    present = hasRow;
  }

  /** Resets this to a key without any change so far. */
  void forget() {
    changed(EpochSchedule.LATE, false);
  }

  /** Returns whether the rows and groups are equal; the tags are not compared. */
  boolean isSame(TableRow other) {
    return group.equals(other.group) && Arrays.equals(row.values(), other.row.values());
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(32 + Integer.BYTES * row.dimension());
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeLong(epoch);
      out.writeBoolean(present);
      if (present) {
        out.writeUTF(group);
        out.writeLong(tag.first());
        out.writeLong(tag.second());
        for (int value : row.values()) {
          out.writeInt(value);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen in memory
    }
    return bytes.toByteArray();
  }

  /** Overwrites this row by one from {@link #toBytes}. */
  void read(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readByte();
      if (version != VERSION) {
        throw new IOException(
            "the row of a key has version " + version + "; this program reads version " + VERSION);
      }
      epoch = in.readLong();
      present = in.readBoolean();
      if (present) {
        group = in.readUTF();
        tag.set(in.readLong(), in.readLong());
        for (int i = 0; i < row.dimension(); i++) {
          row.values()[i] = in.readInt();
        }
      }
    }
  }
}
