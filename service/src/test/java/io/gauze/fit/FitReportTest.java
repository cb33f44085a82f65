package io.gauze.fit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.RequestReader;
import io.gauze.answer.SmallReleases;
import io.gauze.regression.CoefficientTable;
import io.gauze.regression.Fit;
import io.gauze.row.RowSchema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A report is written as JSON and read again. */
final class FitReportTest {
  private static final FitSource SOURCE = FitSource.of(List.of(SmallReleases.hour(1)));

  private static BestFit best(String fields) throws Exception {
    JsonNode request = JsonMapper.builder().build().readTree("{\"response\":\"y\"" + fields + "}");
    return BestFit.of(List.of(SOURCE), RequestReader.request(request).question());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",\"loss\":\"lasso\",\"lambda\":0.5",
        ",\"loss\":\"elastic-net\",\"freeIntercept\":true",
        ",\"scale\":\"encoded\"",
        ",\"lambda\":1e100"
      })
  void whatIsReadIsWrittenAgain(String fields) throws Exception {
    for (double level : new double[] {0.5, 0.95}) {
      FitReport report = best(fields).report(!fields.contains("encoded"), level);
      String json = report.json().toString();

      FitReport read = FitReport.read(JsonMapper.builder().build().readTree(json));

      assertThat(read.json()).hasToString(json);
      assertThat(read.shortJson()).hasToString(report.shortJson().toString());
      assertThat(read.terms()).isEqualTo(report.terms());
      assertThat(read.messages()).isEqualTo(report.messages());
    }
  }

  @Test
  void theShortFormIsTheLongOneWithoutWhatHasALevel() throws Exception {
    FitReport report = best("").report(true, 0.9);
    ObjectNode json = report.json();
    json.remove(
        List.of(
            "level",
            "confLow",
            "confHigh",
            "statistic",
            "pValue",
            "samplingErrors",
            "privacyErrors",
            "effects"));

    assertThat(report.shortJson()).hasToString(json.toString());
  }

  @Test
  void anAnswerOfAnOlderProgramIsReadAsFarAsItGoes() throws Exception {
    JsonNode old =
        JsonMapper.builder()
            .build()
            .readTree(
                """
                {"response": "y", "loss": "ridge", "scale": "user", "coefficients": {"a": 0.5},
                 "standardErrors": {"a": null}, "warnings": ["the noise is large"]}
                """);

    FitReport report = FitReport.read(old);

    assertThat(report.level()).isEqualTo(0.95);
    assertThat(report.terms()).singleElement().matches(Term::isWithheld);
    assertThat(report.messages()).singleElement().matches(each -> each.text().contains("large"));
    assertThat(report.summary()).isEmpty();
    assertThat(report.outlook().orElseThrow().excess()).isNaN();
  }

  /** They are those of the coefficients in the users' units, over the ranges of the columns. */
  @Test
  void effectsAreThoseOfTheRanges() throws Exception {
    BestFit best = best("");
    Fit fit = best.best().orElseThrow().fit().orElseThrow();
    RowSchema schema = SOURCE.schema();
    CoefficientTable user = fit.inUserUnits(schema);

    for (boolean userUnits : new boolean[] {true, false}) {
      List<Term> effects = best.report(userUnits, 0.9).effects();

      assertThat(effects).extracting(Term::name).containsExactly("a", "b");
      for (Term effect : effects) {
        int column = schema.encodedNames().indexOf(effect.name());
        double range = schema.upper(column) - schema.lower(column);
        int term = user.names().indexOf(effect.name());
        CoefficientTable.Interval interval = user.intervals(0.9).get(term);
        assertThat(effect.estimate()).isEqualTo(user.estimates().get(term) * range);
        assertThat(effect.confLow()).isEqualTo(interval.lower() * range);
        assertThat(effect.confHigh()).isEqualTo(interval.upper() * range);
      }
    }
  }
}
