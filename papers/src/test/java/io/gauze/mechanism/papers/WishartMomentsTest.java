package io.gauze.mechanism.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.WishartPrivacy;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.message.PlanMessage;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.testing.Alpha;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WishartMomentsTest {
  private static WishartMoments planned(RowSchema schema, Budget budget, String degrees) {
    Map<String, String> options =
        degrees.isEmpty() ? Map.of() : Map.of("degreesOfFreedom", degrees);
    SketchRequest sketch = new SketchRequest("s", WishartMoments.NAME, 1.0, options);
    return (WishartMoments)
        StreamPlan.of(Fixtures.request(schema, budget, sketch)).sketch("s").mechanism();
  }

  /** A replaced row counts twice, which noisy-moments need not do. */
  @Test
  void replacedRowsAreWarnedOf() {
    Budget replace = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    SketchRequest sketch = new SketchRequest("s", "wishart", 1.0, Map.of());
    assertThat(StreamPlan.of(Fixtures.request(Fixtures.schema(), replace, sketch)).warnings())
        .containsExactly(PlanMessage.REPLACED.of("s"));
    assertThat(
            StreamPlan.of(Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, sketch)).warnings())
        .isEmpty();
  }

  /** The scale of the accounting is over B^2; of the noise, in squared grid steps. */
  @Test
  void theScaleIsTheLeastThatKeepsTheBudget() {
    for (Neighbours neighbours : Neighbours.values()) {
      Budget budget = new Budget(1.0, 1e-6, neighbours);
      WishartMoments mechanism = planned(Fixtures.schema(), budget, "60");
      double least = WishartPrivacy.leastScale(budget, 7, 60).scale();
      assertThat(mechanism.scale() * mechanism.stepSize())
          .isCloseTo(least * 2.25 * 2.25, within(1e-7 * least));
      assertThat(mechanism.stepSize()).isEqualTo(0x1p-26);
      assertThat(mechanism.sigma()).isEqualTo(mechanism.scale() * Math.sqrt(120.0));
    }
    WishartMoments open = planned(Fixtures.schema(), Fixtures.BUDGET, "");
    assertThat(open.noise().degrees()).isEqualTo(7 + 4096);
    assertThat(open.noiseLaw()).contains("which hides rounding, in whole steps of " + 0x1p-26);
  }

  @Test
  void contentsHaveTheLawOfTheNoise() {
    SketchRequest sketch = new SketchRequest("s", WishartMoments.NAME, 1.0, Map.of());
    StreamPlan plan = StreamPlan.of(Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, sketch));
    WishartMoments mechanism = (WishartMoments) plan.sketch("s").mechanism();
    Release release = Release.of(plan, Fixtures.id("s"), Randomness.SYSTEM, new long[28]);
    Payload.Moments contents = (Payload.Moments) release.payload();
    MomentNoise.Wishart noise = (MomentNoise.Wishart) contents.noise();
    assertThat(contents.dimension()).isEqualTo(7);
    assertThat(noise.degrees()).isEqualTo(4103);
    double scale = mechanism.scale() * mechanism.stepSize();
    assertThat(noise.scale()).isCloseTo(scale, within(1e-13 * scale));
  }

  /**
   * Entries on the diagonal have mean k s and deviation s sqrt(2 k); those off it mean 0, and their
   * squares mean k s^2 and variance (2 k^2 + 6 k) s^4: z-tests of each over 20,000 draws, together
   * 1e-6. A scale that is off by 5 % would be noticed, by 37 standard errors (k = 60).
   */
  @Test
  void noiseFollowsItsLaw() {
    WishartMoments mechanism = planned(Fixtures.schema(), Fixtures.BUDGET, "60");
    SecondMomentsSpec spec = mechanism.spec();
    double[] sums = new double[28];
    double[] squares = new double[28];
    int draws = 20_000;
    Entropy entropy = Randomness.insecureForTests(72).entropy("wishart");
    for (int d = 0; d < draws; d++) {
      long[] state = new long[28];
      mechanism.addNoise(state, 0, entropy);
      for (int k = 0; k < 28; k++) {
        double entry = state[k] / mechanism.scale();
        sums[k] += entry;
        squares[k] += entry * entry;
      }
    }
    double critical = Alpha.z(2 * 28);
    for (int i = 0; i < 7; i++) {
      for (int j = i; j < 7; j++) {
        int at = spec.index(i, j);
        double mean = i == j ? 60.0 : 0.0;
        double deviation = Math.sqrt(i == j ? 120.0 : 60.0);
        assertThat(Math.abs(z(sums[at], draws, mean, deviation))).isLessThan(critical);
        if (i == j) {
          assertThat(z(1.05 * sums[at], draws, mean, 1.05 * deviation)).isGreaterThan(critical);
        } else {
          double spread = Math.sqrt(2.0 * 3600.0 + 360.0);
          assertThat(Math.abs(z(squares[at], draws, 60.0, spread))).isLessThan(critical);
        }
      }
    }
  }

  private static double z(double sum, int draws, double mean, double deviation) {
    return (sum - draws * mean) / (deviation * Math.sqrt(draws));
  }

  @Test
  void noiseIsDrawnWhole() {
    WishartMoments mechanism = planned(Fixtures.schema(), Fixtures.BUDGET, "60");
    Entropy entropy = Randomness.insecureForTests(73).entropy("part");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mechanism.addNoise(new long[27], 0, entropy))
        .withMessage("block must be the whole state of 28 numbers. Provided value: 27");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> mechanism.addNoise(new long[28], 1, entropy));
    RowSchema most = Fixtures.numbers(179, 1.0, 4.0);
    assertThat(planned(most, Fixtures.BUDGET, "").spec().stateLength()).isEqualTo(16_290);
    RowSchema wide = Fixtures.numbers(180, 1.0, 4.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planned(wide, Fixtures.BUDGET, ""))
        .withMessageContaining("must be at most 180 for wishart")
        .withMessageEndingWith("Provided value: 181; noisy-moments takes more");
  }

  @Test
  void refusesWhatItCannotKeep() {
    WishartMoments right = planned(Fixtures.schema(), Fixtures.BUDGET, "60");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new WishartMoments(
                    right.spec(),
                    right.noise(),
                    right.squaredBound(),
                    right.stepSize(),
                    right.scale() / 1.0001))
        .withMessageStartingWith("scale must be at least ");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new WishartMoments(
                    new SecondMomentsSpec(6),
                    right.noise(),
                    right.squaredBound(),
                    right.stepSize(),
                    right.scale()))
        .withMessageStartingWith("columns of noise must be 6");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planned(Fixtures.schema(), Fixtures.BUDGET, "8"))
        .withMessageContaining("degreesOfFreedom must be in [9, 1000000] for 7 columns");
    Budget tight = new Budget(1e-7, 1e-12, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> planned(Fixtures.schema(), tight, "1000000"))
        .withMessageContaining("give it more of epsilon, or fewer degrees");
  }
}
