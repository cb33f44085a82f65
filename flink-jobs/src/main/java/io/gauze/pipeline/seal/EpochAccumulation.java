package io.gauze.pipeline.seal;

import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import java.util.Optional;

/**
 * The accumulation of streams whose releases each hold the rows of one epoch. A block is created by
 * the first partial or by the seal. For a mechanism with its noise in the state, the block is
 * created with that noise and then only added to, so a checkpoint holds a private sketch. For the
 * other mechanisms, the block is an exact sum.
 */
final class EpochAccumulation implements Accumulation {
  private final CellState state;
  private final NewBlocks blocks;

  EpochAccumulation(CellState state, NewBlocks blocks) {
    this.state = state;
    this.blocks = blocks;
  }

  @Override
  public void add(CellMessage partial) throws Exception {
    Optional<byte[]> sum = find(partial.cell(), partial.epoch());
    if (sum.isPresent()) {
      state.putBlock(partial.epoch(), Block.sum(sum.get(), partial.block()));
    }
  }

  /** Drops the partial: no later release holds rows of a sealed epoch. */
  @Override
  public void addLate(CellMessage partial, long next) {}

  @Override
  public Sealing sealing(Cell cell) {
    return epoch -> find(cell, epoch);
  }

  private Optional<byte[]> find(Cell cell, long epoch) throws Exception {
    Optional<byte[]> block = state.block(epoch);
    return block.isPresent() ? block : blocks.create(cell, epoch);
  }
}
