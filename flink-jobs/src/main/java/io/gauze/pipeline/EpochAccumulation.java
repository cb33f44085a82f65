package io.gauze.pipeline;

import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import java.util.Optional;

/**
 * Each release holds the rows of its epoch. A block is created with its noise in it, by the first
 * partial or by the seal, and is then only added to: so whatever a checkpoint holds is a private
 * sketch. It is an exact sum for mechanisms whose noise is not in the state.
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

  /** No release can hold it. */
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
