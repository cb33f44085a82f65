package io.gauze.report;

import io.gauze.fit.Predicted;
import io.gauze.fit.PredictionReport;
import io.gauze.regression.Fit;
import io.gauze.regression.Loss;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Predictions for people, and as CSV. */
public final class PredictionTable {
  /** The names of the columns of the CSV. */
  public static final String HEADER = "fit,std_error,lower,upper,clamped";

  private static final Columns<Predicted> COLUMNS =
      Columns.<Predicted>ofNumbers()
          .cell("fit", each -> number(each.fit()))
          .cell("standard error", each -> number(each.stdError()))
          .cell("lower", each -> number(each.lower()))
          .cell("upper", each -> number(each.upper()))
          .cell(
              "moved into range",
              each -> each.clamped().isEmpty() ? "-" : String.join(", ", each.clamped()));

  private PredictionTable() {}

  /** Returns the lines with their header; withheld numbers are empty. */
  public static String csv(PredictionReport report) {
    return HEADER
        + "\n"
        + report.rows().stream().map(PredictionTable::line).collect(Collectors.joining());
  }

  /** Returns the lines with one more column, {@code comment}, whose first line has the messages. */
  public static String commented(PredictionReport report, List<String> messages) {
    StringBuilder csv = new StringBuilder(HEADER + ",comment\n");
    String comment = TidyTable.comment(messages);
    for (Predicted row : report.rows()) {
      csv.append(numbers(row)).append(',').append(comment).append('\n');
      comment = "";
    }
    return csv.toString();
  }

  private static String line(Predicted row) {
    return numbers(row) + "\n";
  }

  private static String numbers(Predicted row) {
    return DoubleStream.of(row.fit(), row.stdError(), row.lower(), row.upper())
            .mapToObj(TidyTable::number)
            .collect(Collectors.joining(","))
        + ","
        + TidyTable.text(String.join(" ", row.clamped()));
  }

  /**
   * Returns the report for people and programs.
   *
   * @param whole whether people see the whole guarantee instead of a sentence
   */
  public static Report of(PredictionReport predictions, boolean whole) {
    Report report = new Report();
    predictions.json().properties().forEach(each -> report.field(each.getKey(), each.getValue()));
    boolean single = predictions.interval() == PredictionReport.Interval.PREDICTION;
    Fit fit = predictions.fit();
    report
        .text(
            String.format(
                Locale.ROOT,
                "%s %s, by %s, with %s %% intervals of %s",
                fit.problem().loss().equals(Loss.LOGISTIC) ? "Probability of" : "Predicted",
                fit.problem().responseName(),
                Figures.loss(fit.loss(), fit.lambda()),
                Figures.number(100.0 * predictions.level()),
                single ? "one further row (prediction)" : "the mean of such rows (confidence)"))
        .gap()
        .table(COLUMNS, predictions.rows())
        .gap();
    predictions.withheld().ifPresent(reason -> report.note("withheld: " + reason));
    String guarantee = FitTable.guarantee(predictions.guarantee(), whole);
    report.text("Guarantee: " + guarantee);
    Messages.lines(fit.warnings()).forEach(report::note);
    return report;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.6g", value);
  }
}
