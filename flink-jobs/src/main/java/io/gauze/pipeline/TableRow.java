package io.gauze.pipeline;

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
 * The current row of a key of a table, encoded, with what is needed to take it back to the last
 * bit: its group and its secret name. As bytes: version 1, group, tag, entries. Mutable, reused.
 */
final class TableRow {
  private static final int VERSION = 1;

  private final EncodedRow row;
  private final RowTag tag = new RowTag();
  private String group = "";

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

  /** Whether the rows are equal, whatever their tags. */
  boolean isSame(TableRow other) {
    return group.equals(other.group) && Arrays.equals(row.values(), other.row.values());
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(32 + Integer.BYTES * row.dimension());
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(group);
      out.writeLong(tag.first());
      out.writeLong(tag.second());
      for (int value : row.values()) {
        out.writeInt(value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never: in memory
    }
    return bytes.toByteArray();
  }

  /** Overwrites this row by what {@link #toBytes} gave. */
  void read(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readByte();
      int wanted = 1 + 2 + 2 * Long.BYTES + Integer.BYTES * row.dimension();
      if (version != VERSION || bytes.length < wanted) {
        throw new IOException(
            "the row of a key has version "
                + version
                + " and "
                + bytes.length
                + " bytes; this program reads version "
                + VERSION
                + " with at least "
                + wanted);
      }
      group = in.readUTF();
      tag.set(in.readLong(), in.readLong());
      for (int i = 0; i < row.dimension(); i++) {
        row.values()[i] = in.readInt();
      }
    }
  }
}
