package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.noise.Randomness;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GuaranteeTest {
  private static Guarantee guarantee(
      Randomness randomness, List<String> assumptions, boolean idealised) {
    return new Guarantee(
        1.0,
        1e-6,
        Neighbours.ADD_REMOVE,
        UnitKind.ROW,
        assumptions,
        "Balle and Wang 2018",
        idealised,
        "A stolen checkpoint adds nothing.",
        randomness.description(),
        randomness.isPrivate());
  }

  @Test
  void speaksPlainEnglish() {
    assertThat(guarantee(Randomness.SYSTEM, List.of("a", "b"), true).sentence())
        .isEqualTo(
            "Differentially private with epsilon 1.0 and delta 1.0E-6 for each row (add-remove): if"
                + " one row is added or removed, the probability of anything that all releases of this"
                + " stream together can show changes by a factor of at most 2.718, and by"
                + " 1.0E-6 on top of that. This assumes that a; that b. The proof is for real"
                + " numbers; the program computes with doubles. Why it holds: Balle and Wang 2018."
                + " A stolen checkpoint adds nothing.");
  }

  @Test
  void warnsFirst() {
    Guarantee fake = guarantee(Randomness.insecureForTests(1), List.of(), false);
    assertThat(fake.sentence()).startsWith("NOT PRIVATE").contains("With system entropy");
    assertThat(fake.toString()).isEqualTo(fake.sentence());
    assertThat(fake.sentence()).doesNotContain("assumes").doesNotContain("real numbers");
  }

  @Test
  void refusesContradictionsAndBlanks() {
    Guarantee good = guarantee(Randomness.SYSTEM, List.of(), false);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Guarantee(
                    1.0,
                    1e-6,
                    Neighbours.ADD_REMOVE,
                    UnitKind.ROW,
                    List.of(),
                    good.basis(),
                    false,
                    good.checkpoint(),
                    Randomness.noiseFreeForTests(1).description(),
                    true))
        .withMessageStartingWith("randomness must begin with NOT PRIVATE exactly if");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Guarantee(
                    1.0,
                    1e-6,
                    Neighbours.ADD_REMOVE,
                    UnitKind.ROW,
                    List.of(),
                    " ",
                    false,
                    good.checkpoint(),
                    good.randomness(),
                    true))
        .withMessage("basis must not be blank. Provided value:  ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Budget(101, 1e-6, Neighbours.REPLACE_ONE))
        .withMessage("epsilon must be in (0, 100.0]. Provided value: 101.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Budget(1, 0.0, Neighbours.REPLACE_ONE))
        .withMessage("delta must be in (0, 0.1]. Provided value: 0.0");
  }

  @ParameterizedTest
  @EnumSource
  void neighboursHaveLabels(Neighbours neighbours) {
    assertThat(Neighbours.parse(neighbours.label())).isEqualTo(neighbours);
    assertThat(neighbours.change()).isNotBlank();
  }

  @ParameterizedTest
  @EnumSource
  void unitsHaveLabels(UnitKind unit) {
    assertThat(UnitKind.parse(unit.label())).isEqualTo(unit);
    assertThat(unit).hasToString(unit.label());
  }

  @Test
  void refusesUnknownUnits() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UnitKind.parse("ROW"))
        .withMessage("unit must be row, user or key. Provided value: ROW");
  }

  @Test
  void refusesUnknownNeighbours() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Neighbours.parse("both"))
        .withMessage("neighbours must be add-remove or replace-one. Provided value: both");
  }
}
