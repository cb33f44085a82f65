package io.gauze.release;

import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A release by each mechanism that there is, small where its options let it be. */
public final class ReleaseSamples {
  private static final RowSchema SCHEMA = Fixtures.numbers(3, 0.5, 1.5);
  private static final String NAME = "sample";

  private ReleaseSamples() {}

  static Release of(String mechanism) {
    StreamPlan plan = plan(mechanism);
    ReleaseId id = Fixtures.id(NAME);
    int length = ReleaseHeader.of(plan, id, Randomness.SYSTEM).payload().length();
    long[] payload = new SplittableRandom(length).longs(length, -(1L << 40), 1L << 40).toArray();
    return Release.of(plan, id, Randomness.SYSTEM, payload);
  }

  static StreamPlan plan(String mechanism) {
    IllegalArgumentException refused = null;
    for (Map<String, String> options :
        List.of(options(mechanism, true), options(mechanism, false), Map.<String, String>of())) {
      try {
        SketchRequest sketch = new SketchRequest(NAME, mechanism, 1.0, options);
        return StreamPlan.of(Fixtures.request(SCHEMA, Fixtures.BUDGET, sketch));
      } catch (IllegalArgumentException e) {
        refused = e; // the next is less demanding
      }
    }
    throw new AssertionError("no plan for " + mechanism, refused);
  }

  private static Map<String, String> options(String mechanism, boolean small) {
    Map<String, String> options = new TreeMap<>();
    for (MechanismOption option : Mechanisms.options(mechanism)) {
      if (option.kind() == MechanismOption.Kind.COLUMN) {
        options.put(option.name(), "x2");
      } else if (option.kind() == MechanismOption.Kind.WHOLE && small) {
        long value = Math.max(option.least(), Math.min(option.most(), 8));
        options.put(option.name(), Long.toString(value));
      }
    }
    return options;
  }

  /** Returns a release with the same header. */
  public static Release withNumbers(Release release, long... numbers) {
    return new Release(release.header(), numbers);
  }
}
