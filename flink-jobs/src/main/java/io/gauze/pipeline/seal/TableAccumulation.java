package io.gauze.pipeline.seal;

import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import java.util.Optional;

/**
 * The accumulation of tables: each release is a snapshot, the exact sum of all changes up to the
 * end of its epoch, with fresh noise in each release.
 */
final class TableAccumulation extends RunningAccumulation {
  private final NewBlocks blocks;

  TableAccumulation(SketchJobSettings settings, CellState state, NewBlocks blocks) {
    super(settings, state);
    this.blocks = blocks;
  }

  @Override
  public Sealing sealing(Cell cell) {
    return epoch -> snapshot(cell, epoch);
  }

  private Optional<byte[]> snapshot(Cell cell, long epoch) throws Exception {
    state().addToTotal(epoch);
    Optional<byte[]> fresh = blocks.create(cell, epoch);
    Optional<byte[]> table = state().total();
    return table.isPresent() ? fresh.map(noise -> Block.sum(noise, table.get())) : fresh;
  }
}
