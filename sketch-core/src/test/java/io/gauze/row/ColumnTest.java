package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnTest {
  @Test
  void widthsNamesAndRanges() {
    Column alcohol = new NumericColumn("alcohol", "alc", 8, 15);
    assertThat(alcohol.width()).isEqualTo(1);
    assertThat(alcohol.encodedNames()).containsExactly("alcohol");
    assertThat(alcohol.numeric()).isTrue();

    Column region = new CategoryColumn("region", "r", List.of("north", "south", "east"));
    assertThat(region.width()).isEqualTo(2);
    assertThat(region.encodedNames()).containsExactly("region=south", "region=east");
    assertThat(region.numeric()).isFalse();
    assertThat(List.of(region.lower(), region.upper())).containsExactly(0.0, 1.0);

    Column female = new IndicatorColumn("female", "sex", "Female");
    assertThat(female.width()).isEqualTo(1);
    assertThat(List.of(female.lower(), female.upper())).containsExactly(0.0, 1.0);
  }

  @ParameterizedTest
  @CsvSource({
    "15, 8",
    "8, 8",
    "NaN, 8",
    "8, NaN",
    "-Infinity, 8",
    "8, Infinity",
    "-1.7e308, 1.7e308",
    "-5e307, 5e307"
  })
  void numericRefusesRange(double lower, double upper) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NumericColumn("alcohol", "alcohol", lower, upper))
        .withMessage(
            "column alcohol: lower must be < upper, both finite, at most 8e307 apart."
                + " Provided value: [%s, %s]",
            lower, upper);
  }

  @Test
  void numericTakesAWideAndANarrowRange() {
    assertThat(new NumericColumn("a", "a", -4e307, 4e307).upper()).isEqualTo(4e307);
    assertThat(new NumericColumn("a", "a", 0, Double.MIN_VALUE).upper())
        .isEqualTo(Double.MIN_VALUE);
  }

  @Test
  void blankNamesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NumericColumn(" ", "a", 0, 1))
        .withMessage("name must not be blank. Provided value: ' '");
    assertThatIllegalArgumentException().isThrownBy(() -> new NumericColumn("a", "", 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new IndicatorColumn("a", "a", ""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CategoryColumn("a", "a", List.of("x", "")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrdinalColumn("a", "a", Map.of("", 0.0, "x", 1.0), 0, 1));
  }

  @Test
  void categoriesAreDistinctAndAtLeastTwo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CategoryColumn("region", "r", List.of("north")))
        .withMessage(
            "column region: categories must be at least 2 and distinct. Provided value: [north]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CategoryColumn("region", "r", List.of("north", "south", "north")))
        .withMessageContaining("[north, south, north]");
  }

  @Test
  void ranksAreInTheRangeAndAtLeastTwo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrdinalColumn("cut", "cut", Map.of("Fair", 0.0, "Good", 3.0), 0, 2))
        .withMessage("column cut: rank of Good must be in [0, 2]. Provided value: 3.0");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new OrdinalColumn("cut", "cut", Map.of("Fair", 0.0, "Good", Double.NaN), 0, 2))
        .withMessageContaining("NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrdinalColumn("cut", "cut", Map.of("Fair", 0.0), 0, 2))
        .withMessage("column cut: ranks must have at least 2 entries. Provided value: 1");
  }

  @Test
  void ranksKeepTheirOrderAndCannotBeChanged() {
    Map<String, Double> ranks = new LinkedHashMap<>();
    ranks.put("Premium", 2.0);
    ranks.put("Fair", 0.0);
    ranks.put("Ideal", 1.0);
    OrdinalColumn cut = new OrdinalColumn("cut", "cut", ranks, 0, 2);
    ranks.put("Good", 1.5);
    assertThat(cut.ranks().keySet()).containsExactly("Premium", "Fair", "Ideal");
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> cut.ranks().put("Good", 1.5));
  }
}
