package io.gauze.sql;

import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.message.Message;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.types.Row;

/**
 * The row of a term, with the column names of R's broom; a withheld number is NULL. The codes of
 * the fit's messages are in each row, with commas between them; NULL if there is none.
 */
final class TermRow {
  /** Its columns. */
  static final String TYPE =
      "term STRING NOT NULL, estimate DOUBLE NOT NULL, std_error DOUBLE, sampling_error DOUBLE,"
          + " privacy_error DOUBLE, statistic DOUBLE, p_value DOUBLE, conf_low DOUBLE,"
          + " conf_high DOUBLE, messages STRING";

  private TermRow() {}

  /** Returns the rows of a report, each after these values. */
  static List<Row> all(FitReport report, Object... before) {
    String codes =
        report.messages().isEmpty()
            ? null
            : report.messages().stream().map(Message::code).collect(Collectors.joining(","));
    return report.terms().stream().map(term -> of(term, codes, before)).toList();
  }

  private static Row of(Term term, String codes, Object... before) {
    Stream<Object> all =
        Stream.of(
            term.name(),
            term.estimate(),
            known(term.stdError()),
            known(term.samplingError()),
            known(term.privacyError()),
            known(term.statistic()),
            known(term.pValue()),
            known(term.confLow()),
            known(term.confHigh()),
            codes);
    return Row.of(Stream.concat(Stream.of(before), all).toArray());
  }

  /** Returns a number; null, which is NULL in SQL, if it is NaN. */
  static Double known(double number) {
    return Double.isNaN(number) ? null : number;
  }
}
