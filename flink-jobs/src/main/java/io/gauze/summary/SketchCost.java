package io.gauze.summary;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.report.Columns;
import io.gauze.report.Figures;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The privacy cost and the size of one sketch of a stream.
 *
 * @param share the sketch's share of the budget's squared mu, in (0, 1]; the shares add up to 1
 * @param epsilonAlone the epsilon that this sketch would have alone, at the whole delta of the
 *     budget
 * @param sigma the standard deviation of the widest noise, in the encoded scale
 * @param parameters public numbers of the mechanism, by name
 * @param entries the entries of the state; of the release if it is made of rows that are read again
 * @param bytes the bytes of these, eight for each entry
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
  static SketchCost of(StreamPlan plan, SketchPlan sketch) {
    Mechanism mechanism = sketch.mechanism();
    double total = plan.sketches().stream().mapToDouble(SketchPlan::weight).sum();
    int entries = entries(mechanism);
    return new SketchCost(
        sketch.name(),
        mechanism.name(),
        sketch.weight() / total,
        epsilonAlone(mechanism.cost(), plan.budget()),
        mechanism.sigma() * mechanism.stepSize(),
        mechanism.parameters(),
        entries,
        8L * entries);
  }

  private static int entries(Mechanism mechanism) {
    return mechanism instanceof SecondReadingMechanism ofRows
        ? ofRows.payloadLength()
        : mechanism.spec().stateLength();
  }

  /** The columns of a list of sketches. */
  static Columns<SketchCost> columns() {
    return Columns.<SketchCost>create()
        .add("name", "sketch", SketchCost::name)
        .add("mechanism", "mechanism", SketchCost::mechanism)
        .add(
            "share",
            "share of budget",
            SketchCost::share,
            cost -> String.format(Locale.ROOT, "%.1f %%", 100.0 * cost.share()))
        .add(
            "epsilonAlone",
            "epsilon if alone",
            SketchCost::epsilonAlone,
            cost -> Figures.number(cost.epsilonAlone()))
        .add("sigma", "noise deviation", SketchCost::sigma, cost -> Figures.number(cost.sigma()))
        .field("parameters", SketchCost::parameters)
        .add("entries", "numbers", SketchCost::entries)
        .add("bytes", "bytes", SketchCost::bytes);
  }

  // Delta falls as epsilon grows. At the budget's epsilon it is at most the budget's delta, since
  // the cost is a part of the whole.
  private static double epsilonAlone(MechanismCost cost, Budget budget) {
    return Composition.of(budget.neighbours(), List.of(cost)).epsilon(budget.delta());
  }
}
