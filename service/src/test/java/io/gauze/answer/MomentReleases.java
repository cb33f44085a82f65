package io.gauze.answer;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SketchUpdater;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Releases of noisy moments of made-up rows, the same for the same arguments. */
final class MomentReleases {
  private MomentReleases() {}

  /**
   * Makes a release.
   *
   * @param plan of a stream with a sketch of noisy moments under the id's name
   * @param row makes a row
   */
  static Release of(
      StreamPlan plan,
      ReleaseId id,
      long seed,
      int rows,
      Function<SplittableRandom, Map<String, Object>> row) {
    Mechanism mechanism = plan.sketch(id.sketch()).mechanism();
    LinearSketch<?> sketch = mechanism.spec().zero();
    addRows(sketch, plan.schema(), seed, rows, row);
    long[] state = sketch.state();
    Randomness randomness = Randomness.insecureForTests(seed);
    Entropy entropy = randomness.entropy("noise");
    mechanism.addNoise(state, 0, entropy);
    return Release.of(plan, id, randomness, mechanism.release(state, entropy));
  }

  private static void addRows(
      LinearSketch<?> sketch,
      RowSchema schema,
      long seed,
      int count,
      Function<SplittableRandom, Map<String, Object>> row) {
    SplittableRandom random = new SplittableRandom(seed);
    SketchUpdater rows = new SketchUpdater(schema, RowHasher.create(random::nextLong), sketch);
    try {
      for (int i = 0; i < count; i++) {
        rows.insert("row " + i, row.apply(random));
      }
    } catch (RowRejectedException e) {
      throw new IllegalStateException(e);
    }
  }
}
