package io.gauze.pipeline;

import io.gauze.kafka.WireType;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.RowRanges;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A block of a complete epoch, to which nothing is added any more. It holds its noise unless the
 * mechanism adds that at release. Where rows are read twice, it is any part of a release, and there
 * is one without bytes for each part of a release that is already published.
 */
public final class SealedBlock {
  /** The Flink type of these blocks. */
  public static final WireType<SealedBlock> TYPE = WireType.of(SealedBlock.class, Codec.class);

  private final Cell cell;
  private final long epoch;
  private final byte[] block;
  private final RowRanges ranges;

  public SealedBlock(Cell cell, long epoch, byte[] block) {
    this(cell, epoch, block, RowRanges.NONE);
  }

  public SealedBlock(Cell cell, long epoch, byte[] block, RowRanges ranges) {
    this.cell = cell;
    this.epoch = epoch;
    this.block = block;
    this.ranges = ranges;
  }

  /** Returns a part of a release that is already published. */
  public static SealedBlock published(Cell cell, long epoch) {
    return published(cell, epoch, RowRanges.NONE);
  }

  /** Returns a part of a release that is already published, with the ranges of the epoch's rows. */
  public static SealedBlock published(Cell cell, long epoch, RowRanges ranges) {
    return new SealedBlock(cell, epoch, new byte[0], ranges);
  }

  /** Returns this block without the ranges of its rows. */
  public SealedBlock withoutRanges() {
    return ranges.isEmpty() ? this : new SealedBlock(cell, epoch, block);
  }

  public boolean isPublished() {
    return block.length == 0;
  }

  public Cell cell() {
    return cell;
  }

  public long epoch() {
    return epoch;
  }

  /** The bytes of the block; not a copy. */
  public byte[] block() {
    return block;
  }

  /** Where the epoch's rows lie, if they are read twice and this is the first block. */
  public RowRanges ranges() {
    return ranges;
  }

  /** The key that the blocks of one release share. */
  public String releaseKey() {
    return cell.group() + '/' + epoch + '/' + cell.sketch();
  }

  @Override
  public String toString() {
    return "sealed " + cell + ", epoch " + epoch;
  }

  /**
   * The serialized form: cell, epoch, and the block in version 1, or the ranges and the block,
   * perhaps without bytes, in version 2.
   */
  public static final class Codec implements WireType.Codec<SealedBlock> {
    private static final long serialVersionUID = 1L;
    private static final int BLOCK_ONLY = 1;
    private static final int WITH_RANGES = 2;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(SealedBlock sealed, DataOutputView out) throws IOException {
      boolean more = !sealed.ranges.isEmpty() || sealed.isPublished();
      out.writeByte(more ? WITH_RANGES : BLOCK_ONLY);
      sealed.cell.write(out);
      out.writeLong(sealed.epoch);
      if (more) {
        sealed.ranges.write(out);
        out.writeBoolean(sealed.isPublished());
      }
      if (!sealed.isPublished()) {
        Block.write(sealed.block, out);
      }
    }

    @Override
    public SealedBlock read(DataInputView in) throws IOException {
      int version = WireType.Codec.version(in, BLOCK_ONLY, WITH_RANGES, "sealed block");
      Cell cell = Cell.read(in);
      long epoch = in.readLong();
      RowRanges ranges = version == WITH_RANGES ? RowRanges.read(in) : RowRanges.NONE;
      boolean published = version == WITH_RANGES && in.readBoolean();
      return new SealedBlock(cell, epoch, published ? new byte[0] : Block.read(in), ranges);
    }
  }
}
