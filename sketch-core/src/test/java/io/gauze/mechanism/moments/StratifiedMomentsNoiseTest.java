package io.gauze.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StratifiedMomentsNoiseTest {
  private static SketchRequest sketch(Map<String, String> options) {
    return new SketchRequest("s", StratifiedMomentsNoise.NAME, 1.0, options);
  }

  private static StreamRequest request(Map<String, String> options) {
    return Fixtures.request(Fixtures.schema(), Fixtures.BUDGET, sketch(options));
  }

  /** Whatever the number of strata, the noise is that of one matrix. */
  @Test
  void strataAreFree() {
    for (Neighbours neighbours : Neighbours.values()) {
      Budget budget = new Budget(1.0, 1e-6, neighbours);
      double alone =
          StreamPlan.of(Fixtures.request(Fixtures.schema(), budget, Fixtures.MOMENTS))
              .sketch("moments")
              .mechanism()
              .sigma();
      for (String strata : new String[] {"1", "8", "100"}) {
        StreamRequest request =
            Fixtures.request(Fixtures.schema(), budget, sketch(Map.of("strata", strata)));
        assertThat(StreamPlan.of(request).sketch("s").mechanism().sigma())
            .as("moments spend a fiftieth of mu^2 on the lost weight")
            .isCloseTo(Math.sqrt(0.98) * alone, within(1e-8 * alone));
      }
    }
  }

  @Test
  void theLastColumnDecidesUnlessToldOtherwise() {
    StreamPlan plan = StreamPlan.of(request(Map.of("strata", "4")));
    assertThat(plan.sketch("s").mechanism().settings()).containsEntry("stratifyBy", "quality");
    StreamPlan other = StreamPlan.of(request(Map.of("stratifyBy", "region=south", "strata", "4")));
    Mechanism mechanism = other.sketch("s").mechanism();
    Release release = Release.of(other, Fixtures.id("s"), Randomness.SYSTEM, new long[4 * 28]);
    assertThat(release.payload())
        .isEqualTo(
            new Payload.Strata(
                new StratifiedMomentsSpec(7, 4, 4, Fixtures.schema().grid()), release.sigma()));
    assertThat(mechanism.parameters())
        .containsEntry("strata", 4.0)
        .containsEntry("expectedRows", 1e6);
  }

  @Test
  void whatCannotBeIsToldByItsOption() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request(Map.of("stratifyBy", "qualty"))))
        .withMessageStartingWith("sketch s: stratifyBy: column must be one of ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request(Map.of("stratifyBy", "(intercept)"))))
        .withMessageContaining("stratifyBy must be a column that varies");
    StreamRequest wide =
        Fixtures.request(
            Fixtures.numbers(1000, 1.0, 30.0), Fixtures.BUDGET, sketch(Map.of("strata", "1024")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(wide))
        .withMessageContaining("strata must be in [1, 267] for 1001 columns");
  }

  /** D = 7: 8,000 and 20,000 times 4.2247 B^2 sqrt 7, B^2 = 5.0625, are 452,687 and 1,131,717. */
  @ParameterizedTest
  @CsvSource({"452000, 5", "453000, 9", "1131000, 9", "1132000, 17"})
  void plansStrata(long rows, int strata) {
    StreamPlan plan = StreamPlan.of(withRows(request(Map.of()), rows));
    assertThat(((StratifiedMomentsSpec) plan.sketch("s").mechanism().spec()).strata())
        .isEqualTo(strata);
  }

  private static StreamRequest withRows(StreamRequest request, long rows) {
    return new StreamRequest(
        request.stream(),
        request.schema(),
        request.budget(),
        request.scope(),
        rows,
        request.assumptions(),
        request.sketches());
  }

  /**
   * Of 1,000,000 rows a stratum has 109 squares of 1/9 on average, of half as many 54: noise 80.
   */
  @Test
  void warnsWhereNoiseDrownsAStratum() {
    StreamRequest many = request(Map.of("strata", "1024"));
    StreamRequest few = withRows(many, 50_000);
    assertThat(StreamPlan.of(many).warnings()).isEmpty();
    assertThat(StreamPlan.of(few).warnings())
        .singleElement()
        .asString()
        .contains("GZ-DROWNED", "noise is likely to hide the signal of a stratum, which is ")
        .contains("fewer strata");
  }
}
