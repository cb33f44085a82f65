package io.gauze.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One report, as people and as programs read it. */
final class ReportTest {
  private static final Columns<Integer> SQUARES =
      Columns.<Integer>create()
          .cell("square", n -> Integer.toString(n * n))
          .add("n", "number", n -> n)
          .field("half", n -> n % 2 == 0 ? Optional.of(n / 2) : Optional.empty());

  @Test
  void eachHasItsOwnOrderAndEntries() {
    Report report =
        new Report()
            .line("for people", "1")
            .add("both", "both", 0.5, "a half")
            .field("programs", List.of("x"))
            .field("absent", Optional.empty())
            .gap()
            .list("numbers", SQUARES, List.of(3, 4))
            .text("end")
            .line("last", "line");
    assertThat(report.table().lines())
        .containsExactly(
            "for people  1",
            "both        a half",
            "",
            "square  number",
            "9       3",
            "16      4",
            "end",
            "last  line");
    assertThat(report.json().strip())
        .isEqualTo(
            "{\"both\":0.5,\"programs\":[\"x\"],\"numbers\":[{\"n\":3},{\"n\":4,\"half\":2}]}");
  }

  @Test
  void anEmptyListHasLabels() {
    Report report = new Report().list("numbers", SQUARES, List.of());
    assertThat(report.table().lines()).containsExactly("square  number");
    assertThat(report.json().strip()).isEqualTo("{\"numbers\":[]}");
  }

  @Test
  void whatIsNotFiniteIsText() {
    Map<String, Double> limits = Map.of("epsilon", Double.POSITIVE_INFINITY);
    assertThat(new Report().fields(limits).json().strip()).isEqualTo("{\"epsilon\":\"Infinity\"}");
  }

  @Test
  void aNumberOfRowsHasItsNoun() {
    assertThat(Figures.rows(0)).isEqualTo("0 rows");
    assertThat(Figures.rows(1)).isEqualTo("1 row");
    assertThat(Figures.rows(5000)).isEqualTo("5,000 rows");
  }
}
