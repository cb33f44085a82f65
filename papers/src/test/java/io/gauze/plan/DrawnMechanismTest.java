package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.papers.AdaSsp;
import io.gauze.mechanism.papers.AdaptiveRidgeProjection;
import io.gauze.mechanism.papers.LeastEigenvalue;
import io.gauze.mechanism.papers.MomentProjection;
import io.gauze.mechanism.papers.StreamedProjection;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.payload.Payload;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.testing.Alpha;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mechanisms whose noise is not just added to the state. */
final class DrawnMechanismTest {
  private static final RowSchema SCHEMA = Fixtures.numbers(2, 0.5, 1.0);
  private static final int STEP = 1 << 15; // 1.0 in grid steps
  private static final Budget BUDGET = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);

  private static StreamPlan plan(Budget budget, String mechanism, Map<String, String> options) {
    return StreamPlan.of(
        Fixtures.request(SCHEMA, budget, new SketchRequest("s", mechanism, 1.0, options)));
  }

  private static Mechanism mechanism(String mechanism, Map<String, String> options) {
    return plan(BUDGET, mechanism, options).sketch("s").mechanism();
  }

  private static final int HALF = STEP / 2;
  private static final EncodedRow[] PLANE = {row(HALF, HALF, 0), row(HALF, 0, -HALF)};
  private static final EncodedRow[] SPACE = {PLANE[0], PLANE[1], row(HALF, -HALF, HALF)};

  /** The state of {@code copies} times some rows. */
  private static long[] state(
      Mechanism mechanism, int copies, Entropy entropy, EncodedRow... rows) {
    LinearSketch<?> sketch = mechanism.spec().zero();
    RowTag tag = new RowTag();
    for (int i = 0; i < copies; i++) {
      for (EncodedRow row : rows) {
        tag.set(entropy.nextLong(), entropy.nextLong());
        sketch.add(tag, row, 1);
      }
    }
    return sketch.state();
  }

  private static EncodedRow row(int... steps) {
    EncodedRow row = new EncodedRow(steps.length);
    System.arraycopy(steps, 0, row.values(), 0, steps.length);
    return row;
  }

  private static Release release(StreamPlan plan, int copies, Entropy entropy, EncodedRow... rows) {
    Mechanism mechanism = plan.sketch("s").mechanism();
    long[] state = state(mechanism, copies, entropy, rows);
    mechanism.addNoise(state, 0, entropy);
    Release release =
        Release.of(
            plan,
            Fixtures.id("s"),
            Randomness.insecureForTests(1),
            mechanism.release(state, entropy));
    assertThat(Release.fromBytes(release.toBytes())).isEqualTo(release);
    return release;
  }

  @ParameterizedTest
  @CsvSource({
    "jl, moments, ADD_REMOVE",
    "jl, moments, REPLACE_ONE",
    "jl, projection, REPLACE_ONE",
    "inverse-wishart, , ADD_REMOVE",
    "inverse-wishart, , REPLACE_ONE",
    "jl-unregularised, , ADD_REMOVE",
    "jl-unregularised, , REPLACE_ONE",
    "ada-ssp, , ADD_REMOVE",
    "ada-ssp, , REPLACE_ONE"
  })
  void spendsTheWholeBudgetAndNoMore(String name, String from, Neighbours neighbours) {
    Budget budget = new Budget(0.7, 1e-7, neighbours);
    Map<String, String> options = from == null ? Map.of() : Map.of("state", from);
    StreamPlan plan = plan(budget, name, options);
    double delta =
        Composition.of(neighbours, plan.costs()).delta(budget.epsilon()) + plan.samplerDelta();
    assertThat(delta).isBetween(0.99 * budget.delta(), budget.delta());
    assertThat(plan.guarantee(Randomness.SYSTEM).idealised()).isEqualTo(!name.equals("ada-ssp"));
    boolean born = "projection".equals(from);
    assertThat(plan.guarantee(Randomness.SYSTEM).checkpoint().startsWith("NOT COVERED"))
        .isNotEqualTo(born);
  }

  /**
   * The squares of the columns of r rows are chi-square times the variance, M_jj + w^2: means over
   * r rows within 5.5 standard errors, three of them, for each form; 1e-7. Without the ridge they
   * would be far below.
   */
  @ParameterizedTest
  @CsvSource({"moments", "projection"})
  void projectionsHaveTheirCovariance(String from) {
    StreamPlan plan = plan(BUDGET, "jl", Map.of("rows", "4096", "state", from));
    Entropy entropy = Randomness.insecureForTests(3).entropy("law of " + from);
    Release release = release(plan, 500, entropy, PLANE);
    Payload.Projection contents = (Payload.Projection) release.payload();
    double expectedRidge = ProjectionPrivacy.ridge(BUDGET, 4096);
    assertThat(contents.ridge()).isCloseTo(expectedRidge, within(1e-6 * expectedRidge));
    double[] moments = {250.0, 125.0, 125.0};
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int i = 0; i < contents.rows(); i++) {
        double value = release.value(i * 3 + j);
        sum += value * value;
      }
      double mean = sum / contents.rows();
      double variance = moments[j] + contents.ridge();
      double error = variance * Math.sqrt(2.0 / contents.rows());
      assertThat(Math.abs(mean - variance)).isLessThan(5.5 * error);
      assertThat(Math.abs(mean - moments[j])).isGreaterThan(5.5 * error);
    }
  }

  /** With nu large V (nu - D - 1) is close to M + psi I: relative error sqrt(2 / nu), 6 of them. */
  @Test
  void inverseWishartHasItsMean() {
    StreamPlan plan = plan(BUDGET, "inverse-wishart", Map.of("degreesOfFreedom", "65536"));
    Release release =
        release(plan, 500, Randomness.insecureForTests(4).entropy("inverse wishart"), PLANE);
    Payload.InverseMoments contents = (Payload.InverseMoments) release.payload();
    double factor = contents.degrees() - 4.0;
    double[] moments = {250.0, 125.0, 125.0};
    int[] diagonal = {0, 3, 5};
    for (int j = 0; j < 3; j++) {
      double expected = moments[j] + contents.ridge();
      assertThat(release.value(diagonal[j]) * factor)
          .isCloseTo(expected, within(6.0 * expected * Math.sqrt(2.0 / contents.degrees())));
    }
  }

  // The least eigenvalue of the rows of SPACE is 1/4 a copy.
  /** Poor data get the ridge, rich data none and as many rows as the bound allows. */
  @Test
  void theGateOpensForRichData() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE);
    StreamPlan plan = plan(budget, "jl-unregularised", Map.of("rows", "512"));
    Entropy entropy = Randomness.insecureForTests(5).entropy("gate");
    Release poor = release(plan, 10, entropy, SPACE);
    assertThat(poor.value(0)).isZero();
    Release rich = release(plan, 20_000, entropy, SPACE);
    assertThat(rich.value(0)).isEqualTo(512.0);
    Release between = release(plan, 600, entropy, SPACE);
    assertThat(between.value(0)).isBetween(3.0, 511.0);
    for (int i = 1 + 3 * (int) between.value(0); i < between.numbers().length; i++) {
      assertThat(between.value(i)).isZero();
    }
  }

  /**
   * Two groups or epochs may see a replaced row: they must not publish different numbers of rows.
   */
  @Test
  void underReplaceOneTheGateOpensForAllRowsOrNone() {
    StreamPlan plan = plan(BUDGET, "jl-unregularised", Map.of("rows", "512"));
    Entropy entropy = Randomness.insecureForTests(9).entropy("gate");
    for (int copies = 300; copies <= 2_400; copies += 150) {
      assertThat(release(plan, copies, entropy, SPACE).value(0)).isIn(0.0, 512.0);
    }
    assertThat(release(plan, 20_000, entropy, SPACE).value(0)).isEqualTo(512.0);
  }

  /**
   * Normal numbers are multiples of 2^-40, so that with 2^31 rows the first column would be a
   * multiple of 2^-40 times the root of its moment, rounded: about a third of all whole numbers
   * could not come out, others if a row were missing. 256 numbers: some of them do.
   */
  @Test
  void projectionsShowNoLatticeOfTheData() {
    MomentProjection mechanism = (MomentProjection) mechanism("jl", Map.of("rows", "16384"));
    long[] state = new long[mechanism.spec().stateLength()];
    state[0] = 1L << 59; // 2^31 rows with an intercept of 1/2
    Entropy entropy = Randomness.insecureForTests(11).entropy("lattice");
    long[] payload = mechanism.release(state, entropy);
    double root = Math.sqrt(state[0] * mechanism.momentUnit() + mechanism.ridge());
    double spacing = Math.scalb(root, -40) / mechanism.stepSize();
    assertThat(spacing).isGreaterThan(1.1);
    int impossible = 0;
    for (int i = 0; i < 256; i++) {
      double multiple = Math.rint(payload[3 * i] / spacing) * spacing;
      impossible += Math.abs(multiple - payload[3 * i]) > 0.51 ? 1 : 0;
    }
    assertThat(impossible).isGreaterThan(5);
  }

  /** A replaced row may be in an epoch of the one law and in one of the other. */
  @ParameterizedTest
  @CsvSource({"jl, rows", "jl-unregularised, rows", "inverse-wishart, degreesOfFreedom"})
  void anotherNumberOfRowsIsAnotherSeries(String name, String option) {
    String first = plan(BUDGET, name, Map.of(option, "64")).series("all");
    assertThat(plan(BUDGET, name, Map.of(option, "128")).series("all")).isNotEqualTo(first);
    assertThat(plan(BUDGET, name, Map.of(option, "64")).series("all")).isEqualTo(first);
  }

  /** It would stop a job that runs. */
  @Test
  void aTestThatTheSamplerCannotMakeIsRefusedAtOnce() {
    Budget tiny = new Budget(0.001, 1e-6, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(tiny, "jl-unregularised", Map.of()))
        .withMessageContaining("give it more of epsilon");
  }

  /**
   * Three columns, of which the last is 0 in all rows: without noise in the lowest bits they would
   * be 0 for sure, and show that. 1,024 numbers a column: each of the lowest bits is 1 as often as
   * 0, within 5.5 standard errors.
   */
  @Test
  void projectionsAsSketchesHaveNoiseInTheLowestBits() {
    StreamPlan plan = plan(BUDGET, "jl", Map.of("rows", "1024", "state", "projection"));
    assertThat(((StreamedProjection) plan.sketch("s").mechanism()).shift()).isGreaterThan(3);
    Entropy entropy = Randomness.insecureForTests(10).entropy("bits");
    long[] payload = release(plan, 10, entropy, row(HALF, HALF, 0)).numbers();
    for (int bit = 0; bit < 8; bit++) {
      int[] ones = new int[3];
      for (int i = 0; i < payload.length; i++) {
        ones[i % 3] += (int) (payload[i] >> bit & 1L);
      }
      for (int count : ones) {
        assertThat((double) count).isCloseTo(512.0, within(5.5 * 16.0));
      }
    }
  }

  /**
   * The bound is above the eigenvalue with probability delta1 = delta / 4 (delta / 8 if rows are
   * replaced, since two cells may see one): with delta 0.1 once in 40 or 80. 20,000 draws: within
   * 5.5 standard errors of 500 or 250. A bound without its margin is above half of the time.
   */
  @ParameterizedTest
  @CsvSource({"ADD_REMOVE, 0.25", "REPLACE_ONE, 0.125"})
  void theLowerBoundHoldsAsOftenAsItSays(Neighbours neighbours, double share) {
    Budget loose = new Budget(1.0, 0.1, neighbours);
    AdaptiveRidgeProjection mechanism =
        (AdaptiveRidgeProjection) plan(loose, "jl-unregularised", Map.of()).sketch("s").mechanism();
    Entropy entropy = Randomness.insecureForTests(6).entropy("bound");
    double eigenvalue = 1e12;
    double computed = eigenvalue + LeastEigenvalue.error(3); // at worst
    int above = 0;
    for (int i = 0; i < 20_000; i++) {
      above +=
          mechanism.lowerBound(computed, entropy) > eigenvalue * mechanism.momentUnit() ? 1 : 0;
    }
    double expected = 20_000 * share * mechanism.cost().delta();
    assertThat((double) above).isCloseTo(expected, within(5.5 * Math.sqrt(expected)));
  }

  /** Each of the three parts is off by its noise, and by no more: 10 numbers, 20,000 draws. */
  @Test
  void adaSspHasItsNoise() {
    StreamPlan plan = plan(BUDGET, "ada-ssp", Map.of("response", "x0"));
    AdaSsp mechanism = (AdaSsp) plan.sketch("s").mechanism();
    Payload.SufficientStatistics contents =
        (Payload.SufficientStatistics)
            release(plan, 1, Randomness.insecureForTests(7).entropy("one"), PLANE).payload();
    assertThat(contents.response()).isEqualTo(1);
    // 20 copies: features (1/2, 0) and (1/2, -1/2), response 1/2 and 0
    double[] exact = {10, -5, 5, 5, 0, 20 * (3 - Math.sqrt(5)) / 8};
    double[] sigmas = {
      contents.momentsSigma(),
      contents.momentsSigma() * Math.sqrt(0.5),
      contents.momentsSigma(),
      contents.productsSigma(),
      contents.productsSigma(),
      contents.eigenvalueSigma()
    };
    Entropy entropy = Randomness.insecureForTests(8).entropy("ada");
    int draws = 20_000;
    double[] squares = new double[exact.length];
    for (int d = 0; d < draws; d++) {
      long[] payload = mechanism.release(state(mechanism, 20, entropy, PLANE), entropy);
      assertThat(payload).hasSize(exact.length);
      for (int k = 0; k < exact.length; k++) {
        double z = (payload[k] * mechanism.stepSize() - exact[k]) / sigmas[k];
        squares[k] += z * z;
      }
    }
    double critical = Alpha.z(exact.length);
    for (double square : squares) {
      assertThat(Math.abs(square - draws) / Math.sqrt(2.0 * draws)).isLessThan(critical);
      assertThat(Math.abs(1.15 * square - draws) / Math.sqrt(2.0 * draws)).isGreaterThan(critical);
    }
    // |x| |y| <= B^2 / 2, replaced twice that; mu / sqrt 3 each
    double each = mechanism.mu() / Math.sqrt(3.0);
    assertThat(contents.momentsSigma()).isCloseTo(Math.sqrt(2.0) / each, within(1e-6));
    assertThat(contents.productsSigma()).isCloseTo(1.0 / each, within(1e-6));
    double computing = LeastEigenvalue.spread(2) * mechanism.stepSize();
    assertThat(contents.eigenvalueSigma()).isCloseTo((1.0 + computing) / each, within(1e-6));
  }

  /** A replaced row that changes its cell: the eigenvalues, moments and products of two cells. */
  @Test
  void adaSspKeepsItsBudgetForRowsThatMove() {
    AdaSsp mechanism = (AdaSsp) mechanism("ada-ssp", Map.of("response", "x0"));
    double unit = mechanism.momentUnit();
    double moments = mechanism.moments().diagonal().sigma() * unit;
    double products = mechanism.products().sigma() * unit;
    double eigenvalue = mechanism.eigenvalue().sigma() * unit;
    double most = 0.0;
    for (double t = 0.0; t <= 1.0; t += 1.0 / 1024) {
      double one =
          Math.pow(t / moments, 2.0)
              + t * (1.0 - t) / (products * products)
              + Math.pow(t / eigenvalue, 2.0);
      most = Math.max(most, 2.0 * one);
    }
    assertThat(Math.sqrt(most)).isBetween(0.999 * mechanism.mu(), mechanism.mu());
  }

  @Test
  void sizesAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism("inverse-wishart", Map.of("degreesOfFreedom", "6")))
        .withMessage(
            "sketch s: degreesOfFreedom must be at least 7 for 3 encoded columns. Provided value: 6");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism("jl-unregularised", Map.of("rows", "2")))
        .withMessage("sketch s: rows must be at least 3. Provided value: 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism("jl", Map.of("rows", "16385")))
        .withMessage("rows must be a whole number in [1, 16384]. Provided value: 16385");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism("jl", Map.of("state", "rows")))
        .withMessage("state must be moments or projection. Provided value: rows");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism("ada-ssp", Map.of("response", "(intercept)")))
        .withMessageContaining("response");
  }

  /** Several kinds in one stream share one budget. */
  @Test
  void kindsCompose() {
    StreamPlan plan =
        StreamPlan.of(
            Fixtures.request(
                SCHEMA,
                BUDGET,
                Fixtures.MOMENTS,
                new SketchRequest("jl", "jl", 1.0, Map.of("rows", "64")),
                new SketchRequest("gate", "jl-unregularised", 1.0, Map.of("rows", "64")),
                new SketchRequest("ada", "ada-ssp", 1.0, Map.of())));
    List<MechanismCost> costs = plan.costs();
    assertThat(costs).hasSize(4);
    double delta = Composition.of(BUDGET.neighbours(), costs).delta(1.0) + plan.samplerDelta();
    assertThat(delta).isBetween(0.99e-6, 1e-6);
  }
}
