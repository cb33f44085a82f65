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

  /**
   * Returns a table with one more column, {@code comment}, whose first line has the messages.
   *
   * @param messages what to consider before the numbers are used
   */
  public static String csv(List<Term> terms, List<String> messages) {
    StringBuilder csv = new StringBuilder(HEADER + ",comment\n");
    String comment = comment(messages);
    for (Term term : terms) {
      csv.append(line(term)).append(',').append(comment).append('\n');
      comment = "";
    }
    return csv.toString();
  }

  /** Returns messages as a field. */
  public static String comment(List<String> messages) {
    return text(String.join(" | ", messages));
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

  /**
   * Returns a text as a field: in quotes if it needs them (RFC 4180), and after an apostrophe if a
   * spreadsheet would take it for a formula.
   */
  public static String text(String value) {
    boolean runs = !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0;
    String safe = runs ? "'" + value : value;
    return safe.matches("[^\",\r\n]*") ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }

  /** Returns a number as a field: all its digits, empty if it is NaN. */
  public static String number(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }
}
