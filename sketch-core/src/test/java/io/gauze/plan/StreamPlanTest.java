package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.noise.Randomness;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.sketch.CountSketchSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamPlanTest {
  private static AdditiveMechanism additive(StreamPlan plan, String sketch) {
    return (AdditiveMechanism) plan.sketch(sketch).mechanism();
  }

  private static SketchRequest countSketch(int buckets) {
    return new SketchRequest(
        "b", NoisyCountSketch.NAME, 1, Map.of("buckets", Integer.toString(buckets)));
  }

  @ParameterizedTest
  @EnumSource
  void oneSketchSpendsTheWholeBudget(Neighbours neighbours) {
    Budget budget = new Budget(1.0, 1e-6, neighbours);
    RowSchema schema = Fixtures.numbers(3, 1.0, 2.0);
    boolean added = neighbours == Neighbours.ADD_REMOVE;
    AdditiveMechanism moments =
        additive(StreamPlan.of(Fixtures.request(schema, budget, Fixtures.MOMENTS)), "moments");
    // B = 2: 4 and 4 sqrt 2 times the constant for epsilon 1, delta 1e-6
    assertThat(moments.sigma() * moments.stepSize())
        .isCloseTo(4.224678889326835 * (added ? 4 : 4 * Math.sqrt(2)), within(1e-8));
    assertThat(moments.stepSize()).isEqualTo(0x1p-28); // 14 bits of fraction, squared
    AdditiveMechanism buckets =
        additive(StreamPlan.of(Fixtures.request(schema, budget, countSketch(4))), "b");
    assertThat(buckets.sigma() * buckets.stepSize())
        .isCloseTo(4.224678889326835 * (added ? 2 : 4), within(1e-8));
    assertThat(buckets.stepSize()).isEqualTo(0x1p-14);
  }

  @Test
  void sketchesComposeToTheBudget() {
    StreamPlan plan = Fixtures.plan();
    double[] mus = {additive(plan, "moments").mu(), additive(plan, "buckets").mu()};
    assertThat(mus[1] * mus[1] / (mus[0] * mus[0])).isCloseTo(2.0, within(1e-13));
    double spent = GaussianDp.delta(1.0, GaussianDp.compose(mus)) + plan.samplerDelta();
    assertThat(spent).isBetween(1e-6 * (1 - 1e-9), 1e-6);
    for (SketchPlan sketch : plan.sketches()) {
      AdditiveMechanism mechanism = additive(plan, sketch.name());
      double sigma = mechanism.sigma() * mechanism.stepSize();
      assertThat(mechanism.sensitivity() / sigma)
          .isBetween(mechanism.mu() * (1 - 1e-14), mechanism.mu() * (1 + 1e-15));
    }
    // 28 entries of moments, the lost weight and 56 entries of buckets, each 2^-100 from its law
    assertThat(plan.samplerDelta())
        .isCloseTo((1 + Math.E) * 85 * 0x1p-100, within(1e-12 * 85 * 0x1p-100));
  }

  @Test
  void replacedRowsTouchTwoCells() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    StreamPlan replace =
        StreamPlan.of(Fixtures.request(Fixtures.schema(), budget, Fixtures.MOMENTS));
    StreamPlan add =
        StreamPlan.of(Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, Fixtures.MOMENTS));
    assertThat(replace.samplerDelta()).isEqualTo(2 * add.samplerDelta());
  }

  @Test
  void refusesNoiseThatTheGridCannotCarry() {
    RowSchema schema = Fixtures.numbers(3, 1.0, 1.0001);
    StreamRequest request = Fixtures.request(schema, Fixtures.BUDGET, countSketch(4));
    UncalibratedMechanism draft = NoisyCountSketch.KIND.sizing().of(request, countSketch(4), 1.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> draft.calibrate().apply(new MechanismCost.Gaussian(17.0)))
        .withMessageStartingWith("sigma of count-sketch must be in [1024, 1.100e+12] grid steps")
        .withMessageEndingWith("give it less of epsilon");
    Budget tight = new Budget(1e-4, 1e-9, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(Fixtures.request(schema, tight, Fixtures.MOMENTS)))
        .withMessageStartingWith("sketch moments: sigma of noisy-moments must be in [1448, 1.100e")
        .withMessageEndingWith("give it more of epsilon");
  }

  /** Epsilon is to blame if a smaller one of use is kept with this delta, else delta. */
  @ParameterizedTest
  @CsvSource({
    "60, 1e-6, 'epsilon must be smaller with delta 1.0E-6 and these sketches, such as 49.8: '",
    "100, 1e-6, 'epsilon must be smaller with delta 1.0E-6 and these sketches, such as 49.8: '",
    "0.5, 1e-30, delta must be above 6.06",
    "1, 1e-30, delta must be above 8.51",
    "100, 1e-30, delta must be above 8.51"
  })
  void refusesABudgetThatTheSamplersUseUp(double epsilon, double delta, String message) {
    StreamRequest request =
        Fixtures.request(
            Fixtures.schema(), new Budget(epsilon, delta, Neighbours.ADD_REMOVE), Fixtures.MOMENTS);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request))
        .withMessageStartingWith(message)
        .withMessageEndingWith(" Provided value: " + (message.startsWith("e") ? epsilon : delta));
  }

  @Test
  void refusesARowBoundThatNoRowReaches() {
    RowSchema loose = RowSchema.of(Fixtures.schema().columns(), 0.5, 2.32, MissingValues.MIDPOINT);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(Fixtures.request(loose, Fixtures.BUDGET, Fixtures.MOMENTS)))
        .withMessageStartingWith("rowBound must be at most 2.2913, the largest norm");
  }

  /** The power of two near n / (18 sigma^2), from 4 (D - 1) rounded up, to 16384. */
  @ParameterizedTest
  @CsvSource({
    "1000000, 10, 5, 512", // 555.6
    "1000000, 8, 5, 1024", // 868.1, above 512 sqrt 2 = 724.1
    "1000000, 10, 200, 1024", // at least 796
    "1000000, 1, 5, 16384", // at most
    "10, 10, 5, 16", // at least 16
    "10, 10, 6, 32", // at least 20
    "10, 10, 2, 4",
    "1, 1e9, 4096, 16384",
    "8588886016, 1e-3, 4096, 16384"
  })
  void plansBuckets(long rows, double sigma, int dimension, int buckets) {
    assertThat(NoisyCountSketch.defaultBuckets(rows / 9.0, sigma, dimension)).isEqualTo(buckets);
  }

  @Test
  void plansBucketsThatAreLeftOut() {
    SketchRequest open = new SketchRequest("b", NoisyCountSketch.NAME, 1, Map.of());
    StreamPlan plan = StreamPlan.of(Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, open));
    Mechanism mechanism = plan.sketch("b").mechanism();
    int expected =
        NoisyCountSketch.defaultBuckets(
            1e6 * ExpectedSquares.mean(Fixtures.schema()),
            mechanism.sigma() * mechanism.stepSize(),
            7);
    assertThat(((CountSketchSpec) mechanism.spec()).buckets()).isEqualTo(expected);
  }

  @Test
  void warnsWhenNoiseDrownsTheRows() {
    // 1e6 v / sigma^2 with sigma = 2.25 * 4.22 is above 1229, useful from 20 * 6 = 120
    assertThat(
            StreamPlan.of(Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, countSketch(64)))
                .warnings())
        .isEmpty();
    Budget tight = new Budget(0.1, 1e-6, Neighbours.ADD_REMOVE);
    assertThat(
            StreamPlan.of(Fixtures.request(Fixtures.schema(), tight, countSketch(64))).warnings())
        .singleElement()
        .asString()
        .contains(
            "GZ-DROWNED", "Sketch b: noise is likely to hide the signal of a bucket, which is ");
  }

  /** The version is part of the stored form: this value never changes. */
  @Test
  void encodingVersionIsFixed() {
    assertThat(Fixtures.plan().encodingVersion())
        .isEqualTo("43690e6cd273c00ef6a4b16889ee67b1f1f8a35a7e9e720c73e6ff8ae2e0113e");
  }

  @Test
  void encodingVersionTellsEncodingsApart() {
    NumericColumn x = new NumericColumn("x", "x", 0, 1);
    MissingValues reject = MissingValues.REJECT;
    Set<String> versions = new HashSet<>();
    versions.add(version(RowSchema.of(List.of(x), 1, 1.1, reject)));
    versions.add(version(RowSchema.of(List.of(x), 0.5, 1.1, reject)));
    versions.add(version(RowSchema.of(List.of(x), 1, 1.05, reject)));
    versions.add(version(RowSchema.of(List.of(x), 1, 1.1, MissingValues.MIDPOINT)));
    NumericColumn[] others = {
      new NumericColumn("y", "x", 0, 1),
      new NumericColumn("x", "y", 0, 1),
      new NumericColumn("x", "x", -1, 1),
      new NumericColumn("x", "x", 0, 2)
    };
    for (NumericColumn other : others) {
      versions.add(version(RowSchema.of(List.of(other), 1, 1.1, reject)));
    }
    assertThat(versions).hasSize(8).allMatch(version -> version.matches("[0-9a-f]{64}"));
  }

  private static String version(RowSchema schema) {
    return StreamPlan.of(Fixtures.request(schema, Fixtures.BUDGET, Fixtures.MOMENTS))
        .encodingVersion();
  }

  @Test
  void sketchesOfOneStreamUseTheirOwnBuckets() {
    SketchRequest other = new SketchRequest("b2", NoisyCountSketch.NAME, 1, Map.of("buckets", "8"));
    StreamPlan plan =
        StreamPlan.of(
            Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, Fixtures.BUCKETS, other));
    assertThat(plan.sketches().get(0).mechanism().spec())
        .isNotEqualTo(plan.sketches().get(1).mechanism().spec());
  }

  @Test
  void travels() throws Exception {
    StreamPlan plan = Fixtures.plan();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(plan);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      StreamPlan read = (StreamPlan) in.readObject();
      assertThat(read).isEqualTo(plan).hasSameHashCodeAs(plan);
      assertThat(read.encodingVersion()).isEqualTo(plan.encodingVersion());
      long[] block = new long[28];
      long[] same = new long[28];
      Randomness randomness = Randomness.insecureForTests(1);
      plan.sketch("moments").mechanism().addNoise(block, 0, randomness.entropy("n"));
      read.sketch("moments").mechanism().addNoise(same, 0, randomness.entropy("n"));
      assertThat(same).isEqualTo(block);
    }
  }

  @Test
  void guaranteeSaysEverything() {
    StreamRequest request = Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, Fixtures.BUCKETS);
    StreamRequest assuming =
        new StreamRequest(
            request.stream(),
            request.schema(),
            request.budget(),
            StreamRequest.ROW,
            1,
            List.of("the broker stamps rows"),
            request.sketches());
    Guarantee guarantee = StreamPlan.of(assuming).guarantee(Randomness.SYSTEM);
    assertThat(guarantee.isPrivate()).isTrue();
    assertThat(guarantee.idealised()).isFalse();
    assertThat(guarantee.assumptions())
        .startsWith("the broker stamps rows")
        .anyMatch(text -> text.contains("SipHash"))
        .anyMatch(text -> text.contains("AES-256"));
    assertThat(guarantee.basis()).contains("Balle and Wang").contains("Dong, Roth and Su");
    assertThat(guarantee.checkpoint()).contains("another checkpoint");
    Guarantee fake = Fixtures.plan().guarantee(Randomness.noiseFreeForTests(1));
    assertThat(fake.sentence()).startsWith("NOT PRIVATE");
  }

  @Test
  void describesItsNoise() {
    assertThat(Fixtures.plan().noise())
        .hasSize(2)
        .first()
        .asString()
        .startsWith("moments: independent normal noise, rounded to whole steps of ");
    assertThat(Fixtures.plan().toString()).contains("wine").contains("buckets: independent");
  }

  @Test
  void refusesBadRequests() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fixtures.plan().sketch("moment"))
        .withMessage(
            "sketch must be one of the stream's; the nearest is moments."
                + " Provided value: moment");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SketchRequest("a", "noisy-moment", 1, Map.of()))
        .withMessageContaining("the nearest is noisy-moments");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SketchRequest("a", NoisyMoments.NAME, 1, Map.of("buckets", "4")))
        .withMessage("noisy-moments has no options. Provided value: buckets");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SketchRequest("a", NoisyCountSketch.NAME, 1, Map.of("bucket", "4")))
        .withMessage("count-sketch has the option buckets. Provided value: bucket");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SketchRequest("a/b", NoisyMoments.NAME, 1, Map.of()))
        .withMessageStartingWith("sketch name must have 1 to 255 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SketchRequest("a", NoisyMoments.NAME, Double.NaN, Map.of()))
        .withMessage("weight must be > 0 and finite. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                StreamPlan.of(Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, countSketch(3))))
        .withMessage("sketch b: buckets must be a power of two. Provided value: 3");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Fixtures.request(
                    Fixtures.schema(), Fixtures.BUDGET, Fixtures.MOMENTS, Fixtures.MOMENTS))
        .withMessage("sketch names must be distinct. Provided value: moments twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fixtures.request(Fixtures.schema(), Fixtures.BUDGET))
        .withMessage("sketches must not be empty. Provided value: []");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1L << 33})
  void refusesImpossibleRows(long rows) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new StreamRequest(
                    "s",
                    Fixtures.schema(),
                    Fixtures.BUDGET,
                    StreamRequest.ROW,
                    rows,
                    List.of(),
                    List.of(Fixtures.MOMENTS)))
        .withMessageStartingWith("expectedRows must be in [1, 8588886016]");
  }
}
