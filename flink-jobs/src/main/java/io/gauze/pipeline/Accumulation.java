package io.gauze.pipeline;

import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.SketchJobSettings;
import java.util.Optional;
import org.apache.flink.metrics.MetricGroup;

/**
 * What the releases of a stream hold: the rows of one epoch, the current rows of a table, or all
 * rows so far. Works on the state of the current key.
 */
interface Accumulation {
  /** That of a stream. */
  static Accumulation of(SketchJobSettings settings, CellState state, MetricGroup metrics) {
    NewBlocks blocks = new NewBlocks(settings, metrics);
    if (settings.isCumulative()) {
      return new CumulativeAccumulation(settings, state);
    }
    return settings.keepsTable()
        ? new TableAccumulation(settings, state, blocks)
        : new EpochAccumulation(state, blocks);
  }

  /** Adds a partial to its epoch, which is not sealed. */
  void add(CellMessage partial) throws Exception;

  /**
   * Adds a partial whose epoch is sealed, if a later release can hold it.
   *
   * @param next the first epoch that is not sealed
   */
  void addLate(CellMessage partial, long next) throws Exception;

  /** Begins to seal epochs of a cell, one after the other. */
  Sealing sealing(Cell cell);

  /** The seals of one call. */
  @FunctionalInterface
  interface Sealing {
    /** The complete block of an epoch, its noise in it; empty if its release is published. */
    Optional<byte[]> block(long epoch) throws Exception;
  }
}
