package io.gauze.pipeline.read;

import io.gauze.kafka.RowRecord;
import io.gauze.kafka.WireType;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** A record on its way to the subtask that holds the state of its key. */
public final class RoutedRecord {
  /** The Flink type of these records. */
  public static final WireType<RoutedRecord> TYPE = WireType.of(RoutedRecord.class, Codec.class);

  /**
   * Which row images of the record belong to the key: both, unless the change is one of the key
   * itself.
   */
  public enum Part {
    WHOLE,
    BEFORE,
    AFTER
  }

  private final String key;
  private final Part part;
  private final RowRecord row;

  public RoutedRecord(String key, Part part, RowRecord row) {
    this.key = key;
    this.part = part;
    this.row = row;
  }

  /** The fingerprint of the key of the row or of the user. */
  public String key() {
    return key;
  }

  Part part() {
    return part;
  }

  RowRecord row() {
    return row;
  }

  /** Returns the record's text, without the key. */
  @Override
  public String toString() {
    return row.toString();
  }

  /** The serialized form, version 1: key, part, record. */
  public static final class Codec implements WireType.Codec<RoutedRecord> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private final RowRecord.Codec rows = new RowRecord.Codec();

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(RoutedRecord routed, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeUTF(routed.key);
      out.writeUTF(routed.part.name());
      rows.write(routed.row, out);
    }

    @Override
    public RoutedRecord read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "routed record");
      return new RoutedRecord(in.readUTF(), Part.valueOf(in.readUTF()), rows.read(in));
    }
  }
}
