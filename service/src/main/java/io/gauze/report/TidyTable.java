package io.gauze.report;

import io.gauze.fit.Term;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Terms of models as CSV with the column names of R's broom; a withheld number is empty. */
public final class TidyTable {
  /** The names of the columns. */
  public static final String HEADER =
      "term,estimate,std_error,statistic,p_value,conf_low,conf_high";

  private TidyTable() {}

  /** Returns a table with its header, one term a line. */
  public static String csv(List<Term> terms) {
    return HEADER
        + "\n"
        + terms.stream().map(term -> line(term) + "\n").collect(Collectors.joining());
  }

  /** Returns the line of a term, without its end. */
  public static String line(Term term) {
    return text(term.name())
        + DoubleStream.of(
                term.estimate(),
                term.stdError(),
                term.statistic(),
                term.pValue(),
                term.confLow(),
                term.confHigh())
            .mapToObj(value -> "," + number(value))
            .collect(Collectors.joining());
  }

  /** Returns a text as a field: in quotes if it needs them (RFC 4180). */
  public static String text(String value) {
    return value.matches("[^\",\r\n]*") ? value : '"' + value.replace("\"", "\"\"") + '"';
  }

  /** Returns a number as a field: all its digits, empty if it is NaN. */
  public static String number(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }
}
