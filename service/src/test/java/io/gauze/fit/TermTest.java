package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.regression.CoefficientTable.Interval;
import io.gauze.report.TidyTable;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TermTest {
  /** Spreadsheets run what begins like a formula. */
  @Test
  void textsInCsvAreNoFormulas() {
    for (String begin : List.of("=", "+", "-", "@", "\t", "\r")) {
      assertThat(TidyTable.text(begin + "cmd|' /C calc'!A0").replace("\"", ""))
          .startsWith("'" + begin);
    }
    assertThat(TidyTable.text("a=b")).isEqualTo("a=b");
    assertThat(TidyTable.number(-1.5)).isEqualTo("-1.5");
  }

  /** The number is that of R: 2 * pnorm(-2). */
  @Test
  void pValuesAreTwoSided() {
    Term term = Term.of("x", -4.0, new Term.Errors(2.0, 1.0), -2.0, new Interval(-7.0, -1.0));
    assertThat(term.pValue()).isCloseTo(0.0455002638963584, within(1e-12));
    assertThat(term.confLow()).isEqualTo(-7.0);
    assertThat(term.isWithheld()).isFalse();
  }

  @Test
  void whatIsWithheldIsAnEmptyField() {
    Interval none = new Interval(Double.NaN, Double.NaN);
    Term.Errors errors = new Term.Errors(Double.NaN, Double.NaN);
    Term term = Term.of("a,\"b\"", 1.0, errors, Double.NaN, none);
    assertThat(term.isWithheld()).isTrue();
    assertThat(TidyTable.csv(List.of(term)))
        .isEqualTo(
            "term,estimate,std_error,statistic,p_value,conf_low,conf_high\n"
                + "\"a,\"\"b\"\"\",1.0,,,,,\n");
  }
}
