package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gauze.report.TidyTable;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TermTest {
  /** The numbers are those of R: qnorm(.975), qnorm(.95) and 2 * pnorm(-2). */
  @Test
  void testsAndIntervalsAreNormal() {
    Term term = Term.of("x", 4.0, 2.0, 0.95);
    assertThat(term.statistic()).isEqualTo(2.0);
    assertThat(term.pValue()).isCloseTo(0.0455002638963584, within(1e-12));
    assertThat(term.confHigh()).isCloseTo(4.0 + 2.0 * 1.959963984540054, within(1e-12));
    assertThat(Term.of("x", 4.0, 2.0, 0.9).confLow())
        .isCloseTo(4.0 - 2.0 * 1.644853626951473, within(1e-12));
  }

  @Test
  void aWithheldErrorIsAnEmptyField() {
    Term term = Term.of("a,\"b\"", 1.0, Double.NaN, 0.95);
    assertThat(TidyTable.csv(List.of(term)))
        .isEqualTo(
            "term,estimate,std_error,statistic,p_value,conf_low,conf_high\n"
                + "\"a,\"\"b\"\"\",1.0,,,,,\n");
  }

  @Test
  void levelsAreProbabilities() {
    assertThatThrownBy(() -> Term.of("x", 1, 1, 1.0))
        .hasMessageContaining("level")
        .hasMessageContaining("Provided value: 1.0");
  }
}
