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
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The table of a fit has the interval of each coefficient, also without its standard error. */
final class FitTableTest {
  private static final FitReport FIT =
      BestFit.of(
              List.of(FitSource.of(List.of(SmallReleases.hour(1)))),
              FitQuestion.of(FitQuestion.Parts.byAllOthers("y", true), FitQuestion.Wording.OPTIONS))
          .report(true);

  private static String interval(Term term) {
    return String.format(Locale.ROOT, "%.6g to %.6g", term.confLow(), term.confHigh());
  }

  @Test
  void theIntervalIsThatOfTheLevel() {
    List<String> usual = FitTable.of(FIT).table().lines().toList();
    List<String> narrow = FitTable.of(FIT, Optional.of(0.5), false).table().lines().toList();

    assertThat(usual.get(2)).matches(" +coefficient  standard error +95 % interval");
    assertThat(narrow.get(2)).endsWith("  50 % interval");
    List<Term> terms = FIT.terms(0.95);
    for (int k = 0; k < terms.size(); k++) {
      assertThat(usual.get(4 + k))
          .startsWith(terms.get(k).name() + " ")
          .endsWith("  " + interval(terms.get(k)))
          .hasSizeLessThan(80);
      assertThat(narrow.get(4 + k)).endsWith("  " + interval(FIT.terms(0.5).get(k)));
    }
  }

  @Test
  void anAnswerHasTheSameTable() {
    assertThat(FitTable.of(FIT.json(0.95), false).table()).isEqualTo(FitTable.of(FIT).table());
    assertThat(FitTable.of(FIT.json(0.5), false).table())
        .isEqualTo(FitTable.of(FIT, Optional.of(0.5), false).table());
  }

  @Test
  void squaresWithoutAPenaltyAreCalledLeastSquares() {
    ObjectNode answer = FIT.json(0.95);
    assertThat(FitTable.of(answer.put("lambda", 0.0), false).table())
        .startsWith("What explains y, by least squares,");
    assertThat(FitTable.of(answer.put("lambda", 0.5), false).table())
        .startsWith("What explains y, by ridge,");
  }

  @Test
  void anIntervalIsShownThoughTheStandardErrorIsWithheld() {
    ObjectNode answer = FIT.json(0.95);
    answer.withObject("/standardErrors").putNull("a");
    answer.withObject("/confLow").put("a", 0.25).putNull("b");
    answer.withObject("/confHigh").put("a", 0.75).putNull("b");

    assertThat(FitTable.of(answer, false).table())
        .containsPattern("(?m)^a +[0-9.]+ +- +0.250000 to 0.750000$")
        .containsPattern("(?m)^b +-[0-9.]+ +[0-9.]+ +-$");
  }
}
