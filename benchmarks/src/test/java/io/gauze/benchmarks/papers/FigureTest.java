package io.gauze.benchmarks.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.plot.Axis;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FigureTest {
  private static final String DASHED = "class=\"[^\"]*dashed";

  private static Figure figure(List<FigureRow> rows) {
    return new Figure("f", "A figure", Axis.log("rows"), Axis.log("error, %"), rows);
  }

  @Test
  void aTableHasAColumnForEachPlaceAndALineForEachCurve() {
    Figure figure =
        figure(
            List.of(
                Repeated.row("one", 10, 4, 2, 3),
                Repeated.row("one", 200, 0.0001),
                Repeated.row("two, as published", 200, Double.POSITIVE_INFINITY)));
    assertThat(figure.table())
        .isEqualTo(
            """
            | rows | 10 | 200 |
            |---|---|---|
            | one | 3.00 | 1.0e-04 |
            | two, as published | | no result |
            """);
  }

  @Test
  void aPageSaysWhenAndHowItWasMade() {
    Figure figure = figure(List.of(Repeated.row("one", 10, 3)));
    assertThat(figure.page("benchmarks/papers DATA FOLDER f", LocalDate.of(2026, 11, 3)))
        .startsWith("# A figure\n\nRecorded on 2026-11-03. ")
        .contains("\n    benchmarks/papers DATA FOLDER f\n")
        .contains("\nValues: error, %. ")
        .contains("\n![A figure](f.svg)\n")
        .endsWith("\n\n" + figure.table());
  }

  @Test
  void aTableOfManyPlacesHasSomeOfThem() {
    List<FigureRow> rows = new ArrayList<>();
    for (int x = 1; x <= 17; x++) {
      rows.add(Repeated.row("one", x, x));
    }
    assertThat(figure(rows).table()).startsWith("| rows | 1 | 4 | 7 | 10 | 13 | 16 |\n");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.00",
    "0.00123, 0.00123",
    "0.000123, 1.2e-04",
    "-12.34, -12.3",
    "1234.4, 1234",
    "20000, 20000",
    "20000.5, 2.0e+04",
    "2000000, 2.0e+06",
    "1e12, no result"
  })
  void valuesHaveThreeDigits(double value, String text) {
    assertThat(Figure.value(value)).isEqualTo(text);
  }

  /** Both versions of a curve have one colour, and the published one is dashed. */
  @Test
  void publishedCurvesAreDashed() {
    String corrected =
        figure(List.of(Repeated.row("one" + Figure.CORRECTED, 1, 2), Repeated.row("z", 2, 1)))
            .svg();
    assertThat(corrected).contains("A figure").doesNotContainPattern(DASHED);
    List<FigureRow> rows = new ArrayList<>();
    for (int x = 1; x <= 2; x++) {
      rows.add(Repeated.row("one" + Figure.CORRECTED, x, 2));
      rows.add(Repeated.row("one" + Figure.NOT_PRIVATE, x, 3));
      rows.add(Repeated.row("no curve", x, Double.POSITIVE_INFINITY));
    }
    assertThat(figure(rows).svg())
        .containsPattern(DASHED)
        .contains("one, as published (not private)")
        .doesNotContain("no curve");
  }

  @Test
  void aPointIsAMedianAndTheRangeAroundIt() {
    FigureRow row = Repeated.row("one", 3, 50, 10, 40, 20, 30, 60);
    assertThat(row.median()).isCloseTo(35, within(1e-12));
    assertThat(row.low()).isCloseTo(20, within(1e-12));
    assertThat(row.high()).isCloseTo(50, within(1e-12));
  }

  @Test
  void repetitionsHaveRandomNumbersOfTheirOwnAndNoResultIsTheWorst() {
    double[] values = Repeated.values(3, random -> random.nextDouble());
    assertThat(values).doesNotHaveDuplicates();
    assertThat(Repeated.values(3, random -> random.nextDouble())).containsExactly(values);
    assertThat(Repeated.values(1, random -> Double.NaN)).containsExactly(Double.POSITIVE_INFINITY);
  }

  @Test
  void unknownFiguresAreRefused(@TempDir Path folder) {
    String[] args = {folder.toString(), folder.toString(), "000-1", "000-2"};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Papers.main(args))
        .withMessageStartingWith("figures must be of [000-1, 001-1,")
        .withMessageContaining("Provided value: [");
  }
}
