package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.EveryMechanism;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.RangeBudget;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.model.HuberTrack;
import io.gauze.mechanism.model.LogisticModel;
import io.gauze.mechanism.moments.NoisyHistogram;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.papers.AdaptiveRidgeProjection;
import io.gauze.mechanism.papers.FunctionalMoments;
import io.gauze.mechanism.papers.ReweightedModel;
import io.gauze.mechanism.papers.SquaresModel;
import io.gauze.model.IrlsCalibration;
import io.gauze.noise.Randomness;
import io.gauze.row.RowSchema;
import io.gauze.testing.Effort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No part of a stream has an epsilon of its own that is above the stream's, however large delta.
 */
final class PureEpsilonTest {
  private static final RowSchema SCHEMA = Fixtures.numbers(2, 0.5, 1.5);

  /** A large delta, which a part could spend on a larger epsilon; then usual ones. */
  private static final double[][] BUDGETS = {{0.1, 0.1}, {1.0, 0.05}, {1.0, 1e-6}, {3.0, 1e-3}};

  private static final Neighbours[] LITTLE = {Neighbours.REPLACE_ONE};

  /** Composition rounds delta up. */
  private static final double ROUNDED_UP = 1.0 + 1e-12;

  /** The option that chooses the law of the noise, and what it may be. */
  private static final Map<String, List<String>> NOISES =
      Map.of(
          ReweightedModel.NAME, List.of("gaussian", "laplace", "laplace-composed"),
          SquaresModel.NAME, List.of("pure", "gaussian"));

  private static List<SketchRequest> sketches() {
    List<SketchRequest> sketches = new ArrayList<>();
    for (String name : Mechanisms.names()) {
      for (String noise : NOISES.getOrDefault(name, List.of(""))) {
        Map<String, String> options = noise.isEmpty() ? Map.of() : Map.of("noise", noise);
        sketches.add(new SketchRequest("s", name, 1.0, options));
      }
    }
    for (String rounds : List.of("1", "2", "30")) {
      sketches.add(
          new SketchRequest(
              "s",
              ReweightedModel.NAME,
              1.0,
              Map.of("noise", "laplace-composed", "rounds", rounds)));
    }
    return sketches;
  }

  /** Each mechanism by each law of its noise. */
  private static Stream<SketchRequest> all() {
    return sketches().stream();
  }

  /** Alone, beside others, beside counts of ranges, of several rows of a user, of snapshots. */
  private static List<StreamRequest> requests(SketchRequest sketch, Budget budget) {
    StreamRequest alone = Fixtures.request(SCHEMA, budget, sketch).withExpectedRows(10_000);
    if (!Effort.isThorough() && isSlow(StreamPlan.of(alone).costs().get(0))) {
      return List.of(alone);
    }
    SketchRequest same = new SketchRequest("same", sketch.mechanism(), 3.0, sketch.options());
    SketchRequest moments = new SketchRequest("moments", NoisyMoments.NAME, 0.1, Map.of());
    List<StreamRequest> requests =
        new ArrayList<>(
            List.of(
                alone,
                alone.withSketches(List.of(sketch, same)),
                alone.withSketches(List.of(sketch, moments)),
                alone.withRangeShare(0.1),
                alone.withRanges(RangeBudget.ofOwnEpochs(0.1, List.of("x0")))));
    if (EveryMechanism.ofAllUnits().contains(sketch.mechanism())
        && !sketch.mechanism().equals(AdaptiveRidgeProjection.NAME)
        && !sketch.mechanism().startsWith("select-fit")) {
      requests.add(alone.withScope(BudgetScope.keys(3)));
      requests.add(alone.withScope(BudgetScope.users("who", 1)));
    }
    return requests;
  }

  /** Has no epsilon of its own, and takes seconds to be composed. */
  private static boolean isSlow(MechanismCost cost) {
    return cost instanceof MechanismCost.Projection || cost instanceof MechanismCost.Wishart;
  }

  @ParameterizedTest
  @MethodSource("all")
  void noPartExceedsTheStream(SketchRequest sketch) {
    for (double[] numbers : Arrays.copyOf(BUDGETS, Effort.of(1, BUDGETS.length))) {
      for (Neighbours neighbours : Effort.of(LITTLE, Neighbours.values())) {
        Budget budget = new Budget(numbers[0], numbers[1], neighbours);
        for (StreamRequest request : requests(sketch, budget)) {
          StreamPlan plan = StreamPlan.of(request);
          for (SketchPlan part : plan.sketches()) {
            own(part.mechanism().cost())
                .ifPresent(e -> assertThat(e).isLessThanOrEqualTo(budget.epsilon()));
            if (part.mechanism() instanceof ReweightedModel model) {
              own(IrlsCalibration.of(model.irls()).roundCost())
                  .ifPresent(e -> assertThat(e).isLessThanOrEqualTo(budget.epsilon()));
            }
            Map<String, Double> stated = part.mechanism().parameters();
            assertThat(stated.getOrDefault("epsilon", 0.0)).isLessThanOrEqualTo(budget.epsilon());
          }
          keeps(plan);
        }
      }
    }
  }

  private static void keeps(StreamPlan plan) {
    Budget budget = plan.budget();
    List<MechanismCost> costs = new ArrayList<>();
    for (int i = 0; i < plan.request().releases().freshReleases(); i++) {
      costs.addAll(plan.costs());
    }
    if (plan.request().rangesMu() > 0.0) {
      costs.add(new MechanismCost.Gaussian(plan.request().rangesMu()));
    }
    assertThat(Composition.of(budget.neighbours(), costs).delta(budget.epsilon()))
        .isLessThanOrEqualTo(budget.delta() * ROUNDED_UP);
  }

  private static OptionalDouble own(MechanismCost cost) {
    if (cost instanceof MechanismCost.Laplace laplace) {
      return OptionalDouble.of(laplace.epsilon());
    }
    return cost instanceof MechanismCost.Approximate approximate
        ? OptionalDouble.of(approximate.epsilon())
        : OptionalDouble.empty();
  }

  /** A mechanism that is pure has the stream's epsilon to the last bit, and says so. */
  @Test
  void onePureMechanismHasTheStreamsEpsilon() {
    for (SketchRequest sketch :
        List.of(
            new SketchRequest("s", FunctionalMoments.NAME, 1.0, Map.of()),
            new SketchRequest("s", NoisyHistogram.NAME, 1.0, Map.of()),
            new SketchRequest("s", HuberTrack.NAME, 1.0, Map.of()),
            new SketchRequest("s", LogisticModel.NAME, 1.0, Map.of()),
            new SketchRequest("s", SquaresModel.NAME, 1.0, Map.of()),
            new SketchRequest("s", ReweightedModel.NAME, 1.0, Map.of("noise", "laplace")))) {
      Budget budget = new Budget(0.1, 0.1, Neighbours.ADD_REMOVE);
      StreamPlan plan =
          StreamPlan.of(Fixtures.request(SCHEMA, budget, sketch).withExpectedRows(10_000));
      assertThat(own(plan.costs().get(0))).hasValue(0.1);
      assertThat(plan.guarantee(Randomness.SYSTEM).basis())
          .contains("the mechanism has at most this epsilon by itself");
    }
  }

  /** What a part that is held at epsilon leaves is spent by the others. */
  @Test
  void whatAPurePartLeavesGoesToTheOthers() {
    Budget budget = new Budget(0.1, 0.1, Neighbours.ADD_REMOVE);
    SketchRequest pure = new SketchRequest("s", FunctionalMoments.NAME, 1.0, Map.of());
    SketchRequest moments = new SketchRequest("moments", NoisyMoments.NAME, 1.0, Map.of());
    StreamPlan plan = StreamPlan.of(Fixtures.request(SCHEMA, budget, pure, moments));
    assertThat(own(plan.costs().get(0))).hasValue(0.1);
    double mu = ((MechanismCost.Gaussian) plan.costs().get(1)).mu();
    assertThat(mu).isGreaterThan(0.15);
    double delta =
        Composition.of(budget.neighbours(), plan.costs()).delta(budget.epsilon())
            + plan.samplerDelta();
    assertThat(delta).isCloseTo(budget.delta(), within(1e-6));
  }
}
