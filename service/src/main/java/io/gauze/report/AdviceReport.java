package io.gauze.report;

import io.gauze.mechanism.StreamRequest;
import io.gauze.regression.advice.Advisor;
import io.gauze.regression.advice.Advisor.Advice;
import io.gauze.regression.advice.ErrorSearch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reports of advice on a stream, as {@code gauze advise} prints it. */
public final class AdviceReport {
  private AdviceReport() {}

  /**
   * Advice and its report.
   *
   * @param request the stream that it is about
   * @param recommendation which mechanism to take
   */
  public record Answer(
      StreamRequest request, AdviceTable table, String recommendation, Report report) {}

  /**
   * Returns the report alone, as {@link #answer} does.
   *
   * @throws IllegalArgumentException as {@link #answer}
   */
  public static Report of(AdvisedStream stream, AdviceQuestion question) {
    return answer(stream, question).report();
  }

  /**
   * Returns advice. Takes tenths of a second, and seconds if an error is wanted.
   *
   * @throws IllegalArgumentException if the rows are missing, or a number is out of range; the
   *     message begins with the name of the part of the question
   */
  public static Answer answer(AdvisedStream stream, AdviceQuestion question) {
    double epsilon = question.epsilon().orElse(stream.budget().epsilon());
    long rows = rows(stream, question);
    StreamRequest request = stream.request(epsilon, rows);
    List<Advice> all = Advisor.of(request, question.kind(), question.explained());
    List<Advice> advice = question.all() ? all : Advisor.shown(all, stream.mechanisms());
    AdviceTable table =
        new AdviceTable(
            question.loss(), rows, request.schema().rowBound(), question.explained(), advice);
    Optional<AdviceTable.Wanted> wanted =
        question.error().map(error -> wanted(stream, question, advice, error, epsilon, rows));
    Report report = table.report(wanted, note(stream, epsilon, rows));
    return new Answer(request, table, table.recommendation(Advisor.recommended(advice)), report);
  }

  private static long rows(AdvisedStream stream, AdviceQuestion question) {
    if (question.rows().isEmpty() && stream.expectedRows().isEmpty()) {
      throw new IllegalArgumentException(
          "rows is missing, and "
              + stream.label()
              + " has no expectedRows: give the rows expected in an epoch and group, a public"
              + " guess, such as 100000");
    }
    return question.rows().orElseGet(stream.expectedRows()::getAsLong);
  }

  private static AdviceTable.Wanted wanted(
      AdvisedStream stream,
      AdviceQuestion question,
      List<Advice> advice,
      AdviceQuestion.Wanted error,
      double epsilon,
      long rows) {
    ErrorSearch search =
        new ErrorSearch(stream::request, question.kind(), question.explained(), error.share());
    Map<String, AdviceTable.Needs> needs = new LinkedHashMap<>();
    for (Advice one : advice) {
      needs.put(
          one.mechanism(),
          new AdviceTable.Needs(
              search.epsilon(one.mechanism(), epsilon, rows),
              search.rows(one.mechanism(), epsilon, rows)));
    }
    return new AdviceTable.Wanted(error.share(), error.label(), epsilon, needs);
  }

  private static String note(AdvisedStream stream, double epsilon, long rows) {
    double own = stream.budget().epsilon();
    String ofRows = stream.note(rows);
    String ofEpsilon =
        epsilon == own
            ? ""
            : String.format(
                Locale.ROOT,
                "This is for epsilon %s; %s has epsilon %s.",
                epsilon,
                stream.label(),
                own);
    return ofRows.isEmpty() || ofEpsilon.isEmpty() ? ofRows + ofEpsilon : ofEpsilon + " " + ofRows;
  }
}
