package io.gauze.mechanism.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.internal.Fingerprint;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.noise.Randomness;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NoisyMultilevelSketchTest {
  private static StreamPlan plan(Map<String, String> options) {
    return StreamPlan.of(
        Fixtures.request(
            Fixtures.schema(),
            Fixtures.BUDGET,
            new SketchRequest("s", NoisyMultilevelSketch.NAME, 1.0, options)));
  }

  private static MultilevelSketchSpec spec(Map<String, String> options) {
    return (MultilevelSketchSpec) plan(options).sketch("s").mechanism().spec();
  }

  private static MultilevelSketchSpec shape(int buckets, int levels, int base, int copies) {
    long seed = Fingerprint.seed("wine", "s");
    return new MultilevelSketchSpec(7, buckets, levels, base, copies, seed);
  }

  /** A million rows; what is left out is planned. */
  @Test
  void shapesAreAsAskedFor() {
    assertThat(spec(Map.of("rows", "2000"))).isEqualTo(shape(1000, 1, 1000, 1));
    assertThat(spec(Map.of("rows", "2000", "level0Buckets", "3")))
        .isEqualTo(shape(999, 1, 1001, 3));
    assertThat(spec(Map.of("rows", "3000", "levels", "2"))).isEqualTo(shape(1000, 2, 32, 1));
    assertThat(spec(Map.of("rows", "2000", "samplingBase", "7"))).isEqualTo(shape(1000, 1, 7, 1));
    assertThat(spec(Map.of("rows", "50", "levels", "0"))).isEqualTo(shape(50, 0, 20_000, 1));
    MultilevelSketchSpec planned = spec(Map.of());
    AdditiveMechanism mechanism = (AdditiveMechanism) plan(Map.of()).sketch("s").mechanism();
    double sigma = mechanism.sigma() * mechanism.stepSize();
    assertThat(planned)
        .isEqualTo(
            MultilevelSketchSpec.forRows(
                7,
                NoisyCountSketch.defaultBuckets(
                    1e6 * ExpectedSquares.mean(Fixtures.schema()), sigma, 7),
                1_000_000,
                1,
                planned.seed()));
    // a row is in two buckets
    assertThat(mechanism.sensitivity()).isCloseTo(2.25 * Math.sqrt(2.0), within(1e-12));
  }

  @Test
  void impossibleShapesAreToldByTheirOption() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(Map.of("rows", "5", "level0Buckets", "3")))
        .withMessage(
            "sketch s: rows must be in [6, 1048576] for these columns, levels and copies."
                + " Provided value: 5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(Map.of("rows", "500", "levels", "40", "samplingBase", "3")))
        .withMessageStartingWith(
            "sketch s: samplingBase must be such that its power to the levels, 40");
  }

  @Test
  void contentsSayWhichBucketsCountHowMuch() {
    StreamPlan plan =
        plan(Map.of("rows", "24", "levels", "2", "samplingBase", "5", "level0Buckets", "2"));
    Release release = Release.of(plan, Fixtures.id("s"), Randomness.SYSTEM, new long[24 * 7]);
    MultilevelSketchSpec spec = new MultilevelSketchSpec(7, 8, 2, 5, 2, 0L);
    assertThat(release.payload()).isEqualTo(new Payload.WeightedBuckets(spec, release.sigma()));
    assertThat(plan.guarantee(Randomness.SYSTEM).assumptions())
        .anyMatch(assumption -> assumption.contains("SipHash-2-4 under a secret key"));
  }

  /** 1,000,000 rows in 1000 buckets: 0.1 sqrt(1000) against 2.25 sqrt 2 times 4.2247. */
  @Test
  void saysWithNumbersThatItIsOfLittleUse() {
    assertThat(plan(Map.of("rows", "2000")).warnings())
        .singleElement()
        .asString()
        .contains("GZ-FEWSUMS", "a sum of 1.00e+03 rows has noise 13.4, and residuals 3.16")
        .contains("Take stratified-moments");
  }
}
