package io.gauze.stream;

import io.gauze.kafka.WireType;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A message to the accumulators. Some are about one cell: a partial sum to add, or where the rows
 * of an epoch lie. The others are about the rows of all cells: how far they have been folded, or
 * where epochs end. A sender sends these under each of {@link KeyGroups#keys}, so that every
 * subtask gets them.
 */
public final class CellMessage {
  /** The Flink type of these messages. */
  public static final WireType<CellMessage> TYPE = WireType.of(CellMessage.class, Codec.class);

  /** The kind of a message. */
  public enum Kind {
    PARTIAL(0),
    PROGRESS(1),
    CUT(2),
    PROGRESS_AT_END(3),
    RANGE(4);

    /** The kind's byte in the serialized form: never change one. */
    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Kind of(int code) throws IOException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IOException("a cell message has kind " + code + "; this program reads 0 to 4");
    }
  }

  private final Kind kind;
  private final String key;
  private final Cell cell;
  private final long firstEpoch;
  private final long epoch;
  private final byte[] block;
  private final Offsets offsets;
  private final RowRanges ranges;

  private CellMessage(Cell cell, long epoch, byte[] block, RowRanges ranges) {
    this.kind = block == null ? Kind.RANGE : Kind.PARTIAL;
    this.key = cell.key();
    this.cell = cell;
    this.firstEpoch = epoch;
    this.epoch = epoch;
    this.block = block;
    this.offsets = null;
    this.ranges = ranges;
  }

  private CellMessage(Kind kind, String key, long firstEpoch, long epoch, Offsets offsets) {
    this.kind = kind;
    this.key = key;
    this.cell = null;
    this.firstEpoch = firstEpoch;
    this.epoch = epoch;
    this.block = null;
    this.offsets = offsets;
    this.ranges = null;
  }

  /** Returns the message to add {@code block} to the cell's sum of {@code epoch}. */
  public static CellMessage partial(Cell cell, long epoch, byte[] block) {
    return new CellMessage(cell, epoch, Objects.requireNonNull(block, "block"), null);
  }

  /** Returns the message that all rows before {@code next} are in partials sent before it. */
  public static CellMessage progress(String key, Offsets next) {
    return new CellMessage(Kind.PROGRESS, key, 0, 0, next);
  }

  /** Returns the message of a progress that counts when all input of the accumulator has ended. */
  public static CellMessage progressAtEnd(String key, Offsets next) {
    return new CellMessage(Kind.PROGRESS_AT_END, key, 0, 0, next);
  }

  /**
   * Returns the message that the epochs in [firstEpoch, epoch] are complete when all partitions
   * have reached {@code ends}.
   */
  public static CellMessage cut(String key, long firstEpoch, long epoch, Offsets ends) {
    return new CellMessage(Kind.CUT, key, firstEpoch, epoch, ends);
  }

  /** Returns the message that rows of {@code epoch}, in partials sent before it, lie there. */
  public static CellMessage range(Cell cell, long epoch, RowRanges ranges) {
    return new CellMessage(cell, epoch, null, Objects.requireNonNull(ranges, "ranges"));
  }

  public Kind kind() {
    return kind;
  }

  /** The Flink key: that of the cell, or one of {@link KeyGroups#keys}. */
  public String key() {
    return key;
  }

  /** The cell of a partial or a range. */
  public Cell cell() {
    return Optional.ofNullable(cell).orElseThrow();
  }

  /** The first epoch of a cut. */
  public long firstEpoch() {
    return firstEpoch;
  }

  /** The epoch of a partial or a range, or the last one of a cut. */
  public long epoch() {
    return epoch;
  }

  /** The bytes of a partial. */
  public byte[] block() {
    return Optional.ofNullable(block).orElseThrow();
  }

  /** The offsets of a progress or a cut. */
  public Offsets offsets() {
    return Optional.ofNullable(offsets).orElseThrow();
  }

  /** The ranges of a range. */
  public RowRanges ranges() {
    return Optional.ofNullable(ranges).orElseThrow();
  }

  @Override
  public String toString() {
    return kind + " of " + key + ", epoch " + epoch;
  }

  /**
   * The serialized form, version 2: kind; then cell, epoch and the block of a partial or the ranges
   * of a range; or key, first epoch, epoch and offsets.
   */
  public static final class Codec implements WireType.Codec<CellMessage> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 2;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(CellMessage message, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeByte(message.kind.code);
      if (message.cell == null) {
        out.writeUTF(message.key);
        out.writeLong(message.firstEpoch);
        out.writeLong(message.epoch);
        message.offsets.write(out);
        return;
      }
      message.cell.write(out);
      out.writeLong(message.epoch);
      if (message.kind == Kind.PARTIAL) {
        Block.write(message.block, out);
      } else {
        message.ranges.write(out);
      }
    }

    @Override
    public CellMessage read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "cell message");
      Kind kind = Kind.of(in.readByte());
      return switch (kind) {
        case PARTIAL -> partial(Cell.read(in), in.readLong(), Block.read(in));
        case RANGE -> range(Cell.read(in), in.readLong(), RowRanges.read(in));
        default ->
            new CellMessage(kind, in.readUTF(), in.readLong(), in.readLong(), Offsets.read(in));
      };
    }
  }
}
