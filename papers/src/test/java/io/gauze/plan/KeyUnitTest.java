package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.PrivacyUnit;
import io.gauze.accounting.UnitKind;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerLines;
import io.gauze.ledger.LedgerPosition;
import io.gauze.ledger.LedgerRequest;
import io.gauze.ledger.LedgerTerms;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.EveryMechanism;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.NoiseAtRelease;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.ReleaseSchedule;
import io.gauze.mechanism.Rows;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.regression.FitInput;
import io.gauze.release.Release;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.testing.Effort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of a changelog, of whose table there are K snapshots. */
final class KeyUnitTest {
  private static final double DELTA = 1e-6;
  private static final RowSchema SCHEMA = Fixtures.numbers(2, 0.5, 1.5);
  private static final String HASH = "0".repeat(64);

  /** Of what the unit decides otherwise: the rows of a table are read once. */
  private static final Map<String, Map<String, String>> OPTIONS =
      Map.of("select-fit", Map.of("readings", "1"));

  private static StreamPlan plan(int snapshots, Neighbours neighbours, String... mechanisms) {
    return plan(BudgetScope.keys(snapshots), neighbours, mechanisms);
  }

  private static StreamPlan plan(BudgetScope unit, Neighbours neighbours, String... mechanisms) {
    List<SketchRequest> sketches = new ArrayList<>();
    for (String mechanism : mechanisms) {
      Map<String, String> options = OPTIONS.getOrDefault(mechanism, Map.of());
      sketches.add(new SketchRequest(mechanism, mechanism, 1.0 + sketches.size(), options));
    }
    SketchRequest[] all = sketches.toArray(SketchRequest[]::new);
    return StreamPlan.of(
        Fixtures.request(SCHEMA, new Budget(1.0, DELTA, neighbours), all).withScope(unit));
  }

  static List<String> mechanisms() {
    return EveryMechanism.ofAllUnits();
  }

  @ParameterizedTest
  @MethodSource("mechanisms")
  void oneSnapshotCostsWhatARowDoes(String mechanism) {
    for (Neighbours neighbours : Neighbours.values()) {
      StreamPlan row = plan(BudgetScope.ROWS, neighbours, mechanism);
      StreamPlan key = plan(1, neighbours, mechanism);
      assertThat(key.costs()).isEqualTo(row.costs());
      assertThat(key.samplerDelta()).isEqualTo(row.samplerDelta());
      Mechanism one = key.sketch(mechanism).mechanism();
      Mechanism other = row.sketch(mechanism).mechanism();
      assertThat(one.noiseInState()).isFalse();
      assertThat(one.sigma()).isEqualTo(other.sigma());
      assertThat(one.parameters()).isEqualTo(other.parameters());
      assertThat(one.noiseLaw()).isEqualTo(other.noiseLaw());
    }
  }

  /** Gaussians have a closed form: mu / sqrt K each, with the weights' shares of mu^2. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 24, 1000, 10_000})
  void snapshotsOfGaussiansComposeToTheBudget(int snapshots) {
    double mu = GaussianDp.mu(1.0, DELTA);
    StreamPlan plan = plan(snapshots, Neighbours.ADD_REMOVE, "noisy-moments", "count-sketch");
    for (int i = 0; i < 2; i++) {
      double one = ((MechanismCost.Gaussian) plan.costs().get(i)).mu();
      double share = mu * Math.sqrt((i + 1.0) / 3.0 / snapshots);
      assertThat(one / share).isBetween(1.0 - 1e-9, 1.0);
      Mechanism mechanism = plan.sketches().get(i).mechanism();
      double sensitivity = mechanism.parameters().get("sensitivity");
      assertThat(sensitivity / (mechanism.sigma() * mechanism.stepSize()))
          .isCloseTo(share, within(1e-9 * share));
    }
    assertThat(plan.samplerDelta() / plan.samplerDistance() / snapshots)
        .isCloseTo(1.0 + Math.E, within(1e-12));
  }

  /** Every kind alone, and Gaussian, Laplace and a projection together. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void snapshotsOfAnyKindComposeToTheBudget(Neighbours neighbours) {
    Effort.skipIfLong(neighbours == Neighbours.ADD_REMOVE);
    List<StreamPlan> plans = new ArrayList<>();
    plans.add(plan(24, neighbours, "noisy-moments", "histogram", "jl"));
    plans.add(plan(1000, neighbours, "histogram"));
    for (String mechanism : EveryMechanism.ofAllUnits()) {
      plans.add(plan(3, neighbours, mechanism));
    }
    for (StreamPlan plan : plans) {
      double spent =
          composed(plan, plan.request().releases().freshReleases()) + plan.samplerDelta();
      assertThat(spent / DELTA).isBetween(1.0 - 1e-6, 1.0);
      assertThat(composed(plan, plan.request().releases().freshReleases() + 1))
          .isGreaterThan(DELTA);
    }
  }

  private static double composed(StreamPlan plan, int times) {
    Map<MechanismCost, Integer> costs = new LinkedHashMap<>();
    plan.costs().forEach(cost -> costs.merge(cost, times, Integer::sum));
    return Composition.of(plan.budget().neighbours(), costs).delta(1.0);
  }

  /**
   * Exactly K snapshots fit, and rounding refuses none; not one more, whatever the total budget.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 24, 1000})
  void theLedgerTakesKSnapshotsAndNoMore(int snapshots) {
    Effort.skipIfLong(snapshots == 1 || snapshots == 24);
    List<StreamPlan> plans = new ArrayList<>();
    plans.add(plan(snapshots, Neighbours.ADD_REMOVE, "noisy-moments"));
    plans.add(plan(snapshots, Neighbours.REPLACE_ONE, "count-sketch", "ada-ssp", "multilevel-l1"));
    plans.add(plan(snapshots, Neighbours.ADD_REMOVE, "histogram"));
    if (snapshots < 1000) { // some seconds
      plans.add(plan(snapshots, Neighbours.ADD_REMOVE, "jl", "wishart"));
      plans.add(plan(snapshots, Neighbours.REPLACE_ONE, "jl", "histogram", "noisy-moments"));
    }
    for (StreamPlan plan : plans) {
      LedgerBook before = book(plan, snapshots - 1);
      assertThat(before.refusal(charge(plan, snapshots, 1.0))).isEmpty();
      LedgerBook all = book(plan, snapshots);
      assertThat(all.refusal(charge(plan, snapshots, 1.0))).isEmpty();
      assertThat(all.refusal(charge(plan, 1, 1.0))).isEmpty();
      for (double totalBudget : new double[] {1.0, 50.0}) {
        assertThat(all.refusal(charge(plan, snapshots + 1, totalBudget)).orElseThrow().line())
            .startsWith(
                "GZ-SNAPSHOTS: Stream wine has no snapshot left: those in the ledger have spent its"
                    + " epsilon of 1. Start a new series under another stream name,");
      }
    }
  }

  /** What other streams spend counts beside it, in full. */
  @Test
  void otherStreamsAddUp() {
    StreamPlan plan = plan(24, Neighbours.REPLACE_ONE, "noisy-moments");
    LedgerBook book = book(plan, 24);
    Guarantee one = plan.guarantee(Randomness.SYSTEM);
    assertThat(book.refusal(LedgerLines.charge("beer", one, "rows", 1.46))).isEmpty();
    assertThat(book.refusal(LedgerLines.charge("beer", one, "rows", 1.45)).orElseThrow().details())
        .startsWith("Spent: epsilon 1 (stream wine); asked: 1 (stream beer); together at delta")
        .endsWith(": 1.45468.");
  }

  private static LedgerBook book(StreamPlan plan, int snapshots) {
    List<LedgerPosition> lines = new ArrayList<>();
    for (int i = 1; i <= snapshots; i++) {
      for (SketchPlan sketch : plan.sketches()) {
        LedgerRequest charge = charge(plan, i, 50.0);
        LedgerEntry entry =
            new LedgerEntry(
                new ReleaseId("wine", "all", Integer.toString(i), sketch.name()),
                HASH,
                LedgerEntry.State.PUBLISHED,
                HASH,
                charge.guarantee(),
                charge.terms());
        lines.add(new LedgerPosition(entry, 0, lines.size()));
      }
    }
    return LedgerBook.of(lines);
  }

  private static LedgerRequest charge(StreamPlan plan, int snapshot, double totalBudget) {
    ReleaseId id = new ReleaseId("wine", "all", Integer.toString(snapshot), "any");
    Budget limit = new Budget(totalBudget, DELTA, plan.budget().neighbours());
    return LedgerRequest.of(
        id, HASH, plan.guarantee(Randomness.SYSTEM), LedgerTerms.of(plan, "rows", limit));
  }

  /** The state stays exact, and each release has noise of its own: that of the mechanism itself. */
  @ParameterizedTest
  @MethodSource("mechanisms")
  void eachSnapshotHasFreshNoise(String name) {
    StreamPlan plan = plan(2, Neighbours.ADD_REMOVE, name);
    Mechanism mechanism = plan.sketch(name).mechanism();
    LinearSketch<?> table = mechanism.spec().zero();
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 50; i++) {
      RowTag tag = new RowTag();
      tag.set(random.nextLong(), random.nextLong());
      table.add(tag, Rows.random(random, SCHEMA), 1);
    }
    long[] state = table.state().clone();
    mechanism.addNoise(state, 0, Randomness.SYSTEM.entropy("none"));
    assertThat(state).isEqualTo(table.state());
    Randomness seeded = Randomness.insecureForTests(4);
    long[] first = mechanism.release(state.clone(), seeded.entropy("first"));
    long[] second = mechanism.release(state.clone(), seeded.entropy("second"));
    assertThat(first).isNotEqualTo(second);
    assertThat(mechanism.release(state.clone(), seeded.entropy("first"))).isEqualTo(first);
    if (mechanism instanceof NoiseAtRelease late) {
      long[] born = state.clone();
      late.inner().addNoise(born, 0, seeded.entropy("first"));
      assertThat(first).isEqualTo(born);
      assertThat(Arrays.mismatch(first, state)).isNotNegative();
    }
  }

  @Test
  void oneProjectionOfTwoTablesIsRefused() {
    SketchRequest sketch = new SketchRequest("s", "jl", 1.0, Map.of("state", "projection"));
    StreamRequest request = Fixtures.request(SCHEMA, Fixtures.BUDGET, sketch);
    assertThat(StreamPlan.of(request).sketches()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request.withScope(BudgetScope.keys(1))))
        .withMessage(
            "sketch s: state must be moments for unit key, since two tables under one projection"
                + " give away how they differ. Provided value: projection");
  }

  @Test
  void snapshotsAreInTheirRange() {
    for (int snapshots : new int[] {0, 10_001}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BudgetScope.keys(snapshots))
          .withMessage("snapshots must be in [1, 10000]. Provided value: " + snapshots);
    }
  }

  @Test
  void theGuaranteeSaysWhatIsProtected() {
    Guarantee guarantee =
        plan(24, Neighbours.ADD_REMOVE, "noisy-moments").guarantee(Randomness.SYSTEM);
    assertThat(guarantee.unit()).isEqualTo(UnitKind.KEY);
    assertThat(guarantee.sentence())
        .startsWith(
            "Differentially private with epsilon 1.0 and delta 1.0E-6 for each key (add-remove): if"
                + " one key with its whole history is added or removed, the probability of anything"
                + " that all releases of this stream together can show changes by a factor of at"
                + " most 2.718, and by 1.0E-6 on top of that. This assumes")
        .contains("a key has one row at most, 24 times, each with noise of its own")
        .endsWith(
            "NOT COVERED: a checkpoint or savepoint holds the exact sums of all sketches without"
                + " noise, and of each key, by a hash, its row and when it changed last, also after"
                + " a deletion, and secret seeds; protect it like the rows.");
    assertThat(
            plan(24, Neighbours.REPLACE_ONE, "noisy-moments")
                .guarantee(Randomness.SYSTEM)
                .promise())
        .contains("if one key has its whole history replaced by any other, or by none, the");
  }

  @Test
  void aScopeRefusesReleasesThatDoNotFitItsUnit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BudgetScope(new PrivacyUnit.Key(), new ReleaseSchedule.PerEpoch()))
        .withMessage("unit of an epoch must be one of [row, user]. Provided value: key");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BudgetScope(new PrivacyUnit.Row(), new ReleaseSchedule.Snapshots(2)))
        .withMessage("unit of all 2 snapshots must be one of [key]. Provided value: row");
    PrivacyUnit user = new PrivacyUnit.User("id", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BudgetScope(user, new ReleaseSchedule.CumulativeSums(2)))
        .withMessage(
            "unit of all 2 cumulative releases must be one of [row]. Provided value: user");
  }

  /** A release of either unit is read back, and known by the plan it is of. */
  @Test
  void releasesKeepTheirUnit() {
    for (BudgetScope unit :
        List.of(BudgetScope.keys(24), BudgetScope.users("customer", 3), BudgetScope.ROWS)) {
      StreamPlan plan = plan(unit, Neighbours.ADD_REMOVE, "noisy-moments");
      Mechanism mechanism = plan.sketches().get(0).mechanism();
      long[] state = mechanism.spec().zero().state();
      Release release =
          Release.of(
              plan,
              new ReleaseId("wine", "all", "1", "noisy-moments"),
              Randomness.SYSTEM,
              mechanism.release(state, Randomness.SYSTEM.entropy("n")));
      Release read = Release.fromBytes(release.toBytes());
      assertThat(read).isEqualTo(release);
      assertThat(read.guarantee().unit()).isEqualTo(unit.unit().kind());
      assertThat(read.guarantee().sentence()).isEqualTo(release.guarantee().sentence());
      assertThat(read.isOf(plan)).isTrue();
      assertThat(read.isOf(plan(BudgetScope.keys(25), Neighbours.ADD_REMOVE, "noisy-moments")))
          .isFalse();
    }
  }

  /** They hold the same rows. */
  @Test
  void snapshotsAreNotMerged() {
    StreamPlan plan = plan(2, Neighbours.ADD_REMOVE, "noisy-moments");
    Mechanism mechanism = plan.sketches().get(0).mechanism();
    List<Release> releases = new ArrayList<>();
    for (String epoch : List.of("1", "2")) {
      long[] state = mechanism.spec().zero().state();
      long[] payload = mechanism.release(state, Randomness.SYSTEM.entropy(epoch));
      ReleaseId id = new ReleaseId("wine", "all", epoch, "noisy-moments");
      releases.add(Release.of(plan, id, Randomness.SYSTEM, payload));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FitInput.of(releases))
        .withMessageStartingWith("snapshots of a table hold the same rows and cannot be merged;");
  }
}
