package io.gauze.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.SmallReleases;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.FitSource;
import io.gauze.fit.Term;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The table of a fit has the interval of each coefficient, also without its standard error. */
final class FitTableTest {
  private static final FitReport FIT = fit(0.95);

  private static FitReport fit(double level) {
    FitSource source = FitSource.of(List.of(SmallReleases.hour(1)));
    return BestFit.of(List.of(source), FitQuestion.byAllOthers("y")).report(true, level);
  }

  private static String table(FitReport fit) {
    return FitTable.of(fit, fit.json(), false).table();
  }

  private static String interval(Term term) {
    return String.format(Locale.ROOT, "%.6g to %.6g", term.confLow(), term.confHigh());
  }

  @Test
  void theIntervalIsThatOfTheLevel() {
    List<String> usual = table(FIT).lines().toList();
    List<String> narrow = table(fit(0.5)).lines().toList();

    assertThat(usual.get(2)).matches(" +coefficient  standard error +95 % interval");
    assertThat(narrow.get(2)).endsWith("  50 % interval");
    List<Term> terms = FIT.terms();
    for (int k = 0; k < terms.size(); k++) {
      assertThat(usual.get(4 + k))
          .startsWith(terms.get(k).name() + " ")
          .endsWith("  " + interval(terms.get(k)))
          .hasSizeLessThan(80);
      assertThat(narrow.get(4 + k)).endsWith("  " + interval(fit(0.5).terms().get(k)));
    }
  }

  @Test
  void anAnswerHasTheSameTable() {
    assertThat(table(FitReport.read(FIT.json()))).isEqualTo(table(FIT));
    assertThat(table(FitReport.read(fit(0.5).json()))).isEqualTo(table(fit(0.5)));
  }

  @Test
  void squaresWithoutAPenaltyAreCalledLeastSquares() {
    ObjectNode answer = FIT.json();
    assertThat(table(FitReport.read(answer.put("lambda", 0.0))))
        .startsWith("What explains y, by least squares,");
    assertThat(table(FitReport.read(answer.put("lambda", 0.5))))
        .startsWith("What explains y, by ridge,");
  }

  /** The penalty of a constant is infinite, which is the largest number of an answer. */
  @Test
  void anAnswerThatIsAConstantSaysSo() {
    ObjectNode answer = FIT.json().put("lambda", Double.POSITIVE_INFINITY);

    assertThat(table(FitReport.read(answer))).containsPattern("lambda +infinite: a constant");
  }

  @Test
  void anIntervalIsShownThoughTheStandardErrorIsWithheld() {
    ObjectNode answer = FIT.json();
    answer.withObject("/standardErrors").putNull("a");
    answer.withObject("/confLow").put("a", 0.25).putNull("b");
    answer.withObject("/confHigh").put("a", 0.75).putNull("b");

    assertThat(table(FitReport.read(answer)))
        .containsPattern("(?m)^a +[0-9.]+ +- +0.250000 to 0.750000$")
        .containsPattern("(?m)^b +-[0-9.]+ +[0-9.]+ +-$");
  }
}
