package io.gauze.stream;

import io.gauze.kafka.WireType;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A message to an accumulator about its cell: a partial sum to add, how far the rows have been
 * folded, where an epoch ends, or where the rows of an epoch lie.
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
  private final Cell cell;
  private final long epoch;
  private final byte[] block;
  private final Offsets offsets;
  private final RowRanges ranges;

  private CellMessage(Kind kind, Cell cell, long epoch, byte[] block, Offsets offsets) {
    this(kind, cell, epoch, block, offsets, null);
  }

  private CellMessage(
      Kind kind, Cell cell, long epoch, byte[] block, Offsets offsets, RowRanges ranges) {
    this.kind = kind;
    this.cell = cell;
    this.epoch = epoch;
    this.block = block;
    this.offsets = offsets;
    this.ranges = ranges;
  }

  /** Returns the message to add {@code block} to the cell's sum of {@code epoch}. */
  public static CellMessage partial(Cell cell, long epoch, byte[] block) {
    return new CellMessage(Kind.PARTIAL, cell, epoch, block, null);
  }

  /** Returns the message that all rows before {@code next} are in partials sent before it. */
  public static CellMessage progress(Cell cell, Offsets next) {
    return new CellMessage(Kind.PROGRESS, cell, 0, null, next);
  }

  /** Returns the message of a progress that counts when all input of the accumulator has ended. */
  public static CellMessage progressAtEnd(Cell cell, Offsets next) {
    return new CellMessage(Kind.PROGRESS_AT_END, cell, 0, null, next);
  }

  /**
   * Returns the message that {@code epoch} is complete when all partitions have reached {@code
   * ends}.
   */
  public static CellMessage cut(Cell cell, long epoch, Offsets ends) {
    return new CellMessage(Kind.CUT, cell, epoch, null, ends);
  }

  /** Returns the message that rows of {@code epoch}, in partials sent before it, lie there. */
  public static CellMessage range(Cell cell, long epoch, RowRanges ranges) {
    return new CellMessage(Kind.RANGE, cell, epoch, null, null, ranges);
  }

  public Kind kind() {
    return kind;
  }

  public Cell cell() {
    return cell;
  }

  /** The epoch of a partial, a cut or a range. */
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
    return kind + " of " + cell + ", epoch " + epoch;
  }

  /**
   * The serialized form, version 1: kind, cell, epoch, then the block of a partial, the ranges of a
   * range, or the offsets of the other kinds.
   */
  public static final class Codec implements WireType.Codec<CellMessage> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(CellMessage message, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeByte(message.kind.code);
      message.cell.write(out);
      out.writeLong(message.epoch);
      if (message.kind == Kind.PARTIAL) {
        Block.write(message.block, out);
      } else if (message.kind == Kind.RANGE) {
        message.ranges.write(out);
      } else {
        message.offsets.write(out);
      }
    }

    @Override
    public CellMessage read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "cell message");
      Kind kind = Kind.of(in.readByte());
      Cell cell = Cell.read(in);
      long epoch = in.readLong();
      return switch (kind) {
        case PARTIAL -> partial(cell, epoch, Block.read(in));
        case RANGE -> range(cell, epoch, RowRanges.read(in));
        default -> new CellMessage(kind, cell, epoch, null, Offsets.read(in));
      };
    }
  }
}
