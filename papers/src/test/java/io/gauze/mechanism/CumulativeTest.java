package io.gauze.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.SquareRootToeplitz;
import io.gauze.accounting.UnitKind;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerLines;
import io.gauze.ledger.LedgerPosition;
import io.gauze.ledger.LedgerRequest;
import io.gauze.ledger.LedgerTerms;
import io.gauze.message.PlanMessage;
import io.gauze.noise.CumulativeNoise;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.FitInput;
import io.gauze.release.Release;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.testing.Alpha;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of which each release holds all epochs so far. */
final class CumulativeTest {
  private static final double DELTA = 1e-6;
  private static final RowSchema SCHEMA = Fixtures.numbers(2, 0.5, 1.5);
  private static final String HASH = "0".repeat(64);
  private static final String FIRST = "2026-01-01T00:00:00Z";
  private static final Map<String, Map<String, String>> OPTIONS =
      Map.of(
          "count-sketch", Map.of("buckets", "4"),
          "multilevel-l1",
              Map.of("rows", "6", "levels", "2", "samplingBase", "2", "level0Buckets", "2"),
          "stratified-moments", Map.of("strata", "2"));

  private static StreamRequest request(
      BudgetScope unit, Neighbours neighbours, String... mechanisms) {
    List<SketchRequest> sketches = new ArrayList<>();
    for (String mechanism : mechanisms) {
      Map<String, String> options = OPTIONS.getOrDefault(mechanism, Map.of());
      sketches.add(new SketchRequest(mechanism, mechanism, 1.0 + sketches.size(), options));
    }
    SketchRequest[] all = sketches.toArray(SketchRequest[]::new);
    return Fixtures.request(SCHEMA, new Budget(1.0, DELTA, neighbours), all).withScope(unit);
  }

  private static StreamPlan plan(int releases, Neighbours neighbours, String... mechanisms) {
    return StreamPlan.of(request(BudgetScope.cumulative(releases), neighbours, mechanisms));
  }

  private static Cumulative series(StreamPlan plan, String sketch) {
    return (Cumulative) plan.sketch(sketch).mechanism();
  }

  /** Sums of the squares of binomial(2j, j) / 4^j, j up to each k, in 40 digits. */
  private static double[] squares(int releases) {
    MathContext digits = new MathContext(40);
    double[] squares = new double[releases];
    BigDecimal sum = BigDecimal.ZERO;
    BigInteger binomial = BigInteger.ONE;
    for (int k = 0; k < releases; k++) {
      BigDecimal power = new BigDecimal(BigInteger.ONE.shiftLeft(2 * k));
      sum = sum.add(new BigDecimal(binomial).divide(power, digits).pow(2), digits);
      squares[k] = sum.doubleValue();
      binomial =
          binomial
              .multiply(BigInteger.valueOf((2L * k + 1) * (2L * k + 2)))
              .divide(BigInteger.valueOf((k + 1L) * (k + 1L)));
    }
    return squares;
  }

  /** Shares of mu^2 by weight, as for one release; sigma of turn k by the closed form. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 24, 365})
  void theNoiseOfEachTurn(int releases) {
    StreamPlan plan = plan(releases, Neighbours.ADD_REMOVE, "noisy-moments", "count-sketch");
    double mu = GaussianDp.mu(1.0, DELTA - plan.samplerDelta());
    double[] squares = squares(releases);
    for (int i = 0; i < 2; i++) {
      Cumulative last = (Cumulative) plan.sketches().get(i).mechanism();
      double share = mu * Math.sqrt((i + 1.0) / 3.0);
      assertThat(((MechanismCost.Gaussian) last.cost()).mu() / share).isBetween(1.0 - 1e-9, 1.0);
      double alone = last.parameters().get("sensitivity") / share;
      for (int k = 0; k < releases; k++) {
        double expected = alone * Math.sqrt(squares[releases - 1] * squares[k]);
        Cumulative turn = last.at(k, FIRST);
        assertThat(turn.sigma() * turn.stepSize()).isCloseTo(expected, within(1e-9 * expected));
      }
      assertThat(last.sigma()).isEqualTo(last.at(releases - 1, FIRST).sigma());
    }
  }

  /** All turns, entries and sketches, in one group; in two if a row may move. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void theSamplersOfAllReleasesArePaidFor(Neighbours neighbours) {
    int releases = 64;
    StreamPlan plan = plan(releases, neighbours, "noisy-moments", "count-sketch");
    double groups = neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    int entries = plan.sketches().stream().mapToInt(s -> s.mechanism().spec().stateLength()).sum();
    double distance = groups * entries * CumulativeNoise.totalVariation(releases);
    assertThat(plan.samplerDistance()).isCloseTo(distance, within(1e-12 * distance));
    assertThat(plan.samplerDelta()).isCloseTo((1.0 + Math.E) * distance, within(1e-12 * distance));
    double mu = 0.0;
    for (MechanismCost cost : plan.costs()) {
      mu = Math.hypot(mu, ((MechanismCost.Gaussian) cost).mu());
    }
    double delta = GaussianDp.delta(1.0, mu) + plan.samplerDelta();
    assertThat(delta / DELTA).isBetween(1.0 - 1e-6, 1.0);
  }

  /**
   * A row that leaves epoch j for k, under another hash, moves C x by no more than the column norm
   * times the sensitivity: by the sketches' own states. The bound is met.
   */
  @ParameterizedTest
  @MethodSource("io.gauze.mechanism.Mechanisms#additive")
  void aReplacedRowMayMove(String name) {
    int releases = 5;
    SquareRootToeplitz factor = SquareRootToeplitz.of(releases);
    for (Neighbours neighbours : Neighbours.values()) {
      Cumulative series = series(plan(releases, neighbours, name), name);
      double most = factor.columnNorm() * series.inner().sensitivity();
      double largest = 0.0;
      SplittableRandom random = new SplittableRandom(17);
      for (int i = 0; i < 2000; i++) {
        boolean removed = neighbours == Neighbours.ADD_REMOVE;
        double moved = move(series, removed, random, releases) * series.stepSize();
        assertThat(moved).isLessThanOrEqualTo(most);
        largest = Math.max(largest, moved);
      }
      assertThat(largest).isGreaterThan(0.7 * most);
    }
  }

  private static double move(
      Cumulative series, boolean removed, SplittableRandom random, int releases) {
    SquareRootToeplitz factor = SquareRootToeplitz.of(releases);
    int bound = (int) Math.floor(SCHEMA.rowBound() / SCHEMA.grid().step());
    double[] x = new double[2];
    for (int i = 0; i < 2; i++) {
      x[i] = random.nextInt(4) == 0 ? i * Math.PI : 2 * Math.PI * random.nextDouble();
    }
    RowTag tag = tag(random);
    double[] gain = state(series, bound, x[0], tag);
    double[] loss = state(series, bound, x[1], random.nextBoolean() ? tag : tag(random));
    int from = random.nextInt(releases);
    int to = random.nextBoolean() ? from : random.nextInt(releases);
    double square = 0.0;
    for (int e = 0; e < gain.length; e++) {
      for (int r = 0; r < releases; r++) {
        double change = r >= to ? factor.weight(r - to) * gain[e] : 0.0;
        change -= !removed && r >= from ? factor.weight(r - from) * loss[e] : 0.0;
        square += change * change;
      }
    }
    return Math.sqrt(square);
  }

  private static RowTag tag(SplittableRandom random) {
    RowTag tag = new RowTag();
    tag.set(random.nextLong(), random.nextLong());
    return tag;
  }

  /** The state of one row of full norm, entries off the diagonal of moments times sqrt 2. */
  private static double[] state(Cumulative series, int bound, double angle, RowTag tag) {
    EncodedRow row = new EncodedRow(SCHEMA.dimension());
    row.values()[0] = 0;
    row.values()[1] = (int) (bound * Math.cos(angle));
    row.values()[2] = (int) (bound * Math.sin(angle));
    LinearSketch<?> sketch = series.spec().zero();
    sketch.add(tag, row, 1);
    long[] state = sketch.state();
    double[] values = new double[state.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = state[i] * series.inner().noiseScale(0) / series.inner().noiseScale(i);
    }
    return values;
  }

  /**
   * The noise of turn k of an entry of a matrix is of the deviation that the header says (off the
   * diagonal smaller by sqrt 2): tests of 24 sums of 4,096 squares, over the matrices of all
   * strata, 1e-6 for all; noise that is a fifth wider is seen.
   */
  @Test
  void theNoiseFollowsItsLaw() {
    int releases = 4;
    int draws = 4096;
    SketchRequest sketch =
        new SketchRequest("s", "stratified-moments", 1.0, Map.of("strata", "1024"));
    StreamPlan plan =
        StreamPlan.of(
            Fixtures.request(SCHEMA, Fixtures.BUDGET, sketch)
                .withScope(BudgetScope.cumulative(releases)));
    Cumulative series = series(plan, "s");
    int length = series.spec().stateLength();
    int entries = length / 1024;
    double[][] squares = new double[releases][entries];
    Entropy entropy = Randomness.insecureForTests(8).entropy("turns");
    for (int d = 0; d < draws; d += 1024) {
      CumulativeNoise noise = series.noise(0, length);
      for (int k = 0; k < releases; k++) {
        long[] state = new long[length];
        noise.addTo(k, state, entropy);
        double wider = series.at(k, "").sigma() / series.inner().sigma();
        for (int i = 0; i < length; i++) {
          double z = state[i] / (wider * series.inner().noiseScale(i));
          squares[k][i % entries] += z * z;
        }
      }
    }
    double critical = Alpha.z(releases * entries) * Math.sqrt(2.0 * draws);
    for (int k = 0; k < releases; k++) {
      for (int i = 0; i < entries; i++) {
        assertThat(Math.abs(squares[k][i] - draws)).isLessThan(critical);
        assertThat(1.44 * squares[k][i] - draws).isGreaterThan(critical);
      }
    }
  }

  /** A part of the state has the noise of its entries. */
  @Test
  void aBlockHasTheNoiseOfItsEntries() {
    Cumulative series = series(plan(3, Neighbours.ADD_REMOVE, "noisy-moments"), "noisy-moments");
    Randomness seeded = Randomness.insecureForTests(4);
    long[] diagonal = new long[1];
    long[] same = new long[1];
    series.noise(3, 1).addTo(0, diagonal, seeded.entropy("a"));
    CumulativeNoise.create(3, 1, i -> series.inner().noiseScale(3))
        .addTo(0, same, seeded.entropy("a"));
    assertThat(diagonal).isEqualTo(same);
    assertThat(series.inner().noiseScale(3)).isNotEqualTo(series.inner().noiseScale(2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> series.noise(1, series.spec().stateLength()));
  }

  @Test
  void oneReleaseIsThatOfARow() {
    StreamPlan row =
        StreamPlan.of(request(BudgetScope.ROWS, Neighbours.REPLACE_ONE, "noisy-moments"));
    StreamPlan one = plan(1, Neighbours.REPLACE_ONE, "noisy-moments");
    double sigma = row.sketch("noisy-moments").mechanism().sigma();
    assertThat(one.sketch("noisy-moments").mechanism().sigma())
        .isCloseTo(sigma, within(1e-9 * sigma));
    assertThat(one.series("PT1H")).isNotEqualTo(row.series("PT1H"));
    assertThat(plan(2, Neighbours.REPLACE_ONE, "noisy-moments").series("PT1H"))
        .isNotEqualTo(one.series("PT1H"));
  }

  static List<String> others() {
    return Mechanisms.names().stream()
        .filter(name -> !Mechanisms.additive().contains(name))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("others")
  void otherMechanismsAreRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(24, Neighbours.ADD_REMOVE, "noisy-moments", name))
        .withMessage(
            (Mechanisms.models().contains(name) ? "model " : "sketch ")
                + name
                + ": cumulative releases must be of sums to which Gaussian noise is added, those of"
                + " "
                + String.join(", ", Mechanisms.additive())
                + ". Provided value: "
                + name
                + "; give this sketch a stream of its own, without cumulative");
  }

  @Test
  void aSecondNoiseIsRefused() {
    StreamRequest request =
        request(BudgetScope.cumulative(24), Neighbours.ADD_REMOVE, "noisy-moments");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request.withCheckpointLeaks(1)))
        .withMessage(
            "sketch noisy-moments: checkpointLeaks must be 0 with cumulative, whose sums have no"
                + " noise until they are released. Provided value: 1");
  }

  @Test
  void theNumberOfReleasesIsChecked() {
    for (int releases : new int[] {0, 4097}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BudgetScope.cumulative(releases))
          .withMessage("cumulative must be in [1, 4096]. Provided value: " + releases);
    }
  }

  /** What is drawn must be within the samplers' range, not only what one release needs. */
  @Test
  void noiseThatIsTooWideIsRefused() {
    double unit = SCHEMA.grid().momentUnit();
    double mu = SCHEMA.rowBound() * SCHEMA.rowBound() / (0.75 * 0x1p40 * unit);
    Budget tight = new Budget(GaussianDp.epsilon(DELTA, mu), DELTA, Neighbours.ADD_REMOVE);
    StreamRequest once = Fixtures.request(SCHEMA, tight, Fixtures.MOMENTS);
    double sigma = StreamPlan.of(once).sketch("moments").mechanism().sigma();
    assertThat(sigma).as("too wide only for many").isBetween(0x1p39, 0x1p40);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(once.withScope(BudgetScope.cumulative(4096))))
        .withMessageStartingWith("sketch moments: sigma of noisy-moments must be at most")
        .withMessageEndingWith("give it more of epsilon");
  }

  /** Sketches and groups add up: 273 MB of one sketch, and of three in two groups each 137. */
  @Test
  void muchStateIsSaid() {
    assertThat(buckets(1, 16_384).warnings()).containsExactly(PlanMessage.STATE.of(273));
    StreamPlan three = buckets(3, 4_096);
    assertThat(three.warnings()).isEmpty();
    assertThat(three.warnings(2)).containsExactly(PlanMessage.STATE.of(410));
    assertThat(buckets(1, 4_096).warnings(3)).isEmpty();
    assertThat(buckets(1, 4_096).warnings(10_000)).containsExactly(PlanMessage.STATE.of(684_375));
    assertThat(plan(365, Neighbours.ADD_REMOVE, "noisy-moments").warnings(100)).isEmpty();
  }

  private static StreamPlan buckets(int sketches, int buckets) {
    List<SketchRequest> requests = new ArrayList<>();
    for (int i = 0; i < sketches; i++) {
      Map<String, String> options = Map.of("buckets", Integer.toString(buckets));
      requests.add(new SketchRequest("b" + i, "count-sketch", 1.0, options));
    }
    return StreamPlan.of(
        Fixtures.request(SCHEMA, Fixtures.BUDGET, requests.toArray(SketchRequest[]::new))
            .withScope(BudgetScope.cumulative(365)));
  }

  private static Release release(StreamPlan plan, String sketch, int turn) {
    Cumulative series = series(plan, sketch);
    return Release.cumulative(
        plan,
        new ReleaseId("wine", "all", "2026-01-0" + (turn + 1) + "T00:00:00Z", sketch),
        Randomness.SYSTEM,
        turn,
        FIRST,
        new long[series.spec().stateLength()]);
  }

  @ParameterizedTest
  @MethodSource("io.gauze.mechanism.Mechanisms#additive")
  void aReleaseSaysItsTurnAndItsNoise(String name) {
    StreamPlan plan = plan(9, Neighbours.REPLACE_ONE, name);
    for (int turn = 0; turn < 9; turn++) {
      Release release = release(plan, name, turn);
      Release read = Release.fromBytes(release.toBytes());
      assertThat(read).isEqualTo(release);
      assertThat(read.isCumulative()).isTrue();
      assertThat(read.parameters())
          .containsEntry("cumulative", 9.0)
          .containsEntry("turn", turn + 1.0);
      assertThat(read.settings()).containsEntry("firstEpoch", FIRST);
      double sigma = series(plan, name).at(turn, FIRST).sigma();
      assertThat(read.sigmaSteps()).isEqualTo(sigma);
      assertThat(read.payload().toString()).contains("=" + sigma * read.stepSize());
      assertThat(read.isOf(plan)).isTrue();
      assertThat(read.isCumulativeRelease(turn, FIRST)).isTrue();
      assertThat(read.isCumulativeRelease(turn + 1, FIRST)).isFalse();
      assertThat(read.isCumulativeRelease(turn, "2026-01-02T00:00:00Z")).isFalse();
      assertThat(read.isOf(plan(10, Neighbours.REPLACE_ONE, name))).isFalse();
      assertThat(read.isOf(StreamPlan.of(request(BudgetScope.ROWS, Neighbours.REPLACE_ONE, name))))
          .isFalse();
      assertThat((long) release.toBytes().length)
          .isLessThanOrEqualTo(Release.largestSize(plan, plan.sketch(name)));
    }
  }

  @Test
  void exactSumsAreNeverReleasedAlone() {
    Cumulative series = series(plan(3, Neighbours.ADD_REMOVE, "noisy-moments"), "noisy-moments");
    assertThat(series.noiseInState()).isFalse();
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(
            () ->
                series.release(
                    new long[series.spec().stateLength()], Randomness.SYSTEM.entropy("n")));
    long[] state = series.spec().zero().state();
    StreamPlan plan = plan(3, Neighbours.ADD_REMOVE, "noisy-moments");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Release.of(plan, Fixtures.id("noisy-moments"), Randomness.SYSTEM, state));
    StreamPlan row =
        StreamPlan.of(request(BudgetScope.ROWS, Neighbours.ADD_REMOVE, "noisy-moments"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Release.cumulative(
                    row,
                    Fixtures.id("noisy-moments"),
                    Randomness.SYSTEM,
                    0,
                    FIRST,
                    new long[series.spec().stateLength()]));
  }

  @Test
  void cumulativeReleasesAreNotMerged() {
    StreamPlan plan = plan(3, Neighbours.ADD_REMOVE, "noisy-moments");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                FitInput.of(
                    List.of(release(plan, "noisy-moments", 0), release(plan, "noisy-moments", 1))))
        .withMessage(
            "cumulative releases hold the rows of all epochs before and cannot be merged; fit the"
                + " last one alone. Provided value: wine/all/2026-01-01T00:00:00Z/noisy-moments and"
                + " wine/all/2026-01-02T00:00:00Z/noisy-moments");
  }

  @Test
  void theGuaranteeSaysWhatIsPromised() {
    Guarantee guarantee =
        plan(24, Neighbours.ADD_REMOVE, "noisy-moments").guarantee(Randomness.SYSTEM);
    assertThat(guarantee.unit()).isEqualTo(UnitKind.ROW);
    assertThat(guarantee.sentence())
        .contains("the sum of all epochs so far, 24 times, with noise that is correlated")
        .contains("all 24 together keep epsilon and delta")
        .endsWith(
            "NOT COVERED: until the last release a checkpoint or savepoint holds the exact sums of"
                + " all sketches without noise, and what was drawn for the noise of the releases so"
                + " far, with which it can be taken away from them; protect it like the rows.");
  }

  /** However many are out, the series is charged once, and what other streams spend adds up. */
  @ParameterizedTest
  @CsvSource({"1, 1", "24, 1", "24, 24"})
  void theLedgerChargesTheSeriesOnce(int releases, int out) {
    StreamPlan plan = plan(releases, Neighbours.REPLACE_ONE, "noisy-moments", "count-sketch");
    Budget totalBudget = new Budget(1.46, DELTA, Neighbours.REPLACE_ONE);
    LedgerTerms terms = LedgerTerms.of(plan, "rows", totalBudget);
    Guarantee guarantee = plan.guarantee(Randomness.SYSTEM);
    List<LedgerPosition> lines = new ArrayList<>();
    for (int i = 0; i < out; i++) {
      for (SketchPlan sketch : plan.sketches()) {
        ReleaseId id = new ReleaseId("wine", "all", Integer.toString(i), sketch.name());
        LedgerEntry entry =
            new LedgerEntry(id, HASH, LedgerEntry.State.PUBLISHED, HASH, guarantee, terms);
        lines.add(new LedgerPosition(entry, 0, lines.size()));
      }
    }
    LedgerBook book = LedgerBook.of(lines);
    ReleaseId next = new ReleaseId("wine", "all", "next", "noisy-moments");
    LedgerTerms tight = LedgerTerms.of(plan, "rows", plan.budget());
    assertThat(LedgerBook.of(List.of()).refusal(LedgerRequest.of(next, HASH, guarantee, tight)))
        .isEmpty();
    assertThat(book.refusal(LedgerRequest.of(next, HASH, guarantee, terms))).isEmpty();
    LedgerRequest fits = LedgerLines.charge("beer", 1.0, 1.46);
    assertThat(book.refusal(fits)).as("the same as two streams of rows").isEmpty();
    assertThat(book.refusal(LedgerLines.charge("beer", 1.0, 1.45)).orElseThrow().details())
        .startsWith("Spent: epsilon 1 (stream wine); asked: 1 (stream beer); together at delta")
        .endsWith(": 1.45468.");
  }
}
