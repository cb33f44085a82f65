package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Composition;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.release.Release;
import io.gauze.release.ReleaseHeader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What all mechanisms have in common whose noise is in the state from the start. */
final class NoiseInStateTest {
  static final List<SketchRequest> SKETCHES =
      List.of(
          sketch("stratified-moments", Map.of("stratifyBy", "alcohol", "strata", "3")),
          sketch("multilevel-l1", Map.of("rows", "24", "levels", "1", "samplingBase", "9")),
          sketch("wishart", Map.of("degreesOfFreedom", "60")),
          sketch("functional", Map.of()),
          sketch("histogram", Map.of("bins", "2")));

  private static SketchRequest request(String mechanism) {
    return SKETCHES.stream()
        .filter(sketch -> sketch.mechanism().equals(mechanism))
        .findFirst()
        .orElseThrow();
  }

  static Stream<Arguments> plans() {
    return SKETCHES.stream()
        .flatMap(s -> Stream.of(Neighbours.values()).map(n -> Arguments.of(s, n)));
  }

  private static SketchRequest sketch(String mechanism, Map<String, String> options) {
    return new SketchRequest("s", mechanism, 1.0, options);
  }

  private static StreamPlan plan(SketchRequest sketch, Neighbours neighbours) {
    Budget budget = new Budget(1.0, 1e-6, neighbours);
    return StreamPlan.of(Fixtures.request(Fixtures.schema(), budget, sketch));
  }

  private static double spent(StreamPlan plan) {
    Budget budget = plan.budget();
    return Composition.of(budget.neighbours(), plan.costs()).delta(budget.epsilon())
        + plan.samplerDelta();
  }

  @ParameterizedTest
  @MethodSource("plans")
  void theWholeBudgetIsSpentAndNotMore(SketchRequest sketch, Neighbours neighbours) {
    StreamPlan plan = plan(sketch, neighbours);
    Mechanism mechanism = plan.sketch("s").mechanism();
    if (mechanism.cost() instanceof MechanismCost.Laplace laplace) {
      assertThat(laplace.epsilon()).as("pure").isEqualTo(plan.budget().epsilon());
      assertThat(spent(plan)).isLessThanOrEqualTo(1e-6);
    } else {
      assertThat(spent(plan)).isBetween(1e-6 * (1.0 - 1e-8), 1e-6);
    }
    assertThat(mechanism.noiseInState()).isTrue();
    assertThat(mechanism.name()).isEqualTo(sketch.mechanism());
    assertThat(plan.guarantee(Randomness.SYSTEM).checkpoint()).doesNotContain("NOT COVERED");
    assertThat(plan.guarantee(Randomness.SYSTEM).idealised())
        .isEqualTo(sketch.mechanism().equals("wishart"));
    assertThat(plan.samplerDistance() == 0.0).isEqualTo(sketch.mechanism().equals("wishart"));
  }

  @ParameterizedTest
  @CsvSource({"ADD_REMOVE", "REPLACE_ONE"})
  void lawsOfAllKindsShareOneBudget(Neighbours neighbours) {
    SketchRequest[] sketches = {
      Fixtures.MOMENTS,
      new SketchRequest("counts", "histogram", 0.5, Map.of("bins", "2")),
      new SketchRequest("wishart", "wishart", 1.0, Map.of()),
      new SketchRequest("strata", "stratified-moments", 2.0, Map.of())
    };
    Budget budget = new Budget(1.0, 1e-6, neighbours);
    StreamPlan plan = StreamPlan.of(Fixtures.request(Fixtures.schema(), budget, sketches));
    assertThat(spent(plan)).isBetween(1e-6 * (1.0 - 1e-5), 1e-6);
    // Alone each has less noise.
    for (SketchRequest sketch : sketches) {
      StreamPlan alone = StreamPlan.of(Fixtures.request(Fixtures.schema(), budget, sketch));
      assertThat(plan.sketch(sketch.name()).mechanism().sigma())
          .isGreaterThan(1.05 * alone.sketch(sketch.name()).mechanism().sigma());
    }
  }

  @ParameterizedTest
  @MethodSource("plans")
  void releasesSurviveBytes(SketchRequest sketch, Neighbours neighbours) {
    StreamPlan plan = plan(sketch, neighbours);
    Mechanism mechanism = plan.sketch("s").mechanism();
    long[] state = new long[mechanism.spec().stateLength()];
    Entropy entropy = Randomness.insecureForTests(71).entropy("noise");
    mechanism.addNoise(state, 0, entropy);
    long[] payload = mechanism.release(state, entropy);
    Release release = Release.of(plan, Fixtures.id("s"), Randomness.SYSTEM, payload);
    Release read = Release.fromBytes(release.toBytes());
    assertThat(read).isEqualTo(release);
    assertThat(read.payload()).isEqualTo(release.payload());
    assertThat(read.settings()).isEqualTo(mechanism.settings());
    assertThat(read.parameters()).isEqualTo(mechanism.parameters());
    assertThat(read.isOf(plan)).isTrue();
    assertThat(read.numbers()).isEqualTo(state);
    assertThat((long) read.toBytes().length)
        .isLessThanOrEqualTo(Release.largestSize(plan, plan.sketch("s")));
    assertThat(mechanism.noiseLaw()).containsPattern("whole (steps|rows)");
  }

  @ParameterizedTest
  @MethodSource("plans")
  void noiseFreeEntropyAddsNothing(SketchRequest sketch, Neighbours neighbours) {
    Mechanism mechanism = plan(sketch, neighbours).sketch("s").mechanism();
    long[] state = new long[mechanism.spec().stateLength()];
    mechanism.addNoise(state, 0, Randomness.noiseFreeForTests(1).entropy("noise"));
    assertThat(state).containsOnly(0L);
  }

  /** As between the client and the workers. */
  @ParameterizedTest
  @FieldSource("SKETCHES")
  void plansTravel(SketchRequest sketch) throws Exception {
    StreamPlan plan = plan(sketch, Neighbours.ADD_REMOVE);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(plan);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      StreamPlan read = (StreamPlan) in.readObject();
      assertThat(read).isEqualTo(plan);
      assertThat(read.sketch("s").mechanism()).isEqualTo(plan.sketch("s").mechanism());
    }
  }

  /** Whatever a file says, it is a release in range or an IllegalArgumentException. */
  @ParameterizedTest
  @FieldSource("SKETCHES")
  void foreignHeadersAreChecked(SketchRequest sketch) {
    ReleaseHeader header =
        ReleaseHeader.of(plan(sketch, Neighbours.ADD_REMOVE), Fixtures.id("s"), Randomness.SYSTEM);
    for (String name :
        List.of(
            "strata",
            "rows",
            "levels",
            "samplingBase",
            "level0Buckets",
            "degreesOfFreedom",
            "bins")) {
      if (!header.parameters().containsKey(name)) {
        continue;
      }
      Map<String, Double> changed = new HashMap<>(header.parameters());
      changed.remove(name);
      refused(() -> with(header, changed, header.settings()), name);
      for (double wrong : new double[] {Double.NaN, -1, 1.5, 1e18, Double.POSITIVE_INFINITY}) {
        changed.put(name, wrong);
        refused(() -> with(header, changed, header.settings()), name);
      }
    }
    for (String by : List.of("(intercept)", "nobody", "")) {
      if (header.settings().containsKey("stratifyBy")) {
        refused(() -> with(header, header.parameters(), Map.of("stratifyBy", by)), "stratifyBy");
        refused(() -> with(header, header.parameters(), Map.of()), "stratifyBy");
      }
    }
  }

  /** In range one by one, but not together: refused before anything of that size is made. */
  @Test
  void foreignSizesAreCheckedTogether() {
    ReleaseHeader levels = header(request("multilevel-l1"));
    Map<String, Double> wrong = new HashMap<>(levels.parameters());
    wrong.put("rows", 23.0);
    refused(() -> with(levels, wrong, Map.of()), "rows must be a multiple of levels + 1");
    wrong.putAll(Map.of("rows", 49.0, "levels", 48.0, "samplingBase", 3.0));
    refused(() -> with(levels, wrong, Map.of()), "base^levels must be in [1, 2^48]");
    ReleaseHeader counts = header(request("histogram"));
    refused(() -> with(counts, Map.of("bins", 1e6), Map.of()), "bins must be so few");
  }

  private static ReleaseHeader header(SketchRequest sketch) {
    return ReleaseHeader.of(
        plan(sketch, Neighbours.ADD_REMOVE), Fixtures.id("s"), Randomness.SYSTEM);
  }

  private static ReleaseHeader with(
      ReleaseHeader header, Map<String, Double> parameters, Map<String, String> settings) {
    return new ReleaseHeader(
        header.id(),
        header.encodingVersion(),
        header.schema(),
        header.mechanism(),
        parameters,
        settings,
        header.stepSize(),
        header.sigma(),
        header.noiseLaw(),
        header.guarantee());
  }

  private static void refused(Supplier<ReleaseHeader> header, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> header.get().payload())
        .withMessageMatching("(parameter )?" + Pattern.quote(message) + "(?s).*");
  }

  /** States whose numbers mean something else are of another series, even where equally many. */
  @Test
  void otherShapesAreOtherSeries() {
    String levels = series(sketch("multilevel-l1", Map.of("rows", "24", "samplingBase", "9")));
    assertThat(series(sketch("multilevel-l1", Map.of("rows", "24", "samplingBase", "8"))))
        .isNotEqualTo(levels);
    assertThat(
            series(
                sketch("multilevel-l1", Map.of("rows", "24", "levels", "1", "samplingBase", "9"))))
        .isEqualTo(levels);
    assertThat(series(sketch("wishart", Map.of("degreesOfFreedom", "60"))))
        .isNotEqualTo(series(sketch("wishart", Map.of("degreesOfFreedom", "61"))));
    assertThat(series(sketch("stratified-moments", Map.of("stratifyBy", "alcohol", "strata", "2"))))
        .isNotEqualTo(
            series(sketch("stratified-moments", Map.of("stratifyBy", "cut", "strata", "2"))));
  }

  private static String series(SketchRequest sketch) {
    return plan(sketch, Neighbours.ADD_REMOVE).series("PT1H");
  }
}
