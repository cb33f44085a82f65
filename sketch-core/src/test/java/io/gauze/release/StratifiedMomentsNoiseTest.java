package io.gauze.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.privacy.Budget;
import io.gauze.privacy.Randomness;
import io.gauze.row.Neighbours;
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
            .isCloseTo(alone, within(1e-12 * alone));
      }
    }
  }

  @Test
  void theLastColumnDecidesUnlessToldOtherwise() {
    StreamPlan plan = StreamPlan.of(request(Map.of("strata", "4")));
    assertThat(plan.sketch("s").mechanism().settings()).containsEntry("by", "quality");
    StreamPlan other = StreamPlan.of(request(Map.of("by", "region=south", "strata", "4")));
    Mechanism mechanism = other.sketch("s").mechanism();
    Release release =
        Release.of(other, Fixtures.id("s"), Randomness.SYSTEM, new long[4 * 28]);
    assertThat(release.contents())
        .isEqualTo(
            new Contents.Strata(
                new StratifiedMomentsSpec(7, 4, 4, Fixtures.schema().grid()), release.sigma()));
    assertThat(mechanism.parameters())
        .containsEntry("strata", 4.0)
        .containsEntry("expectedRows", 1e6);
  }

  @Test
  void whatCannotBeIsToldByItsOption() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request(Map.of("by", "qualty"))))
        .withMessageStartingWith("sketch s: by: column must be one of the stream's; the nearest is");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(request(Map.of("by", "(intercept)"))))
        .withMessageContaining("by must be a column that varies");
    StreamRequest wide =
        Fixtures.request(
            Fixtures.numbers(1000, 1.0, 30.0), Fixtures.BUDGET, sketch(Map.of("strata", "1024")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(wide))
        .withMessageContaining("strata must be in [1, 267] for 1001 columns");
  }

  /** Halved from 8 while n / (9 K) is below sigma sqrt(2 D). */
  @ParameterizedTest
  @CsvSource({
    "1000000, 8, 40, 8", // 13888 rows' worth against 160
    "11520, 8, 40, 8", // exactly as much
    "11519, 8, 40, 4",
    "5759, 8, 40, 2",
    "2879, 8, 40, 1",
    "1, 4096, 1e9, 1"
  })
  void plansStrata(long rows, int dimension, double sigma, int strata) {
    assertThat(StratifiedMomentsNoise.defaultStrata(rows, dimension, sigma)).isEqualTo(strata);
  }

  /** Of 1,000,000 rows a stratum has 109 squares of 1/9 on average, of half as many 54: noise 80. */
  @Test
  void warnsWhereNoiseDrownsAStratum() {
    StreamRequest many = request(Map.of("strata", "1024"));
    StreamRequest few =
        new StreamRequest(
            many.stream(),
            many.schema(),
            many.budget(),
            many.unit(),
            500_000,
            many.assumptions(),
            many.sketches());
    assertThat(StreamPlan.of(many).warnings()).isEmpty();
    assertThat(StreamPlan.of(few).warnings())
        .singleElement()
        .asString()
        .contains("the noise of a stratum is likely to drown its rows")
        .contains("fewer strata");
  }
}
