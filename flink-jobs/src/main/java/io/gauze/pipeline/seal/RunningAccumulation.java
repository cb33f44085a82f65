package io.gauze.pipeline.seal;

import io.gauze.stream.CellMessage;
import io.gauze.stream.SketchJobSettings;

/**
 * An accumulation in which each release also holds the rows of the releases before it. The blocks
 * are exact changes, and none may be lost: a late change counts in the next release, if there is
 * one.
 */
abstract class RunningAccumulation implements Accumulation {
  private final SketchJobSettings settings;
  private final CellState state;

  RunningAccumulation(SketchJobSettings settings, CellState state) {
    this.settings = settings;
    this.state = state;
  }

  /** The state of the current key. */
  final CellState state() {
    return state;
  }

  @Override
  public final void add(CellMessage partial) throws Exception {
    add(partial.epoch(), partial);
  }

  @Override
  public final void addLate(CellMessage partial, long next) throws Exception {
    add(next, partial);
  }

  private void add(long epoch, CellMessage partial) throws Exception {
    if (epoch <= settings.lastRelease(settings.schedule())) {
      state.addToBlock(epoch, partial.block());
    }
  }
}
