package io.gauze.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.fit.FitReport;
import io.gauze.fit.StreamFits;
import io.gauze.fit.Term;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fit of several streams as CSV: a {@link TidyTable} whose first column names the stream. The
 * lines of the sum come first; their stream is empty, and they have Cochran's Q.
 */
public final class StreamsTable {
  /** The names of the columns. */
  static final String HEADER = "stream," + TidyTable.HEADER + ",q,q_degrees,q_p_value,comment";

  private static final int NUMBERS = 6; // of a term in a tidy table

  private StreamsTable() {}

  /**
   * Returns a table.
   *
   * @param report of several streams
   * @param messages what to consider before the numbers are used: the comment of the sum
   */
  public static String csv(FitReport report, List<String> messages) {
    StreamFits streams = report.streams().orElseThrow();
    StringBuilder csv = new StringBuilder(HEADER).append('\n');
    String comment = TidyTable.comment(messages);
    for (int k = 0; k < report.terms().size(); k++) {
      csv.append(',').append(TidyTable.line(report.terms().get(k)));
      csv.append(test(streams.heterogeneity(k))).append(',').append(comment).append('\n');
      comment = "";
    }
    Map<String, String> guarantees = new HashMap<>();
    for (JsonNode each : report.guarantee().path("streams")) {
      guarantees.put(each.path("stream").asText(), each.path("summary").asText());
    }
    streams.streams().forEach(one -> add(csv, one, guarantees.getOrDefault(one.stream(), "")));
    return csv.toString();
  }

  private static String test(Optional<StreamFits.Heterogeneity> test) {
    return test.map(
            known ->
                ","
                    + TidyTable.number(known.q())
                    + ","
                    + known.degrees()
                    + ","
                    + TidyTable.number(known.pValue()))
        .orElse(",,,");
  }

  private static void add(StringBuilder csv, StreamFits.One one, String guarantee) {
    String comment = TidyTable.comment(List.of(one.verdict(), guarantee));
    String stream = TidyTable.text(one.stream());
    if (one.terms().isEmpty()) {
      csv.append(stream).append(",".repeat(NUMBERS + 5)).append(comment).append('\n');
    }
    for (Term term : one.terms()) {
      csv.append(stream).append(',').append(TidyTable.line(term));
      csv.append(test(Optional.empty())).append(',').append(comment).append('\n');
      comment = "";
    }
  }
}
