package io.gauze.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.MeterReleases;
import io.gauze.http.RunningService;
import io.gauze.http.resource.ServiceExtras;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predictions by a model are those of the HTTP service, to the last digit. */
final class GauzeModelTest {
  private static final SqlSession SQL = SqlSession.batch();
  private static final String OUTPUT =
      "fit DOUBLE, std_error DOUBLE, sampling_error DOUBLE, privacy_error DOUBLE,"
          + " conf_low DOUBLE, conf_high DOUBLE, clamped STRING";

  @TempDir static Path folder;
  private static String release;

  @BeforeAll
  static void writeReleases() throws Exception {
    for (int hour = 0; hour < 2; hour++) {
      SqlSession.write(folder, "" + hour, MeterReleases.hour(hour, "moments"));
    }
    release = folder.resolve("0.avro").toString();
  }

  @BeforeEach
  void forgetModel() {
    SQL.run("DROP MODEL IF EXISTS kwh");
  }

  private static void model(String inputs, String outputs, String files, String... options) {
    SQL.run(
        "CREATE MODEL kwh INPUT ("
            + inputs
            + ") OUTPUT ("
            + outputs
            + ") WITH ('provider' = 'gauze', 'response' = 'kwh', 'release' = '"
            + files
            + "'"
            + String.join("", options)
            + ")");
  }

  private static List<Row> predict(String rows, String columns) throws Exception {
    SQL.run("DROP TEMPORARY VIEW IF EXISTS inputs");
    SQL.run(
        "CREATE TEMPORARY VIEW inputs AS SELECT * FROM (VALUES "
            + rows
            + ") AS t("
            + columns
            + ")");
    return SQL.rows(
        "SELECT * FROM ML_PREDICT(TABLE inputs, MODEL kwh, DESCRIPTOR(" + columns + "))");
  }

  @Test
  void predictionsAreThoseOfTheService() throws Exception {
    model(
        "temperature DOUBLE, tariff STRING",
        OUTPUT,
        release + ";" + folder.resolve("1.avro"),
        ", 'features' = 'temperature,tariff', 'level' = '0.8'");

    // An integer for a DOUBLE, and a decimal number, are read as numbers.
    List<Row> rows = predict("(21, 'night'), (70, 'flat')", "temperature, tariff");

    JsonNode answer;
    try (RunningService service =
        RunningService.over(folder, Optional.empty(), ServiceExtras.NONE)) {
      String body =
          "{\"releases\": \""
              + MeterReleases.id(0, "moments")
              + ".."
              + MeterReleases.id(1, "moments")
              + "\", \"response\": \"kwh\", \"features\": [\"temperature\", \"tariff\"],"
              + " \"rows\": [{\"temperature\": 21, \"tariff\": \"night\"},"
              + " {\"temperature\": 70, \"tariff\": \"flat\"}]}";
      answer = new JsonMapper().readTree(service.post("/v1/predict?level=0.8", body).body());
    }
    assertThat(rows).hasSize(2);
    for (int k = 0; k < 2; k++) {
      JsonNode wanted = answer.path("predictions").path(k);
      assertThat(rows.get(k))
          .isEqualTo(
              Row.of(
                  rows.get(k).getField(0),
                  rows.get(k).getField(1),
                  wanted.path("fit").doubleValue(),
                  wanted.path("stdError").doubleValue(),
                  wanted.path("samplingError").doubleValue(),
                  wanted.path("privacyError").doubleValue(),
                  wanted.path("lower").doubleValue(),
                  wanted.path("upper").doubleValue(),
                  k == 0 ? "" : "temperature"));
      assertThat(wanted.path("lower").isNumber()).isTrue();
    }
  }

  /** Two merged releases leave the spread of single responses unknown, and with it the interval. */
  @Test
  void aWithheldNumberIsNull() throws Exception {
    model(
        "temperature DOUBLE",
        "fit DOUBLE, conf_low DOUBLE",
        release + ";" + folder.resolve("1.avro"),
        ", 'features' = 'temperature', 'interval' = 'prediction'");

    Row row = predict("(21E0)", "temperature").get(0);

    assertThat(row.getField("fit")).isNotNull();
    assertThat(row.getField("conf_low")).isNull();
  }

  @Test
  void numbersOfAnyTypeAreRead() throws Exception {
    model("temperature DOUBLE", "fit DOUBLE", release, ", 'features' = 'temperature'");

    double fit = predict("(21.5E0)", "temperature").get(0).getFieldAs("fit");

    assertThat(predict("(21.5)", "temperature").get(0).<Double>getFieldAs("fit")).isEqualTo(fit);
    assertThat(predict("(CAST(21.5 AS FLOAT))", "temperature").get(0).<Double>getFieldAs("fit"))
        .isEqualTo(fit);
    assertThat(predict("(CAST(21 AS BIGINT))", "temperature").get(0).<Double>getFieldAs("fit"))
        .isEqualTo(predict("(21)", "temperature").get(0).<Double>getFieldAs("fit"));
  }

  @Test
  void nullsAndUnknownCategoriesHaveNoPrediction() throws Exception {
    model(
        "temperature DOUBLE, tariff STRING",
        OUTPUT,
        release,
        ", 'features' = 'temperature,tariff'");

    List<Row> rows =
        predict(
            "(21E0, 'day'), (CAST(NULL AS DOUBLE), 'flat'), (21E0, 'flat')", "temperature, tariff");

    assertThat(rows).hasSize(3);
    for (int k = 2; k < 9; k++) {
      assertThat(rows.get(0).getField(k)).isNull();
      assertThat(rows.get(1).getField(k)).isNull();
      assertThat(rows.get(2).getField(k)).isNotNull();
    }
  }

  private static void refused(String... texts) {
    var error =
        assertThatThrownBy(() -> predict("(21E0)", "temperature"))
            .isInstanceOf(ValidationException.class);
    for (String text : texts) {
      error.hasStackTraceContaining(text);
    }
  }

  @Test
  void aWrongQuestionIsAnErrorOfTheStatement() {
    model("temperature DOUBLE", "fit DOUBLE", release, ", 'features' = 'temprature'");
    refused("GZ-COLUMN: The release has no such column", "Take one of the columns", "temperature");
  }

  @Test
  void aRefusedFitIsAnErrorOfTheStatement() {
    model("temperature DOUBLE", "fit DOUBLE", release, ", 'loss' = 'logistic'");
    refused("GZ-UNANSWERABLE: The releases cannot answer this question.");
  }

  @Test
  void theSameReleaseTwiceIsRefused() {
    model("temperature DOUBLE", "fit DOUBLE", release + ";" + release);
    refused("GZ-UNANSWERABLE", "again");
  }

  @Test
  void theLatestReleaseIsNoRelease() {
    model("temperature DOUBLE", "fit DOUBLE", "latest");
    refused("GZ-REQUEST", "must not depend on when it is planned. Provided value: latest");
  }

  @Test
  void aMissingOrDamagedFileIsNamed() throws Exception {
    model("temperature DOUBLE", "fit DOUBLE", folder.resolve("none.avro").toString());
    refused("GZ-NORELEASE", "none.avro");
    forgetModel();
    Path damaged = Files.write(folder.resolve("damaged.avro"), new byte[] {1, 2, 3});
    model("temperature DOUBLE", "fit DOUBLE", damaged.toString());
    refused("GZ-DAMAGED");
    Files.delete(damaged);
  }

  @Test
  void inputsAndOutputsAreChecked() {
    model("temperature DOUBLE", "fit DOUBLE", release, ", 'features' = 'temperature,tariff'");
    refused("INPUT must have the columns temperature, tariff. Provided value: temperature");
    forgetModel();
    model("temperature DOUBLE", "fitt DOUBLE", release, ", 'features' = 'temperature'");
    refused("the nearest is fit. Provided value: fitt");
    forgetModel();
    model("temperature DOUBLE", "fit STRING", release, ", 'features' = 'temperature'");
    refused("Column fit of OUTPUT must have the type DOUBLE");
  }

  @Test
  void aWrongLevelOrIntervalIsRefused() {
    model("temperature DOUBLE", "fit DOUBLE", release, ", 'level' = '1.5'");
    refused("GZ-REQUEST", "level");
    forgetModel();
    model("temperature DOUBLE", "fit DOUBLE", release, ", 'interval' = 'wide'");
    refused("GZ-REQUEST", "confidence or prediction");
  }
}
