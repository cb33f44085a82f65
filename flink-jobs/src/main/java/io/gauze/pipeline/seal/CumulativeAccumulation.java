package io.gauze.pipeline.seal;

import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import java.util.Optional;

/**
 * The accumulation of cumulative streams: each release holds all rows up to the end of its epoch.
 * The sums are exact. The noise of all releases is one series, which is drawn release by release
 * and kept until the last one. Then the state of the cell is erased.
 */
final class CumulativeAccumulation extends RunningAccumulation {
  private final SketchJobSettings settings;

  CumulativeAccumulation(SketchJobSettings settings, CellState state) {
    super(settings, state);
    this.settings = settings;
  }

  /**
   * Seals a release again even if it is published: the committer refuses it if its body differs.
   */
  @Override
  public Sealing sealing(Cell cell) {
    CumulativeReleases releases = new CumulativeReleases(settings, cell, state().series());
    return epoch -> Optional.of(release(releases, epoch));
  }

  private byte[] release(CumulativeReleases releases, long epoch) throws Exception {
    releases.begin(epoch);
    state().addToTotal(epoch);
    byte[] block = releases.seal(epoch);
    if (epoch == settings.lastRelease(settings.schedule())) {
      state().clearBlocks();
    }
    return block;
  }
}
