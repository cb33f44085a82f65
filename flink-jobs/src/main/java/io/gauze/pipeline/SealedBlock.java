package io.gauze.pipeline;

import io.gauze.kafka.WireType;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A block of a complete epoch, to which nothing is added any more. It holds its noise unless the
 * mechanism adds that at release.
 */
public final class SealedBlock {
  /** The Flink type of these blocks. */
  public static final WireType<SealedBlock> TYPE = WireType.of(SealedBlock.class, Codec.class);

  private final Cell cell;
  private final long epoch;
  private final byte[] block;

  SealedBlock(Cell cell, long epoch, byte[] block) {
    this.cell = cell;
    this.epoch = epoch;
    this.block = block;
  }

  Cell cell() {
    return cell;
  }

  long epoch() {
    return epoch;
  }

  /** The bytes of the block; not a copy. */
  byte[] block() {
    return block;
  }

  /** The key that the blocks of one release share. */
  public String releaseKey() {
    return cell.group() + '/' + epoch + '/' + cell.sketch();
  }

  @Override
  public String toString() {
    return "sealed " + cell + ", epoch " + epoch;
  }

  /** The serialized form, version 1: cell, epoch, block. */
  public static final class Codec implements WireType.Codec<SealedBlock> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(SealedBlock sealed, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      sealed.cell.write(out);
      out.writeLong(sealed.epoch);
      Block.write(sealed.block, out);
    }

    @Override
    public SealedBlock read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "sealed block");
      return new SealedBlock(Cell.read(in), in.readLong(), Block.read(in));
    }
  }
}
