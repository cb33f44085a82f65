package io.gauze.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.message.PlanMessage;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedGaussian;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.release.ReleaseHeader;
import io.gauze.row.EncodedRow;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.testing.Alpha;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ResidualStrataNoiseTest {
  private static final double BOUND = 1.5;
  private static final RowSchema SMALL = Fixtures.numbers(2, 0.5, BOUND);

  private static SketchRequest sketch(Map<String, String> options) {
    return new SketchRequest("s", ResidualStrataNoise.NAME, 1.0, options);
  }

  private static StreamRequest request(Map<String, String> options) {
    return Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, sketch(options));
  }

  private static StreamPlan small(Neighbours neighbours, int strata) {
    Budget budget = new Budget(1.0, 1e-6, neighbours);
    SketchRequest sketch = sketch(Map.of("strata", Integer.toString(strata)));
    return StreamPlan.of(Fixtures.request(SMALL, budget, sketch));
  }

  private static ResidualStrataNoise mechanism(StreamPlan plan) {
    return (ResidualStrataNoise) plan.sketch("s").mechanism();
  }

  /**
   * Neighbours of both stages under the same model: rows of the bound's length in any direction,
   * models of any direction and size. In each stage they are at most the sensitivity apart, and
   * together at most the mu of the plan. Rows at right angles attain both; opposite rows that
   * change their stratum attain the second.
   */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void neighboursAreWithinTheSensitivity(Neighbours neighbours) {
    ResidualStrataNoise mechanism = mechanism(small(neighbours, 5));
    double allowed = mechanism.sensitivity();
    double square = BOUND * BOUND;
    assertThat(allowed / (neighbours == Neighbours.ADD_REMOVE ? square : Math.sqrt(2.0) * square))
        .isCloseTo(1.0, within(1e-12));
    SplittableRandom random = new SplittableRandom(3);
    double first = 0.0;
    double second = 0.0;
    double both = 0.0;
    int moved = 0;
    for (int i = 0; i < 5_000; i++) {
      double angle = random.nextDouble() * Math.PI;
      double other = angle + random.nextInt(1, 5) * Math.PI / 4.0;
      EncodedRow[] rows = {row(angle), row(other)};
      long[] model = random.longs(3, -(1L << 28), 1L << 28).toArray(); // weights of up to 4
      long[] one = apart(neighbours, mechanism.spec().zero(), rows);
      long[] two = apart(neighbours, mechanism.second(model).zero(), rows);
      double d1 = distance(mechanism.first(), one);
      double d2 = distance(mechanism.second(), two);
      first = Math.max(first, d1 * mechanism.first().diagonal().sigma() * mechanism.stepSize());
      second = Math.max(second, d2 * mechanism.second().diagonal().sigma() * mechanism.stepSize());
      both = Math.max(both, Math.hypot(d1, d2));
      moved += d2 > d1 + 1e-6 ? 1 : 0;
    }
    assertThat(first).isBetween(0.999 * allowed, allowed);
    assertThat(second).isBetween(0.999 * allowed, allowed);
    assertThat(both).isBetween(0.999 * mechanism.mu(), mechanism.mu());
    // a row that changes its stratum is further away than the rows themselves
    assertThat(moved > 500).isEqualTo(neighbours == Neighbours.REPLACE_ONE);
  }

  /** Nothing of the promise depends on it, and old and new releases are of the same plan. */
  @Test
  void epochsOfAModelChangeNoNoise() {
    StreamPlan one = StreamPlan.of(request(Map.of()));
    StreamPlan many = StreamPlan.of(request(Map.of("modelEpochs", "8")));
    assertThat(mechanism(one).modelEpochs()).isEqualTo(1);
    assertThat(mechanism(many).modelEpochs()).isEqualTo(8);
    assertThat(mechanism(many).parameters()).isEqualTo(mechanism(one).parameters());
    assertThat(mechanism(many).first()).isEqualTo(mechanism(one).first());
    assertThat(mechanism(many).second()).isEqualTo(mechanism(one).second());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request(Map.of("modelEpochs", "65"))))
        .withMessageContaining("modelEpochs must be a whole number in [1, 64]");
  }

  /** A row on the circle of the bound, in the plane of the two columns. */
  private static EncodedRow row(double angle) {
    EncodedRow row = new EncodedRow(SMALL.dimension());
    double steps = Math.floor(BOUND / SMALL.grid().step());
    row.values()[1] = (int) (steps * Math.cos(angle)); // towards 0
    row.values()[2] = (int) (steps * Math.sin(angle));
    return row;
  }

  private static long[] apart(Neighbours neighbours, LinearSketch<?> sketch, EncodedRow... rows) {
    sketch.add(new RowTag(), rows[0], 1);
    if (neighbours == Neighbours.REPLACE_ONE) {
      sketch.add(new RowTag(), rows[1], -1);
    }
    return sketch.state();
  }

  /** In standard deviations of the noise. */
  private static double distance(SymmetricNoise noise, long... state) {
    double sum = 0.0;
    for (int k = 0; k < state.length; k++) {
      double scaled = state[k] / noise.scale(k, state.length);
      sum += scaled * scaled;
    }
    return Math.sqrt(sum);
  }

  /** Half of mu^2 for each stage; the whole budget is spent and not more. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void bothStagesTogetherSpendTheBudget(Neighbours neighbours) {
    StreamPlan plan = small(neighbours, 4);
    ResidualStrataNoise mechanism = mechanism(plan);
    double step = mechanism.stepSize();
    double first = mechanism.sensitivity() / (mechanism.first().diagonal().sigma() * step);
    double second = mechanism.sensitivity() / (mechanism.second().diagonal().sigma() * step);
    assertThat(Math.hypot(first, second)).isBetween(mechanism.mu() * (1 - 1e-9), mechanism.mu());
    assertThat(first).isEqualTo(second);
    double spent = Composition.of(neighbours, plan.costs()).delta(1.0) + plan.samplerDelta();
    assertThat(spent).isBetween(1e-6 * (1.0 - 1e-8), 1e-6);
    // the samplers of both stages are paid for
    StreamPlan moments =
        StreamPlan.of(Fixtures.request(SMALL, new Budget(1.0, 1e-6, neighbours), Fixtures.MOMENTS));
    assertThat(plan.samplerDistance() / moments.samplerDistance()).isCloseTo(5.0, within(1e-9));
  }

  @Test
  void refusesLessNoiseThanClaimed() {
    ResidualStrataNoise right = mechanism(small(Neighbours.ADD_REMOVE, 2));
    UnaryOperator<SymmetricNoise> less =
        noise ->
            new SymmetricNoise(
                noise.dimension(),
                RoundedGaussian.of(noise.diagonal().sigma() / 1.0001),
                noise.offDiagonal());
    refused(right, less.apply(right.first()), right.second());
    refused(right, right.first(), less.apply(right.second()));
  }

  private static void refused(
      ResidualStrataNoise right, SymmetricNoise first, SymmetricNoise second) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ResidualStrataNoise(
                    right.spec(),
                    right.response(),
                    right.responseName(),
                    right.strata(),
                    right.schema(),
                    right.sensitivity(),
                    right.mu(),
                    first,
                    second,
                    1,
                    1))
        .withMessageStartingWith("sigma must be at least sensitivity / mu = ");
  }

  /**
   * The noises of both stages: each entry has mean 0 and the variance of its place, and no two
   * neighbouring entries, of which the last of the first stage and the first of the second are two,
   * go together: z-tests of 3 statistics for each of 18 entries over 20,000 draws, together 1e-6. A
   * variance that is off by 15 % would be noticed.
   */
  @Test
  void bothNoisesFollowTheirLaw() {
    ResidualStrataNoise mechanism = mechanism(small(Neighbours.REPLACE_ONE, 2));
    int draws = 20_000;
    int length = 6 + 12;
    double[] sums = new double[length];
    double[] squares = new double[length];
    double[] products = new double[length];
    Entropy entropy = Randomness.insecureForTests(41).entropy("both");
    for (int d = 0; d < draws; d++) {
      double[] z = scaled(mechanism, entropy);
      for (int k = 0; k < length; k++) {
        sums[k] += z[k];
        squares[k] += z[k] * z[k];
        products[k] += z[k] * z[(k + 1) % length];
      }
    }
    double critical = Alpha.z(3 * length);
    for (int k = 0; k < length; k++) {
      assertThat(Math.abs(sums[k]) / Math.sqrt(draws)).isLessThan(critical);
      assertThat(Math.abs(products[k]) / Math.sqrt(draws)).isLessThan(critical);
      assertThat(Math.abs(squares[k] - draws) / Math.sqrt(2.0 * draws)).isLessThan(critical);
      assertThat(Math.abs(1.15 * squares[k] - draws) / Math.sqrt(2.0 * draws))
          .isGreaterThan(critical);
    }
  }

  /** One draw of both noises, in units of sigma on diagonals and sigma / sqrt 2 off them. */
  private static double[] scaled(ResidualStrataNoise mechanism, Entropy entropy) {
    long[] first = new long[6];
    long[] second = new long[mechanism.secondLength()];
    mechanism.addNoise(first, 0, entropy);
    mechanism.addSecondNoise(second, 0, entropy);
    long[] all = mechanism.joined(first, new long[0], second);
    double[] z = new double[all.length];
    for (int k = 0; k < z.length; k++) {
      boolean diagonal = k % 6 == 0 || k % 6 == 3 || k % 6 == 5; // of a triangle of 3
      SymmetricNoise noise = k < 6 ? mechanism.first() : mechanism.second();
      z[k] = all[k] / noise.diagonal().sigma() * (diagonal ? 1.0 : Math.sqrt(2.0));
    }
    return z;
  }

  @Test
  void blocksOfBothStagesGetTheNoiseOfTheirPlace() {
    ResidualStrataNoise mechanism = mechanism(small(Neighbours.ADD_REMOVE, 2));
    long[] whole = new long[mechanism.secondLength()];
    mechanism.addSecondNoise(whole, 0, Randomness.insecureForTests(12).entropy("second"));
    Entropy entropy = Randomness.insecureForTests(12).entropy("second");
    for (int from = 0; from < whole.length; from += 5) {
      long[] block = new long[Math.min(5, whole.length - from)];
      mechanism.addSecondNoise(block, from, entropy);
      assertThat(block).isEqualTo(Arrays.copyOfRange(whole, from, from + block.length));
    }
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> mechanism.addSecondNoise(new long[2], whole.length - 1, entropy));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> mechanism.addNoise(new long[2], 5, entropy));
  }

  @Test
  void theModelIsInUnitsOfThePayload() {
    ResidualStrataNoise mechanism = mechanism(small(Neighbours.ADD_REMOVE, 2));
    long one = Math.round(1.0 / mechanism.stepSize());
    assertThat(mechanism.second(one, -one / 2, 0).weights()).containsExactly(1.0, -0.5, 0.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.second(0, one << 17, 0))
        .withMessageStartingWith("weight must be in [-65536");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.second(one))
        .withMessageStartingWith("weights must have 3 entries");
    assertThat(mechanism.joined(new long[] {1}, new long[] {2}, new long[] {3, 4}))
        .containsExactly(1, 2, 3, 4);
  }

  @Test
  void theResponseIsThatOfTheConfig() {
    ResidualStrataNoise last = mechanism(StreamPlan.of(request(Map.of())));
    assertThat(last.settings()).containsExactly(Map.entry("response", "quality"));
    ResidualStrataNoise given =
        mechanism(StreamPlan.of(request(Map.of("response", "region=south"))));
    assertThat(given.response()).isEqualTo(4);
    RowSchema clipped = Fixtures.schema().withResponses(new ResponseBound(List.of("alcohol"), 0.5));
    StreamPlan plan = StreamPlan.of(Fixtures.request(clipped, Fixtures.BUDGET, sketch(Map.of())));
    assertThat(mechanism(plan).responseName()).isEqualTo("alcohol");
    assertThat(mechanism(plan).response()).isEqualTo(1);
    RowSchema categories =
        Fixtures.schema().withResponses(new ResponseBound(List.of("region"), 0.5));
    assertThat(SketchRequest.defaultResponse(categories)).isEqualTo("quality");
  }

  /** D = 7: as for stratified moments, with a noise that is sqrt 2 as wide. */
  @ParameterizedTest
  @CsvSource({"40000, 4", "40500, 8", "1600000, 8", "1601000, 16"})
  void plansStrata(long rows, int strata) {
    StreamPlan plan = StreamPlan.of(request(Map.of()).withExpectedRows(rows));
    assertThat(mechanism(plan).strata()).isEqualTo(strata);
    assertThat(mechanism(plan).parameters()).containsEntry("strata", (double) strata);
  }

  @Test
  void warnsWhereNoiseDrownsAStratum() {
    StreamRequest few = request(Map.of("strata", "1024"));
    assertThat(StreamPlan.of(few.withExpectedRows(2_000_000)).warnings())
        .noneMatch(w -> w.is(PlanMessage.DROWNED));
    assertThat(StreamPlan.of(few.withExpectedRows(50_000)).warnings())
        .singleElement()
        .asString()
        .contains("GZ-DROWNED", "noise is likely to hide the signal of a stratum, which is ");
  }

  @Test
  void whatCannotBeIsRefused() {
    refused(request(Map.of("response", "qualty")), "response: column must be one of ");
    refused(
        request(Map.of("response", "(intercept)")),
        "response must not be the intercept. Provided value: (intercept)");
    refused(
        request(Map.of()).withScope(BudgetScope.users("customer", 1)),
        "privacy.unit must be row for residual-strata, which reads the rows of an epoch twice.");
    refused(
        request(Map.of()).withScope(BudgetScope.keys(2)),
        "privacy.unit must be row for residual-strata, which reads the rows of an epoch twice.");
    refused(
        request(Map.of()).withScope(BudgetScope.cumulative(4)),
        "cumulative releases must be of sums to which Gaussian noise is added");
    refused(
        request(Map.of()).withCheckpointLeaks(1), "checkpointLeaks must be 0 for residual-strata,");
    RowSchema wide = Fixtures.numbers(1000, 1.0, 30.0);
    refused(
        Fixtures.request(wide, Fixtures.BUDGET, sketch(Map.of("strata", "1024"))),
        "strata must be in [1, 267] for 1001 columns");
    for (String strata : List.of("0", "1025", "some")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sketch(Map.of("strata", strata)))
          .withMessageContaining("strata must be a whole number in [1, 1024]");
    }
  }

  private static void refused(StreamRequest request, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request))
        .withMessageStartingWith("sketch s: " + message);
  }

  @Test
  void releasesSurviveBytes() {
    StreamPlan plan = small(Neighbours.REPLACE_ONE, 2);
    ResidualStrataNoise mechanism = mechanism(plan);
    long[] numbers = LongStream.range(0, 6 + 3 + 12).toArray();
    Release release = Release.of(plan, Fixtures.id("s"), Randomness.SYSTEM, numbers);
    Release read = Release.fromBytes(release.toBytes());
    assertThat(read).isEqualTo(release);
    assertThat(read.isOf(plan)).isTrue();
    assertThat(read.isOf(small(Neighbours.REPLACE_ONE, 3))).isFalse();
    assertThat(read.parameters()).isEqualTo(mechanism.parameters());
    double first = mechanism.first().diagonal().sigma() * mechanism.stepSize();
    double second = mechanism.second().diagonal().sigma() * mechanism.stepSize();
    assertThat(read.payload()).isEqualTo(new Payload.ResidualStrata(3, 2, 2, first, second));
    assertThat((long) read.toBytes().length)
        .isLessThanOrEqualTo(Release.largestSize(plan, plan.sketch("s")));
    assertThat(mechanism.release(numbers, Randomness.SYSTEM.entropy("none"))).isSameAs(numbers);
    assertThat(mechanism.noiseLaw()).contains("in the moments of all rows", "in every stratum");
  }

  /** Whatever a file says, it is a release in range or an IllegalArgumentException. */
  @ParameterizedTest
  @ValueSource(strings = {"strata", "momentsSigma", "strataSigma"})
  void foreignHeadersAreChecked(String name) {
    ReleaseHeader header =
        ReleaseHeader.of(small(Neighbours.ADD_REMOVE, 2), Fixtures.id("s"), Randomness.SYSTEM);
    Map<String, Double> changed = new HashMap<>(header.parameters());
    changed.remove(name);
    refused(header, changed, header.settings(), name);
    for (double wrong : new double[] {Double.NaN, -1, 0, Double.POSITIVE_INFINITY}) {
      changed.put(name, wrong);
      refused(header, changed, header.settings(), name);
    }
    for (String response : List.of("(intercept)", "nobody", "")) {
      refused(header, header.parameters(), Map.of("response", response), "response");
    }
    refused(header, header.parameters(), Map.of(), "response");
  }

  private static void refused(
      ReleaseHeader header,
      Map<String, Double> parameters,
      Map<String, String> settings,
      String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ReleaseHeader(
                        header.id(),
                        header.encodingVersion(),
                        header.schema(),
                        header.mechanism(),
                        parameters,
                        settings,
                        header.stepSize(),
                        header.sigma(),
                        header.noiseLaw(),
                        header.guarantee())
                    .payload())
        .withMessageMatching("(parameter )?" + message + "(?s).*");
  }
}
