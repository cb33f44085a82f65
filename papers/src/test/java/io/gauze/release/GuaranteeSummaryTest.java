package io.gauze.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.Mechanisms;
import io.gauze.noise.Randomness;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The guarantee in a sentence: short, and never a stronger promise than the guarantee. */
final class GuaranteeSummaryTest {
  private static Stream<String> mechanisms() {
    return Mechanisms.names().stream();
  }

  @ParameterizedTest
  @MethodSource("mechanisms")
  void isShortForEveryMechanism(String mechanism) {
    Guarantee guarantee = ReleaseSamples.plan(mechanism).guarantee(Randomness.SYSTEM);

    assertThat(guarantee.summary())
        .hasSizeLessThanOrEqualTo(Guarantee.LONGEST_SUMMARY)
        .contains(
            "epsilon " + guarantee.epsilon() + " ",
            "delta " + guarantee.delta() + " ",
            "for each row (" + guarantee.neighbours().label() + ")",
            "all releases of this stream together",
            "if its assumptions hold");
    assertThat(guarantee.summary().contains("idealised")).isEqualTo(guarantee.idealised());
  }

  private static Guarantee guarantee(UnitKind unit, Neighbours neighbours, Randomness randomness) {
    return new Guarantee(
        1.23451,
        1.23449e-10,
        neighbours,
        unit,
        List.of("a"),
        "basis",
        true,
        "checkpoint",
        randomness.description(),
        randomness.isPrivate());
  }

  @Test
  void isShortForEveryUnitAndRoundsUp() {
    for (UnitKind unit : UnitKind.values()) {
      for (Neighbours neighbours : Neighbours.values()) {
        String text = guarantee(unit, neighbours, Randomness.SYSTEM).summary();
        assertThat(text)
            .hasSizeLessThanOrEqualTo(Guarantee.LONGEST_SUMMARY)
            .contains("epsilon 1.235 ", "delta 1.235E-10 ", "each " + unit.label())
            .contains("(" + neighbours.label() + ")");
        assertThat(text.contains("epochs add up")).isEqualTo(unit.epochsAddUp());
        assertThat(text.contains("releases of this epoch")).isEqualTo(unit.epochsAddUp());
      }
    }
  }

  @Test
  void promisesNothingWithoutNoise() {
    for (Randomness fake :
        List.of(Randomness.insecureForTests(1), Randomness.noiseFreeForTests(1))) {
      assertThat(guarantee(UnitKind.ROW, Neighbours.ADD_REMOVE, fake).summary())
          .startsWith("NOT PRIVATE")
          .contains("promises nothing")
          .doesNotContain("ifferentially private")
          .hasSizeLessThanOrEqualTo(Guarantee.LONGEST_SUMMARY);
    }
  }
}
