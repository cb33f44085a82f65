package io.gauze.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.gauze.fit.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class EffectsPlotTest {
  private static Term effect(String name, double estimate, double half) {
    double nan = Double.NaN;
    return new Term(name, estimate, nan, nan, nan, nan, nan, estimate - half, estimate + half);
  }

  private static final List<Term> ALIKE =
      List.of(effect("a", 1.0, 0.5), effect("b", -1.0, 1.0), effect("c", 0.2, 0.1));

  private static List<Term> with(Term more) {
    List<Term> effects = new ArrayList<>(ALIKE);
    effects.add(more);
    return effects;
  }

  /** The heights at which dots are drawn, in pixels from above. */
  private static List<Double> dots(List<Term> effects) {
    return Pattern.compile("<circle [^>]*cy=\"([^\"]+)\"")
        .matcher(EffectsPlot.svg("y", effects, 0.95))
        .results()
        .map(found -> found.group(1))
        .map(Double::valueOf)
        .toList();
  }

  @Test
  void oneEffectOrIntervalDoesNotFlattenTheOthers() {
    List<Double> alone = dots(ALIKE);
    for (Term far : List.of(effect("far", 300.0, 1.0), effect("far", 2.0, 90.0))) {
      List<Double> beside = dots(with(far));
      assertThat(beside.get(1) - beside.get(0))
          .isCloseTo(alone.get(1) - alone.get(0), withPercentage(20));
      assertThat(EffectsPlot.svg("y", with(far), 0.95)).contains("; beyond the axis: far<");
    }
  }

  @Test
  void effectsOfLikeSizeHaveOneAxis() {
    assertThat(EffectsPlot.beyond(ALIKE)).isEmpty();
    assertThat(EffectsPlot.beyond(with(effect("d", 9.0, 1.0)))).isEmpty();
    assertThat(EffectsPlot.svg("y", ALIKE, 0.95)).doesNotContain("beyond");
  }

  @Test
  void twoEffectsOrNoneAreNotCut() {
    assertThat(EffectsPlot.beyond(List.of(effect("a", 1.0, 0.1), effect("b", 99.0, 0.1))))
        .isEmpty();
    assertThat(EffectsPlot.beyond(List.of())).isEmpty();
    assertThat(EffectsPlot.beyond(List.of(effect("a", 0.0, 0.0), effect("b", 0.0, 0.0)))).isEmpty();
  }
}
