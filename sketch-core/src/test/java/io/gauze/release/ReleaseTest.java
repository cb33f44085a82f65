package io.gauze.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReleaseTest {
  private static final StreamPlan PLAN = Fixtures.plan();

  private static long[] payload(int length) {
    return LongStream.range(0, length).map(i -> (i - 20) * 123_456_789L).toArray();
  }

  private static Release release(String sketch, Randomness randomness) {
    int length = PLAN.sketch(sketch).mechanism().spec().stateLength();
    return Release.of(PLAN, Fixtures.id(sketch), randomness, payload(length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"moments", "buckets"})
  void survivesBytes(String sketch) {
    Release release = release(sketch, Randomness.SYSTEM);
    Release read = Release.fromBytes(release.toBytes());
    assertThat(read).isEqualTo(release).hasSameHashCodeAs(release);
    assertThat(read.toBytes()).isEqualTo(release.toBytes());
    Mechanism mechanism = PLAN.sketch(sketch).mechanism();
    assertThat(read.id()).isEqualTo(Fixtures.id(sketch));
    assertThat(read.schema()).isEqualTo(PLAN.schema());
    assertThat(read.encodingVersion()).isEqualTo(PLAN.encodingVersion());
    assertThat(read.mechanism()).isEqualTo(mechanism.name());
    assertThat(read.parameters()).isEqualTo(mechanism.parameters());
    assertThat(read.sigmaSteps()).isEqualTo(mechanism.sigma());
    assertThat(read.sigma()).isEqualTo(mechanism.sigma() * mechanism.stepSize());
    assertThat(read.stepSize()).isEqualTo(mechanism.stepSize());
    assertThat(read.noiseLaw()).isEqualTo(mechanism.noiseLaw());
    assertThat(read.guarantee()).isEqualTo(PLAN.guarantee(Randomness.SYSTEM));
    assertThat(read.numbers()).isEqualTo(payload(mechanism.spec().stateLength()));
  }

  /** What {@link StreamPlan#series} covers, and nothing else. */
  @Test
  void isOfThePlansThatMakeItsLike() {
    Release release = release("buckets", Randomness.SYSTEM);
    assertThat(release.isOf(PLAN)).isTrue();
    assertThat(release("buckets", Randomness.insecureForTests(1)).isOf(PLAN)).isTrue();
    StreamRequest made = PLAN.request();
    assertThat(release.isOf(plan(made.stream(), made.budget(), made.expectedRows() + 1))).isTrue();
    assertThat(release.isOf(plan("beer", made.budget(), made.expectedRows()))).isFalse();
    Budget more = new Budget(2, made.budget().delta(), made.budget().neighbours());
    assertThat(release.isOf(plan(made.stream(), more, made.expectedRows()))).isFalse();
    Budget other = new Budget(made.budget().epsilon(), 1e-7, made.budget().neighbours());
    assertThat(release.isOf(plan(made.stream(), other, made.expectedRows()))).isFalse();
  }

  private static StreamPlan plan(String stream, Budget budget, long expectedRows) {
    StreamRequest made = PLAN.request();
    return StreamPlan.of(
        new StreamRequest(
            stream,
            made.schema(),
            budget,
            made.scope(),
            expectedRows,
            made.assumptions(),
            made.sketches()));
  }

  @Test
  void givesMomentsInTheEncodedScale() {
    Release release = release("moments", Randomness.SYSTEM);
    // row 1 of 7 columns begins at entry 7; 13 bits of fraction, squared
    assertThat(release.stepSize()).isEqualTo(0x1p-26);
    assertThat(release.value(8)).isEqualTo((8 - 20) * 123_456_789L * 0x1p-26);
    assertThat(release.payload())
        .isEqualTo(
            new Payload.Moments(
                7, new MomentNoise.Gaussian(release.sigma()), release.parameters().get("rowUnit")));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> release.value(29));
  }

  @Test
  void givesBucketsInTheEncodedScale() {
    Release release = release("buckets", Randomness.SYSTEM);
    assertThat(release.payload()).isEqualTo(new Payload.Buckets(8, 7, release.sigma()));
    assertThat(release.value(3 * 7 + 2)).isEqualTo((3 * 7 + 2 - 20) * 123_456_789L * 0x1p-13);
    assertThat(release.sigma() * ((AdditiveMechanism) PLAN.sketch("buckets").mechanism()).mu())
        .isCloseTo(2.25, within(1e-12));
  }

  @Test
  void isImmutable() {
    long[] state = payload(29);
    Release release = Release.of(PLAN, Fixtures.id("moments"), Randomness.SYSTEM, state);
    Arrays.fill(state, 0);
    release.numbers()[0] = 0;
    assertThat(release.numbers()).isEqualTo(payload(29));
  }

  @Test
  void showsIdAndGuaranteeOnly() {
    Release release = release("moments", Randomness.insecureForTests(1));
    assertThat(release.toString())
        .isEqualTo(
            "Release[wine/all/2026-01-01T00:00:00Z/moments, "
                + release.guarantee().sentence()
                + "]")
        .contains("NOT PRIVATE")
        .doesNotContain("123456789");
  }

  /** The header is the same whatever the data are. */
  @Test
  void saysNothingExactAboutTheData() {
    byte[] some = release("moments", Randomness.SYSTEM).toBytes();
    byte[] none =
        Release.of(PLAN, Fixtures.id("moments"), Randomness.SYSTEM, new long[29]).toBytes();
    int header = none.length - 32 - 1 - 29 - 1; // checksum, end, a byte for each zero, their number
    assertThat(Arrays.copyOf(some, header)).isEqualTo(Arrays.copyOf(none, header));
  }

  @ParameterizedTest
  @ValueSource(strings = {"moments", "buckets"})
  void neverExceedsItsLargestSize(String sketch) {
    SketchPlan plan = PLAN.sketch(sketch);
    long[] large = new long[plan.mechanism().spec().stateLength()];
    Arrays.fill(large, Long.MIN_VALUE);
    String part = "é".repeat(127);
    ReleaseId id = new ReleaseId("wine", part, part, sketch);
    Release release = Release.of(PLAN, id, Randomness.noiseFreeForTests(1), large);
    assertThat((long) release.toBytes().length)
        .isBetween(Release.largestSize(PLAN, plan) - 300, Release.largestSize(PLAN, plan));
  }

  @Test
  void refusesWhatIsNotARelease() {
    byte[] good = release("moments", Randomness.SYSTEM).toBytes();
    refused(new byte[0], "release must begin with c301");
    refused(new byte[] {(byte) 0xc3, 1}, "release must begin with c301");
    refused("{\"json\": \"yes, it is\"}".getBytes(UTF_8), "release must begin with c301");
    byte[] other = good.clone();
    other[5]++;
    refused(other, "release must be of version 1 or 2, by its schema");
    for (int length = 10; length < good.length; length += 7) {
      refused(Arrays.copyOf(good, length), "release must end with the SHA-256 of its other bytes");
    }
    byte[] longer = Arrays.copyOf(good, good.length + 1);
    refused(longer, "release must end with the SHA-256");
    refused(ReleaseAvro.seal(longer), "release must be whole, with nothing behind it");
  }

  private static void refused(byte[] bytes, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Release.fromBytes(bytes))
        .withMessageStartingWith(message);
  }

  @Test
  void allDamageIsRefused() {
    byte[] good = release("moments", Randomness.SYSTEM).toBytes();
    SplittableRandom random = new SplittableRandom(16);
    for (int i = 0; i < 2000; i++) {
      byte[] bad = mutate(good, random);
      if (!Arrays.equals(bad, good)) {
        refused(bad, "release must");
      }
    }
  }

  /** Damage under a checksum that fits is read as another release, or refused in words. */
  @ParameterizedTest
  @ValueSource(strings = {"moments", "buckets"})
  void forgedDamageIsHandledCleanly(String sketch) {
    byte[] good = release(sketch, Randomness.SYSTEM).toBytes();
    SplittableRandom random = new SplittableRandom(17);
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
      byte[] bad = ReleaseAvro.seal(mutate(good, random));
      try {
        assertThat(Release.fromBytes(bad).toBytes()).isNotEmpty();
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("Provided value:").hasMessageStartingWith("release");
        refused++;
      }
    }
    assertThat(refused).isBetween(100, 1900);
  }

  private static byte[] mutate(byte[] good, SplittableRandom random) {
    byte[] bad = good.clone();
    int at = random.nextInt(bad.length);
    switch (random.nextInt(4)) {
      case 0 -> bad[at] = (byte) random.nextInt();
      case 1 -> bad[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> Arrays.fill(bad, at, Math.min(bad.length, at + 10), (byte) 0xff);
      default -> {
        int to = random.nextInt(bad.length);
        System.arraycopy(good, at, bad, to, Math.min(20, bad.length - Math.max(at, to)));
      }
    }
    return bad;
  }

  @Test
  void refusesContradictions() {
    contradicts(r -> r.put("formatVersion", 2), "formatVersion must be 1");
    contradicts(r -> r.put("gridBits", 12), "grid must be Grid[fractionBits=13]");
    contradicts(r -> r.put("gridBits", -1), "fractionBits must be in");
    contradicts(r -> r.put("rowBound", 2.0), "grid must be");
    contradicts(r -> r.put("rowBound", 2.3), "encoding version must be");
    contradicts(r -> r.put("mechanism", "jla"), "mechanism must be one of");
    contradicts(r -> r.put("mechanism", "count-sketch"), "buckets must be a whole number");
    contradicts(r -> r.put("unit", -1.0), "unit must be > 0");
    contradicts(r -> r.put("sigma", Double.NaN), "sigma must be > 0");
    for (double value : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
      contradicts(r -> r.put("parameters", Map.of("odd", value)), "parameter odd must be finite");
    }
    // another unit would make another share of the lost weight
    contradicts(r -> parameter(r, "rowUnit", 1.5), "sensitivity must be a whole multiple of");
    contradicts(r -> parameter(r, "sensitivity", 1.001), "sensitivity must be a whole multiple");
    contradicts(r -> guarantee(r).put("neighbours", "replace-one"), "sensitivity must be");
    contradicts(r -> r.put("missing", "MAYBE"), "missing must be REJECT or MIDPOINT");
    contradicts(r -> r.put("payload", List.of(1L)), "payload of");
    contradicts(r -> column(r, 0).put("kind", "odd"), "column kind must be");
    contradicts(r -> column(r, 0).put("kind", "indicator"), "an indicator must have 1 text");
    contradicts(r -> column(r, 0).put("kind", "ordinal"), "column alcohol: ranks");
    contradicts(r -> column(r, 1).put("ranks", List.of(1.0)), "ranks must be as many");
    contradicts(r -> column(r, 2).put("upper", 2.0), "column must be as its kind makes it");
    contradicts(r -> guarantee(r).put("private", true), "randomness must begin with NOT PRIVATE");
    contradicts(r -> guarantee(r).put("neighbours", "x"), "neighbours must be");
  }

  @Test
  void aUnitOfSeveralRowsHasAMultipleOfTheSensitivity() {
    Release release = release("moments", Randomness.insecureForTests(1));
    GenericRecord record = ReleaseRecord.of(release.header(), release.numbers());
    parameter(record, "sensitivity", 3.0);
    assertThat(Release.fromBytes(ReleaseAvro.encode(record)).parameters().get("sensitivity"))
        .isEqualTo(3.0 * release.parameters().get("sensitivity"));
  }

  private static void parameter(GenericRecord record, String name, double factor) {
    Map<String, Double> changed = new TreeMap<>();
    ((Map<?, ?>) record.get("parameters"))
        .forEach((key, value) -> changed.put(key.toString(), (Double) value));
    changed.compute(name, (key, value) -> factor * value);
    record.put("parameters", changed);
  }

  private static GenericRecord column(GenericRecord record, int index) {
    return (GenericRecord) ((List<?>) record.get("columns")).get(index);
  }

  private static GenericRecord guarantee(GenericRecord record) {
    return (GenericRecord) record.get("guarantee");
  }

  private static void contradicts(Consumer<GenericRecord> damage, String message) {
    Release release = release("moments", Randomness.insecureForTests(1));
    GenericRecord record = ReleaseRecord.of(release.header(), release.numbers());
    damage.accept(record);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Release.fromBytes(ReleaseAvro.encode(record)))
        .withMessageStartingWith("release is damaged: " + message);
  }

  @Test
  void refusesWhatDoesNotFitThePlan() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Release.of(
                    PLAN,
                    new ReleaseId("beer", "all", "all", "moments"),
                    Randomness.SYSTEM,
                    payload(29)))
        .withMessage("release must be of stream wine. Provided value: beer");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Release.of(PLAN, Fixtures.id("moments"), Randomness.SYSTEM, payload(27)))
        .withMessageContaining("must have 29 numbers. Provided value: 27");
  }
}
