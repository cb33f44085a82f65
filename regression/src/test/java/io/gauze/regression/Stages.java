package io.gauze.regression;

import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.RowBatch;
import io.gauze.sketch.LinearSketch;

/** From rows to releases in memory, for mechanisms that read rows once or again. */
final class Stages {
  private Stages() {}

  /** Returns the release of the first sketch of a plan. */
  static Release release(StreamPlan plan, RowBatch rows, String epoch, long seed) {
    Randomness randomness = Randomness.insecureForTests(seed);
    Mechanism mechanism = plan.sketches().get(0).mechanism();
    long[] payload =
        payload(mechanism, rows, plan.schema().grid().step(), randomness.entropy(mechanism.name()));
    ReleaseId id =
        new ReleaseId(plan.stream(), ReleaseId.ALL, epoch, plan.sketches().get(0).name());
    return Release.of(plan, id, randomness, payload);
  }

  private static long[] payload(Mechanism mechanism, RowBatch rows, double step, Entropy entropy) {
    LinearSketch<?> first = mechanism.spec().zero();
    mechanism.addNoise(first.state(), 0, entropy);
    first.add(rows);
    return mechanism instanceof RowsMechanism model
        ? model.fit(held(model, rows, step), entropy)
        : mechanism.release(first.state(), entropy);
  }

  /** Returns the rows as a mechanism holds them; here they are clipped before. */
  private static ModelRows held(RowsMechanism model, RowBatch rows, double step) {
    ModelRows held = model.rows();
    double[] scaled = new double[model.spec().dimension()];
    for (int i = 0; i < rows.size(); i++) {
      for (int k = 0; k < scaled.length; k++) {
        scaled[k] = rows.values()[i * scaled.length + k] * step;
      }
      model.add(held, scaled);
    }
    return held;
  }
}
