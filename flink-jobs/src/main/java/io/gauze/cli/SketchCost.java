package io.gauze.cli;

import io.gauze.privacy.Budget;
import io.gauze.privacy.GaussianDp;
import io.gauze.release.AdditiveMechanism;
import io.gauze.release.SketchPlan;
import io.gauze.release.StreamPlan;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one sketch of a stream spends and weighs.
 *
 * @param share of the budget's squared mu, in (0, 1]; the shares add up to 1
 * @param epsilonAlone the epsilon that this sketch would have alone, at the whole delta of the
 *     budget
 * @param sigma the standard deviation of the widest noise, in the encoded scale
 * @param parameters public numbers of the mechanism, by name
 * @param entries of the state
 * @param bytes of the state, eight for each entry
 */
record SketchCost(
    String name,
    String mechanism,
    double share,
    double epsilonAlone,
    double sigma,
    Map<String, Double> parameters,
    int entries,
    long bytes) {
  private static final double PRECISION = 1e-6;

  static SketchCost of(StreamPlan plan, SketchPlan sketch) {
    AdditiveMechanism mechanism = sketch.mechanism();
    double total = plan.sketches().stream().mapToDouble(SketchPlan::weight).sum();
    int entries = mechanism.spec().stateLength();
    return new SketchCost(
        sketch.name(),
        mechanism.name(),
        sketch.weight() / total,
        epsilonAlone(mechanism.mu(), plan.budget()),
        mechanism.sigma() * mechanism.unit(),
        mechanism.parameters(),
        entries,
        8L * entries);
  }

  /** For programs. */
  Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", name);
    all.put("mechanism", mechanism);
    all.put("share", share);
    all.put("epsilonAlone", epsilonAlone);
    all.put("sigma", sigma);
    all.put("parameters", parameters);
    all.put("entries", entries);
    all.put("bytes", bytes);
    return all;
  }

  // Delta falls as epsilon grows, and at the budget's epsilon it is at most the budget's delta,
  // since mu is a part of the whole.
  private static double epsilonAlone(double mu, Budget budget) {
    double low = 0.0;
    double high = budget.epsilon();
    while (high - low > PRECISION * high) {
      double middle = 0.5 * (low + high);
      if (GaussianDp.delta(middle, mu) <= budget.delta()) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
