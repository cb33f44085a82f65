package io.gauze.pipeline;

import io.gauze.release.SketchPlan;
import io.gauze.release.StreamPlan;
import io.gauze.row.EncodedRow;
import io.gauze.sketch.LinearSketch;
import java.util.LinkedHashMap;
import java.util.Map;

/** One subtask's un-noised sketches of one epoch since the last flush: lives in memory only. */
final class PartialEpoch {
  private final long epoch;
  private final Map<String, LinearSketch<?>> byName = new LinkedHashMap<>();
  private final LinearSketch<?>[] sketches;
  private final long bytes;

  PartialEpoch(long epoch, StreamPlan plan) {
    this.epoch = epoch;
    long size = 0;
    for (SketchPlan sketch : plan.sketches()) {
      byName.put(sketch.name(), sketch.mechanism().spec().zero());
      size += (long) Long.BYTES * sketch.mechanism().spec().stateLength();
    }
    sketches = byName.values().toArray(new LinearSketch<?>[0]);
    bytes = size;
  }

  long epoch() {
    return epoch;
  }

  /** The memory of the states. */
  long bytes() {
    return bytes;
  }

  void add(long rowHash, EncodedRow row) {
    for (LinearSketch<?> sketch : sketches) {
      sketch.add(rowHash, row, 1);
    }
  }

  /** The bytes of the cell's part of its sketch. */
  byte[] block(Cell cell) {
    long[] state = byName.get(cell.sketch()).state();
    return Block.of(state, Block.from(cell.block()), Block.length(cell.block(), state.length));
  }
}
