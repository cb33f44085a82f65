package io.gauze.pipeline;

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
 * What is known of a key of a table: its current row, encoded, with what is needed to take it back
 * to the last bit, its group and its secret name; and in which epoch it was changed last, also
 * after the row is gone. As bytes: version 1, epoch, whether there is a row; if so, group, tag,
 * entries. Mutable, reused.
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

  /** Whether the key has a row. */
  boolean isPresent() {
    return present;
  }

  /** The epoch of the last change; before all others if there was none. */
  long epoch() {
    return epoch;
  }

  /** There was a change in {@code itsEpoch}, after which there is a row or none. */
  void changed(long itsEpoch, boolean hasRow) {
    epoch = itsEpoch;
    present = hasRow;
  }

  /** Nothing is known of the key. */
  void forget() {
    changed(EpochSchedule.LATE, false);
  }

  /** Whether the rows are equal, whatever their tags. */
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
      throw new UncheckedIOException(e); // never: in memory
    }
    return bytes.toByteArray();
  }

  /** Overwrites this by what {@link #toBytes} gave. */
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
