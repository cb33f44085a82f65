package io.gauze.kafka;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A record that is in no sketch, with the reason. It holds the raw record, so the topic of dead
 * letters needs the same protection as the rows topic.
 *
 * @param reason what is wrong and what to do; never a value of the record
 */
public record DeadLetter(String reason, RowRecord row) {
  /** The Flink type of these letters. */
  public static final WireType<DeadLetter> TYPE = WireType.of(DeadLetter.class, Codec.class);

  public DeadLetter {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(row, "row");
  }

  /** The serialized form, version 1: reason, record. */
  public static final class Codec implements WireType.Codec<DeadLetter> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private final RowRecord.Codec rows = new RowRecord.Codec();

    /** For Flink, which creates it by reflection. */
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
