package io.gauze.pipeline.seal;

import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.SketchJobSettings;
import java.util.Optional;
import org.apache.flink.metrics.MetricGroup;

/**
 * A strategy for what the releases of a stream hold: the rows of one epoch, the current rows of a
 * table, or all rows so far. It works on the state of the current key.
 */
interface Accumulation {
  /** Returns the accumulation of a stream. */
  static Accumulation of(SketchJobSettings settings, CellState state, MetricGroup metrics) {
    NewBlocks blocks = new NewBlocks(settings, metrics);
    if (settings.isCumulative()) {
      return new CumulativeAccumulation(settings, state);
    }
    return settings.keepsTable()
        ? new TableAccumulation(settings, state, blocks)
        : new EpochAccumulation(state, blocks);
  }

  /** Adds a partial to its epoch, which must not be sealed. */
  void add(CellMessage partial) throws Exception;

  /**
   * Adds a partial whose epoch is already sealed to a later release, if the stream has one that can
   * hold it.
   *
   * @param next the first epoch that is not sealed
   */
  void addLate(CellMessage partial, long next) throws Exception;

  /** Begins to seal epochs of a cell, one after the other. */
  Sealing sealing(Cell cell);

  /** Seals epochs of one cell during one call of the operator. */
  @FunctionalInterface
  interface Sealing {
    /**
     * Returns the complete block of an epoch, with its noise; empty if the release is already
     * published.
     */
    Optional<byte[]> block(long epoch) throws Exception;
  }
}
