package io.gauze.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.MeterReleases;
import io.gauze.http.RunningService;
import io.gauze.http.resource.ServiceExtras;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fits in SQL are those of the HTTP service over the same releases, to the last digit. */
final class FitFunctionTest {
  private static final SqlSession SQL = SqlSession.batch();
  private static final Map<String, String> FIELDS =
      Map.of(
          "estimate", "coefficients",
          "std_error", "standardErrors",
          "sampling_error", "samplingErrors",
          "privacy_error", "privacyErrors",
          "statistic", "statistic",
          "p_value", "pValue",
          "conf_low", "confLow",
          "conf_high", "confHigh");

  @TempDir static Path folder;
  private static RunningService service;

  @BeforeAll
  static void start() throws Exception {
    for (int hour = 0; hour < 3; hour++) {
      SqlSession.write(folder, "" + hour, MeterReleases.hour(hour, "moments"));
    }
    SqlSession.write(folder, "empty", MeterReleases.emptyHour(3));
    service = RunningService.over(folder, Optional.empty(), ServiceExtras.NONE);
    SQL.releases(folder, "epoch STRING, body BYTES");
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static JsonNode answer(String query) throws Exception {
    return new JsonMapper().readTree(service.get(query).body());
  }

  private static String one(int hour) {
    return "/v1/fit?release=" + MeterReleases.id(hour, "moments").replace(":", "%3A");
  }

  private static void assertSame(List<Row> terms, JsonNode answer) {
    assertThat(terms).isNotEmpty().hasSize(answer.path("coefficients").size());
    String codes =
        answer.path("messages").findValuesAsText("code").stream().collect(Collectors.joining(","));
    for (Row term : terms) {
      assertThat(term.getField("messages")).isEqualTo(codes.isEmpty() ? null : codes);
      String name = term.getFieldAs("term");
      FIELDS.forEach(
          (column, field) -> {
            JsonNode value = answer.path(field).path(name);
            assertThat(term.getField(column))
                .as(name + " " + column)
                .isEqualTo(value.isNull() ? null : value.doubleValue());
            assertThat(value.isMissingNode()).isFalse();
          });
    }
  }

  private static List<Row> fit(int hour, String arguments) throws Exception {
    return SQL.rows(
        "SELECT f.* FROM releases, LATERAL TABLE(GAUZE_FIT(body => body, "
            + arguments
            + ")) f WHERE epoch = '"
            + MeterReleases.epoch(hour)
            + "'");
  }

  private static String refusal(int hour, String arguments) throws Exception {
    List<Row> rows =
        SQL.rows(
            "SELECT GAUZE_REFUSAL(body => body, "
                + arguments
                + ") FROM releases WHERE epoch = '"
                + MeterReleases.epoch(hour)
                + "'");
    assertThat(rows).hasSize(1);
    return rows.get(0).getFieldAs(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "response => 'kwh' | response=kwh",
        "response => 'kwh', features => 'temperature,tariff', level => 0.8E0"
            + " | response=kwh&features=temperature,tariff&level=0.8",
        "response => 'kwh', loss => 'lasso', lambda => 0.01E0 | response=kwh&loss=lasso&lambda=0.01",
        "response => 'kwh', loss => 'huber', huber_threshold => 0.5E0"
            + " | response=kwh&loss=huber&huberThreshold=0.5",
        "response => 'kwh', loss => 'elastic-net', alpha => 0.3E0, free_intercept => TRUE,"
            + " scale => 'encoded'"
            + " | response=kwh&loss=elastic-net&alpha=0.3&freeIntercept=true&scale=encoded"
      })
  void figuresAreThoseOfTheService(String arguments, String query) throws Exception {
    assertSame(fit(1, arguments), answer(one(1) + "&" + query));
    assertThat(refusal(1, arguments)).isNull();
  }

  @Test
  void mergedReleasesAreFittedAsARange() throws Exception {
    String range = MeterReleases.id(0, "moments") + ".." + MeterReleases.id(2, "moments");

    List<Row> terms =
        SQL.rows(
            "SELECT f.* FROM (SELECT GAUZE_MERGE(body) AS body FROM releases WHERE epoch < '"
                + MeterReleases.epoch(3)
                + "') m, LATERAL TABLE(GAUZE_FIT(body => m.body, response => 'kwh')) f");

    assertSame(
        terms,
        answer(
            "/v1/fit?response=kwh&releases=" + URLEncoder.encode(range, StandardCharsets.UTF_8)));
  }

  @Test
  void aReleaseThatIsGivenTwiceIsRefused() throws Exception {
    String twice =
        "(SELECT GAUZE_MERGE(body) AS body FROM (SELECT GAUZE_MERGE(body) AS body FROM releases"
            + " UNION ALL SELECT body FROM releases WHERE epoch = '"
            + MeterReleases.epoch(1)
            + "')) m";

    assertThat(
            SQL.rows(
                "SELECT f.* FROM "
                    + twice
                    + ", LATERAL TABLE(GAUZE_FIT(body => m.body, response => 'kwh')) f"))
        .isEmpty();
    String refusal =
        SQL.rows("SELECT GAUZE_REFUSAL(body => m.body, response => 'kwh') FROM " + twice)
            .get(0)
            .getFieldAs(0);
    assertThat(refusal)
        .startsWith("GZ-UNANSWERABLE: ")
        .contains(MeterReleases.id(1, "moments") + " again");
  }

  /** A topic may have a record twice; DISTINCT leaves one of equal ones. */
  @Test
  void equalRecordsAreOneWithDistinct() throws Exception {
    String fit = ", LATERAL TABLE(GAUZE_FIT(body => m.body, response => 'kwh')) f";

    List<Row> once =
        SQL.rows("SELECT f.* FROM (SELECT GAUZE_MERGE(body) AS body FROM releases) m" + fit);
    List<Row> twice =
        SQL.rows(
            "SELECT f.* FROM (SELECT GAUZE_MERGE(DISTINCT body) AS body FROM"
                + " (SELECT body FROM releases UNION ALL SELECT body FROM releases)) m"
                + fit);

    assertThat(once).isNotEmpty();
    assertThat(twice).isEqualTo(once);
  }

  @Test
  void refusalsSayWhy() throws Exception {
    assertThat(refusal(0, "response => 'kwH'"))
        .startsWith("GZ-COLUMN: ")
        .contains("kwh")
        .contains("Provided value: kwH");
    assertThat(fit(0, "response => 'kwH'")).isEmpty();
    assertThat(refusal(0, "response => CAST(NULL AS STRING)")).startsWith("GZ-REQUEST: ");
    assertThat(refusal(0, "response => 'kwh', loss => 'logistic'"))
        .startsWith("GZ-UNANSWERABLE: " + MeterReleases.id(0, "moments"));
    assertThat(fit(0, "response => 'kwh', loss => 'logistic'")).isEmpty();
  }

  @Test
  void aWrongQuestionOfLiteralsIsAnErrorOfTheStatement() {
    assertThatThrownBy(() -> fit(0, "response => 'kwh', loss => 'laso'"))
        .isInstanceOf(ValidationException.class)
        .hasStackTraceContaining("GZ-REQUEST: The request has a part that is unknown")
        .hasStackTraceContaining("the nearest is lasso. Provided value: laso");
    assertThatThrownBy(() -> fit(0, "response => 'kwh', level => 1.5E0"))
        .hasStackTraceContaining("GZ-REQUEST");
    assertThatThrownBy(() -> fit(0, "response => 'kwh', loss => 'huber'"))
        .hasStackTraceContaining("loss huber needs huber_threshold");
  }

  /** What a column gives is known for each row only. */
  @Test
  void aWrongQuestionOfAColumnHasNoRow() throws Exception {
    assertThat(fit(0, "response => 'kwh', loss => REPLACE(epoch, '2026', 'x')")).isEmpty();
    assertThat(refusal(0, "response => 'kwh', loss => REPLACE(epoch, '2026', 'x')"))
        .startsWith("GZ-REQUEST: ");
  }

  @Test
  void nullsHaveNoFitAndNoFailure() throws Exception {
    assertThat(
            SQL.rows(
                "SELECT f.* FROM (VALUES (CAST(NULL AS BYTES))) AS t(body),"
                    + " LATERAL TABLE(GAUZE_FIT(body => body, response => 'kwh')) f"))
        .isEmpty();
    assertThat(
            SQL.rows(
                "SELECT GAUZE_REFUSAL(body => CAST(NULL AS BYTES), response => 'kwh'),"
                    + " GAUZE_REFUSAL(body => CAST(X'00' AS BYTES), response => 'kwh'),"
                    + " GAUZE_MERGE(CAST(NULL AS BYTES))"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.<String>getFieldAs(0)).startsWith("GZ-NORELEASE: ");
              assertThat(row.<String>getFieldAs(1)).startsWith("GZ-DAMAGED: ");
              assertThat(row.getField(2)).isNull();
            });
  }

  @Test
  void anEmptyEpochHasNoFitIfNotToldOtherwise() throws Exception {
    assertThat(fit(3, "response => 'kwh'")).isEmpty();
    assertThat(refusal(3, "response => 'kwh'"))
        .startsWith("GZ-UNANSWERABLE: " + MeterReleases.id(3, "moments"))
        .contains("no signal above its noise");

    List<Row> terms = fit(3, "response => 'kwh', strict => FALSE");

    assertSame(terms, answer(one(3) + "&response=kwh"));
    assertThat(terms.get(0).<String>getFieldAs("messages")).contains("GZ-EMPTY");
  }
}
