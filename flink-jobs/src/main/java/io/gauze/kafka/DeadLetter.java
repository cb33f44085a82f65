package io.gauze.kafka;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A record that is in no sketch, with the reason. Holds the raw record: its topic deserves the
 * input topic's protection.
 *
 * @param reason what was wrong and what to do; never a value of the record
 */
public record DeadLetter(String reason, RowRecord row) {
  /** The Flink type of these letters. */
  public static final WireType<DeadLetter> TYPE = WireType.of(DeadLetter.class, Codec.class);

  /** Both parts are there. */
  public DeadLetter {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(row, "row");
  }

  /** Version 1: reason, record. */
  public static final class Codec implements WireType.Codec<DeadLetter> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private final RowRecord.Codec rows = new RowRecord.Codec();

    /** For Flink. */
    public Codec() {}

    @Override
    public void write(DeadLetter letter, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeUTF(letter.reason);
      rows.write(letter.row, out);
    }

    @Override
    public DeadLetter read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "dead letter");
      return new DeadLetter(in.readUTF(), rows.read(in));
    }
  }
}
