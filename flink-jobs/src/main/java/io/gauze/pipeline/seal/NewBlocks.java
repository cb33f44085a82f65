package io.gauze.pipeline.seal;

import io.gauze.plan.SketchPlan;
import io.gauze.stream.Cell;
import io.gauze.stream.NoiseInjection;
import io.gauze.stream.SketchJobSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Creates new blocks, with the noise of mechanisms that keep it in the state, unless the release is
 * already published.
 */
final class NewBlocks {
  private final SketchJobSettings settings;
  private final Map<String, SketchPlan> plans = new HashMap<>();
  private final Counter skipped;

  NewBlocks(SketchJobSettings settings, MetricGroup metrics) {
    this.settings = settings;
    settings.plan().sketches().forEach(plan -> plans.put(plan.name(), plan));
    skipped = metrics.counter("skippedBlocks");
  }

  /**
   * Returns a new block; empty, and counted, if its release was published before this job began.
   */
  Optional<byte[]> create(Cell cell, long epoch) {
    if (settings.isPublished(cell, epoch)) {
      skipped.inc();
      return Optional.empty();
    }
    return Optional.of(
        NoiseInjection.newBlock(
            plans.get(cell.sketch()),
            cell.block(),
            settings.releaseId(cell, epoch),
            settings.randomness()));
  }
}
