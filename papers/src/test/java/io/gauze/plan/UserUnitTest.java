package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.EveryMechanism;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.Rows;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.papers.AdaSsp;
import io.gauze.mechanism.papers.LeastEigenvalue;
import io.gauze.noise.Randomness;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Users with up to k rows in an epoch. */
final class UserUnitTest {
  private static final int ROWS = 4;
  private static final int CELLS = 3;
  private static final double BOUND = 1.5;
  private static final RowSchema SCHEMA = Fixtures.numbers(2, 0.5, BOUND);
  private static final List<String> ONE_ROW =
      List.of("jl", "jl-unregularised", "wishart", "inverse-wishart");
  private static final Map<String, Map<String, String>> OPTIONS =
      Map.of(
          "count-sketch", Map.of("buckets", "4"),
          "multilevel-l1",
              Map.of("rows", "6", "levels", "2", "samplingBase", "2", "level0Buckets", "2"),
          "stratified-moments", Map.of("strata", "2"),
          "select-fit", Map.of("readings", "1"),
          "histogram", Map.of("bins", "3"));

  private static StreamPlan plan(String mechanism, Neighbours neighbours, BudgetScope unit) {
    return plan(SCHEMA, mechanism, neighbours, unit);
  }

  private static StreamPlan plan(
      RowSchema schema, String mechanism, Neighbours neighbours, BudgetScope unit) {
    SketchRequest sketch =
        new SketchRequest("s", mechanism, 1.0, OPTIONS.getOrDefault(mechanism, Map.of()));
    return StreamPlan.of(
        Fixtures.request(schema, new Budget(1.0, 1e-6, neighbours), sketch).withScope(unit));
  }

  private static BudgetScope user(int rows) {
    return BudgetScope.users("customer", rows);
  }

  static List<String> mechanisms() {
    return EveryMechanism.ofAllUnits();
  }

  /**
   * All that take several rows of a user but those of several parts, which have their own tests.
   */
  static List<String> linear() {
    List<String> names = EveryMechanism.ofAllUnits();
    names.removeAll(ONE_ROW);
    names.remove("ada-ssp");
    names.remove("select-fit"); // see SelectFitTest
    names.removeAll(Mechanisms.models()); // see the tests of each
    return names;
  }

  @ParameterizedTest
  @MethodSource("mechanisms")
  void aUserOfOneRowIsARow(String mechanism) {
    for (Neighbours neighbours : Neighbours.values()) {
      StreamPlan row = plan(mechanism, neighbours, BudgetScope.ROWS);
      StreamPlan one = plan(mechanism, neighbours, user(1));
      assertThat(one.sketches()).isEqualTo(row.sketches());
      assertThat(one.samplerDistance()).isEqualTo(row.samplerDistance());
      assertThat(one.series("PT1H")).isNotEqualTo(row.series("PT1H"));
    }
  }

  /** Noise grows by k, whatever the mechanism but AdaSSP; samplers are paid for in k cells. */
  @ParameterizedTest
  @MethodSource("linear")
  void noiseIsLinearInTheRows(String mechanism) {
    for (Neighbours neighbours : Neighbours.values()) {
      StreamPlan row = plan(mechanism, neighbours, BudgetScope.ROWS);
      for (int k : new int[] {2, 7, 100}) {
        StreamPlan user = plan(mechanism, neighbours, user(k));
        double ratio = mechanismOf(user).sigma() / mechanismOf(row).sigma();
        assertThat(ratio / k).isCloseTo(1.0, within(1e-9));
        assertThat(user.samplerDistance()).isEqualTo(k * row.samplerDistance());
      }
    }
  }

  /** Its eigenvalue has noise for what doubles are off by, too, whatever k. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void noiseOfAdaSspIsLinearInTheRows(Neighbours neighbours) {
    StreamPlan plan = plan("ada-ssp", neighbours, BudgetScope.ROWS);
    AdaSsp row = (AdaSsp) mechanismOf(plan);
    double square = BOUND * BOUND / row.stepSize();
    double computing = LeastEigenvalue.spread(row.spec().dimension() - 1);
    for (int k : new int[] {2, 7, 100}) {
      StreamPlan users = plan("ada-ssp", neighbours, user(k));
      AdaSsp user = (AdaSsp) mechanismOf(users);
      double moments = user.moments().diagonal().sigma() / row.moments().diagonal().sigma();
      assertThat(moments / k).isCloseTo(1.0, within(1e-9));
      double products = user.products().sigma() / row.products().sigma();
      assertThat(products / k).isCloseTo(1.0, within(1e-9));
      double eigenvalue = user.eigenvalue().sigma() / row.eigenvalue().sigma();
      double expected = (k * square + computing) / (square + computing);
      assertThat(eigenvalue / expected).isCloseTo(1.0, within(1e-9));
      assertThat(users.samplerDistance()).isEqualTo(k * plan.samplerDistance());
    }
  }

  /** k rows of norm B change moments as one row of norm B sqrt k. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void momentsOfManyRowsAreThoseOfALongerRow(Neighbours neighbours) {
    isOfALongerRow(SCHEMA, Fixtures.numbers(8, 1.0, 2.0 * BOUND), neighbours); // no row is longer
    isOfALongerRow(
        Fixtures.numbers(9, 0.5, BOUND), Fixtures.numbers(20, 0.5, 2.0 * BOUND), neighbours);
  }

  private static void isOfALongerRow(RowSchema schema, RowSchema longer, Neighbours neighbours) {
    NoisyMoments user =
        (NoisyMoments) mechanismOf(plan(schema, "noisy-moments", neighbours, user(4)));
    NoisyMoments row =
        (NoisyMoments) mechanismOf(plan(longer, "noisy-moments", neighbours, BudgetScope.ROWS));
    // but for the rounding of the unit of lost weight
    assertThat(user.sensitivity() / row.sensitivity()).isCloseTo(1.0, within(1e-8));
    double sigma = user.sigma() * user.stepSize();
    assertThat(sigma / (row.sigma() * row.stepSize())).isCloseTo(1.0, within(1e-8));
  }

  private static Mechanism mechanismOf(StreamPlan plan) {
    return plan.sketch("s").mechanism();
  }

  /**
   * Up to k rows of a user in any cells, in place of none or of up to k others: the states of all
   * cells together move by at most the sensitivity, in the norm in which the noise is round. Worst
   * cases attain it.
   */
  @ParameterizedTest
  @MethodSource("linear")
  void usersAreWithinTheSensitivity(String name) {
    for (Neighbours neighbours : Neighbours.values()) {
      Mechanism mechanism = mechanismOf(plan(name, neighbours, user(ROWS)));
      double allowed = mechanism.parameters().get("sensitivity");
      SplittableRandom random = new SplittableRandom(5);
      double largest = 0.0;
      for (int i = 0; i < 3000; i++) {
        Cells cells = new Cells(mechanism);
        cells.add(random, random.nextInt(ROWS + 1), 1);
        if (neighbours == Neighbours.REPLACE_ONE) {
          cells.add(random, random.nextInt(ROWS + 1), -1);
        }
        double distance = cells.distance();
        assertThat(distance).isLessThanOrEqualTo(allowed * (1.0 + 1e-12));
        largest = Math.max(largest, distance);
      }
      assertThat(largest).isGreaterThan(0.2 * allowed);
      assertThat(worst(mechanism, neighbours)).isBetween(0.999 * allowed, allowed);
    }
  }

  /** The same rows k times, in place of k others in another cell, or of their opposites. */
  private static double worst(Mechanism mechanism, Neighbours neighbours) {
    return Math.max(worst(mechanism, neighbours, false), worst(mechanism, neighbours, true));
  }

  private static double worst(Mechanism mechanism, Neighbours neighbours, boolean opposites) {
    double worst = 0.0;
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 100; i++) { // in one of eight, a row of levels is in all that it can be in
      Cells cells = new Cells(mechanism);
      RowTag tag = new RowTag();
      tag.set(random.nextLong(), random.nextLong());
      for (int k = 0; k < ROWS; k++) {
        cells.sums.get(0).add(tag, longest(mechanism, 1), 1);
        if (neighbours == Neighbours.REPLACE_ONE) {
          cells.sums.get(opposites ? 0 : 1).add(tag, longest(mechanism, opposites ? -1 : 1), -1);
        }
      }
      worst = Math.max(worst, cells.distance());
    }
    return worst;
  }

  /** Of norm B, along the second axis; for l1 norms of equal entries as far as B allows. */
  private static EncodedRow longest(Mechanism mechanism, int sign) {
    double step = SCHEMA.grid().step();
    if (!mechanism.name().equals("functional")) {
      return Rows.of(0, sign * (int) (BOUND / step), 0);
    }
    // c0 = 0.5 and both columns 1: sums of sizes 2.5, of squares 2.25 = B^2
    int one = (int) (1.0 / step);
    return Rows.of(one / 2, one, one);
  }

  /** What a user changes in each of some groups. */
  private static final class Cells {
    private final Mechanism mechanism;
    private final List<LinearSketch<?>> sums = new ArrayList<>();

    Cells(Mechanism mechanism) {
      this.mechanism = mechanism;
      for (int i = 0; i < CELLS; i++) {
        sums.add(mechanism.spec().zero());
      }
    }

    void add(SplittableRandom random, int rows, int sign) {
      int some = random.nextInt(1, CELLS + 1);
      for (int i = 0; i < rows; i++) {
        RowTag tag = new RowTag();
        tag.set(random.nextLong(), random.nextLong());
        sums.get(random.nextInt(some)).add(tag, Rows.random(random, SCHEMA), sign);
      }
    }

    double distance() {
      boolean absolute = !(mechanism instanceof AdditiveMechanism);
      double sum = 0.0;
      for (LinearSketch<?> cell : sums) {
        long[] state = cell.state();
        for (int k = 0; k < state.length; k++) {
          double each = state[k] * mechanism.stepSize();
          sum += absolute ? Math.abs(each) : square(each, k);
        }
      }
      return absolute ? sum : Math.sqrt(sum);
    }

    private double square(double entry, int index) {
      AdditiveMechanism gaussian = (AdditiveMechanism) mechanism;
      double scaled = entry * gaussian.sigma() / gaussian.noiseScale(index);
      return scaled * scaled;
    }
  }

  /**
   * The three parts of AdaSSP together spend at most mu, over all cells. A user who moves all rows
   * along the least eigenvector from one cell to another attains it.
   */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void adaSspSpendsNoMoreThanItSays(Neighbours neighbours) {
    AdaSsp mechanism = (AdaSsp) mechanismOf(plan("ada-ssp", neighbours, user(ROWS)));
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 3000; i++) {
      Cells with = new Cells(mechanism);
      for (LinearSketch<?> cell : with.sums) { // others' rows
        for (int j = random.nextInt(12); j > 0; j--) {
          cell.add(new RowTag(), Rows.random(random, SCHEMA), 1);
        }
      }
      List<long[]> others = with.sums.stream().map(cell -> cell.state().clone()).toList();
      with.add(random, random.nextInt(ROWS + 1), 1);
      Cells other = new Cells(mechanism);
      if (neighbours == Neighbours.REPLACE_ONE) {
        other.add(random, random.nextInt(ROWS + 1), 1);
      }
      double spent = 0.0;
      for (int c = 0; c < CELLS; c++) {
        long[] second = other.sums.get(c).state();
        for (int k = 0; k < second.length; k++) {
          second[k] += others.get(c)[k];
        }
        spent += spent(mechanism, with.sums.get(c).state(), second);
      }
      assertThat(Math.sqrt(spent)).isLessThanOrEqualTo(mechanism.mu() * (1.0 + 1e-12));
    }
    if (neighbours == Neighbours.REPLACE_ONE) {
      long[] poor = mechanism.spec().zero().state();
      SecondMomentsSpec spec = mechanism.spec();
      poor[spec.index(0, 0)] = 1L << 50;
      long[] rich = poor.clone();
      long square = (long) (BOUND * BOUND / mechanism.stepSize());
      rich[spec.index(1, 1)] = ROWS * square;
      double spent = spent(mechanism, rich, poor) + spent(mechanism, poor, rich);
      assertThat(Math.sqrt(spent)).isBetween(0.999 * mechanism.mu(), mechanism.mu());
    }
  }

  /** The squared mu of one cell. */
  private static double spent(AdaSsp mechanism, long[] first, long[] second) {
    SecondMomentsSpec spec = mechanism.spec();
    int response = mechanism.response();
    double moments = 0.0;
    double products = 0.0;
    for (int i = 0; i < spec.dimension(); i++) {
      for (int j = 0; j < spec.dimension(); j++) {
        double change = first[spec.index(i, j)] - second[spec.index(i, j)];
        moments += i != response && j != response ? change * change : 0.0;
        products += i != response && j == response ? change * change : 0.0;
      }
    }
    double eigenvalue =
        Math.floor(LeastEigenvalue.of(spec, first, response))
            - Math.floor(LeastEigenvalue.of(spec, second, response));
    return moments / Math.pow(mechanism.moments().diagonal().sigma(), 2)
        + products / Math.pow(mechanism.products().sigma(), 2)
        + eigenvalue * eigenvalue / Math.pow(mechanism.eigenvalue().sigma(), 2);
  }

  @Test
  void proofsForOneRowAreNotUsedForMore() {
    for (String mechanism : ONE_ROW) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> plan(mechanism, Neighbours.ADD_REMOVE, user(2)))
          .withMessage(
              "sketch s: rowsPerEpoch must be 1 for "
                  + mechanism
                  + ", whose proof is for one row. Provided value: 2; noisy-moments takes any number");
    }
  }

  @Test
  void aUserHasAColumnAndANumberOfRows() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BudgetScope.users(" ", 1))
        .withMessage("user must not be blank. Provided value:  ");
    for (int rows : new int[] {0, -1, (1 << 20) + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BudgetScope.users("id", rows))
          .withMessage("rowsPerEpoch must be in [1, 1048576]. Provided value: " + rows);
    }
  }

  @Test
  void theGuaranteeSaysWhatIsProtectedAndForHowLong() {
    StreamPlan plan = plan("noisy-moments", Neighbours.REPLACE_ONE, user(8));
    Guarantee guarantee = plan.guarantee(Randomness.SYSTEM);
    assertThat(guarantee.unit()).isEqualTo(UnitKind.USER);
    assertThat(guarantee.sentence())
        .startsWith(
            "Differentially private with epsilon 1.0 and delta 1.0E-6 for each user in each epoch"
                + " (replace-one): if all rows of one user in this epoch are replaced by any others,"
                + " or by none, the probability of anything that all releases of this epoch together"
                + " can show changes by a factor of at most 2.718, and by 1.0E-6 on top of that."
                + " Epochs add up: what those of all epochs together can show of a user is bounded by"
                + " the stream's total budget in the ledger, not by this epsilon. This assumes")
        .contains(
            "at most 8 rows of one user (field customer) count in an epoch, in all groups together",
            "NOT COVERED: a checkpoint or savepoint holds, under a hash of each user's id");
    assertThat(
            plan("noisy-moments", Neighbours.ADD_REMOVE, user(8))
                .guarantee(Randomness.SYSTEM)
                .promise())
        .contains("if all rows of one user in this epoch are added or removed, the");
  }

  @Test
  void unitsAreSeriesOfTheirOwn() {
    assertThat(
            List.of(BudgetScope.ROWS, user(1), user(2), BudgetScope.users("id", 2)).stream()
                .map(unit -> plan("noisy-moments", Neighbours.ADD_REMOVE, unit).series("PT1H")))
        .doesNotHaveDuplicates();
  }
}
