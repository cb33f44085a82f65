package io.gauze.http.resource;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.message.Message;
import io.gauze.regression.Fit;
import io.gauze.report.Figures;
import io.gauze.report.TidyTable;
import java.util.ArrayList;
import java.util.List;

/** What a series says of each of its fits. */
final class Points {
  private Points() {}

  /** Adds what a fit says to its entry. */
  static void add(ObjectNode entry, FitReport report) {
    FitReport.Outlook outlook = report.outlook().orElseThrow();
    put(entry, "predictedExcess", outlook.excess());
    entry.put("verdict", outlook.verdict());
    ObjectNode estimates = entry.putObject("coefficients");
    ObjectNode errors = entry.putObject("standardErrors");
    ObjectNode low = entry.putObject("confLow");
    ObjectNode high = entry.putObject("confHigh");
    for (Term term : report.terms()) {
      estimates.put(term.name(), term.estimate());
      put(errors, term.name(), term.stdError());
      put(low, term.name(), term.confLow());
      put(high, term.name(), term.confHigh());
    }
  }

  private static void put(ObjectNode object, String name, double value) {
    object.set(
        name,
        Double.isNaN(value)
            ? JsonNodeFactory.instance.nullNode()
            : JsonNodeFactory.instance.numberNode(value));
  }

  /** Returns what to consider before the numbers of a fit are used: its excess and warnings. */
  static List<String> messages(FitReport report) {
    return messages(report.outlook().orElseThrow(), report.messages());
  }

  /** Returns the same for a fit without its report. */
  static List<String> messages(BestFit.Attempt attempt) {
    Fit fit = attempt.fit().orElseThrow();
    return messages(
        new FitReport.Outlook(fit.predictedExcess(), attempt.verdict().word()), fit.warnings());
  }

  private static List<String> messages(FitReport.Outlook outlook, List<Message> warnings) {
    List<String> messages = new ArrayList<>();
    messages.add("predicted excess " + Figures.excess(outlook.excess()) + ": " + outlook.verdict());
    warnings.forEach(message -> messages.add(message.line()));
    return messages;
  }

  /** Adds lines of a tidy table that begin with a column of their own, and end with a comment. */
  static void add(StringBuilder csv, String first, FitReport report) {
    String comment = TidyTable.comment(messages(report));
    for (Term term : report.terms()) {
      csv.append(first).append(',').append(TidyTable.line(term));
      csv.append(',').append(comment).append('\n');
      comment = "";
    }
  }
}
