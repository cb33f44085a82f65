package io.gauze.kafka;

import java.io.IOException;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Records of the rows topic that the source hands over together, since each element of a stream
 * costs more than to fold a row. They are in the order of their partitions. Immutable by
 * convention.
 */
public final class RowRecords {
  /** The Flink type. */
  public static final WireType<RowRecords> TYPE = WireType.of(RowRecords.class, Codec.class);

  private final RowRecord[] records;

  private RowRecords(RowRecord... records) {
    this.records = records;
  }

  /** Returns these records, of which there is at least one. */
  public static RowRecords of(RowRecord... records) {
    return new RowRecords(records.clone());
  }

  /** Returns these records, which are not copied. */
  static RowRecords ofArray(RowRecord... records) {
    return new RowRecords(records);
  }

  /** The number of records. */
  public int size() {
    return records.length;
  }

  /** The record at an index in [0, size). */
  public RowRecord get(int index) {
    return records[index];
  }

  @Override
  public String toString() {
    return List.of(records).toString();
  }

  /** The serialized form, version 1: the number of records, then each of them. */
  public static final class Codec implements WireType.Codec<RowRecords> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    private final RowRecord.Codec codec = new RowRecord.Codec();

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(RowRecords rows, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(rows.records.length);
      for (RowRecord row : rows.records) {
        codec.write(row, out);
      }
    }

    @Override
    public RowRecords read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "row records");
      RowRecord[] records = new RowRecord[in.readInt()];
      for (int i = 0; i < records.length; i++) {
        records[i] = codec.read(in);
      }
      return new RowRecords(records);
    }
  }
}
