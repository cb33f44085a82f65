package io.gauze.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.answer.MeterReleases;
import io.gauze.release.Release;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries over a topic of releases of a real broker, streaming and batch. */
final class ReleaseTopicIT {
  private static final String TOPIC = "releases";
  private static final String BOUNDED = ", 'scan.bounded.mode' = 'latest-offset'";
  private static final String IGNORE = ", 'gauze-release.ignore-parse-errors' = 'true'";

  @TempDir static Path folder;
  private static TestBroker broker;

  private final SqlSession streaming = SqlSession.streaming();

  /** Hours 0 to 3, a record that is damaged, and one that takes a release out of the topic. */
  @BeforeAll
  static void start() throws Exception {
    broker = TestBroker.start(folder);
    broker.create(TOPIC);
    send(0);
    broker.send(TOPIC, "damaged", new byte[] {1, 2, 3});
    send(1);
    broker.send(TOPIC, MeterReleases.id(9, "moments"), null);
    send(2);
    send(3);
  }

  private static void send(int hour) throws Exception {
    Release release = MeterReleases.hour(hour, "moments");
    broker.send(TOPIC, release.id().toString(), release.toBytes());
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static void releases(SqlSession session, String options) {
    session.run(
        "CREATE TABLE releases (`stream` STRING, `group` STRING, epoch STRING, sketch STRING,"
            + " body BYTES, `timestamp` TIMESTAMP_LTZ(3) METADATA) WITH ('connector' = 'kafka',"
            + " 'topic' = 'releases', 'properties.bootstrap.servers' = '"
            + broker.address()
            + "', 'properties.isolation.level' = 'read_committed',"
            + " 'scan.startup.mode' = 'earliest-offset', 'format' = 'gauze-release'"
            + options
            + ")");
  }

  @BeforeEach
  void create() {
    releases(streaming, BOUNDED + IGNORE);
  }

  @Test
  void aStreamGoesOnAfterADamagedRecord() throws Exception {
    List<Row> rows = streaming.rows("SELECT epoch, `timestamp` FROM releases");

    assertThat(rows)
        .extracting(row -> row.getField(0))
        .containsExactly(
            MeterReleases.epoch(0),
            MeterReleases.epoch(1),
            MeterReleases.epoch(2),
            MeterReleases.epoch(3));
    assertThat(rows).extracting(row -> row.getField(1)).doesNotContainNull();
  }

  @Test
  void aDamagedRecordFailsTheJobIfNotToldOtherwise() {
    SqlSession strict = SqlSession.streaming();
    releases(strict, BOUNDED);

    assertThatThrownBy(() -> strict.rows("SELECT epoch FROM releases"))
        .hasStackTraceContaining("GZ-DAMAGED");
  }

  @Test
  void eachReleaseIsFittedWhenItComes() throws Exception {
    List<Row> rows =
        streaming.rows(
            "SELECT epoch, f.term, f.estimate FROM releases, LATERAL TABLE(GAUZE_FIT(body => body,"
                + " response => 'kwh', features => 'temperature')) f");

    assertThat(rows).hasSize(8);
    assertThat(rows).extracting(row -> row.getField(1)).contains("(intercept)", "temperature");
  }

  /** The last row of a changelog is the result of the same query in a batch. */
  @Test
  void mergedReleasesOfAStreamAreThoseOfABatch() throws Exception {
    String query =
        "SELECT f.term, f.estimate, f.std_error FROM (SELECT GAUZE_MERGE(body) AS body FROM"
            + " releases GROUP BY `stream`) m, LATERAL TABLE(GAUZE_FIT(body => m.body, response =>"
            + " 'kwh', features => 'temperature')) f";
    SqlSession batch = SqlSession.batch();
    releases(batch, BOUNDED + IGNORE);

    List<Row> wanted = batch.rows(query);
    List<Row> changes = streaming.rows(query);

    assertThat(wanted).hasSize(2);
    assertThat(changes).hasSizeGreaterThan(2);
    List<Row> table = new ArrayList<>();
    for (Row change : changes) {
      Row row = Row.ofKind(RowKind.INSERT, values(change));
      switch (change.getKind()) {
        case INSERT, UPDATE_AFTER -> table.add(row);
        default -> assertThat(table.remove(row)).isTrue();
      }
    }
    assertThat(table).containsExactlyInAnyOrderElementsOf(wanted);
  }

  @Test
  void aRollingFitOfNoEpochIsRefused() {
    assertThatThrownBy(
            () ->
                streaming.rows(
                    "SELECT * FROM GAUZE_ROLLING_FIT(releases => TABLE releases PARTITION BY"
                        + " `stream`, epochs => 0, response => 'kwh', level => 0.8E0)"))
        .hasStackTraceContaining("epochs must be at least 1. Provided value: 0");
  }

  private static Object[] values(Row row) {
    Object[] values = new Object[row.getArity()];
    for (int k = 0; k < values.length; k++) {
      values[k] = row.getField(k);
    }
    return values;
  }

  @Test
  void rowsOfAStreamArePredicted(@TempDir Path files) throws Exception {
    SqlSession.write(files, "0", MeterReleases.hour(0, "moments"));
    broker.create("homes");
    for (String row : List.of("{\"temperature\": 21}", "{\"temperature\": null}")) {
      broker.send("homes", "key", row.getBytes(StandardCharsets.UTF_8));
    }
    streaming.run(
        "CREATE TABLE homes (temperature FLOAT) WITH ('connector' = 'kafka', 'topic' = 'homes',"
            + " 'properties.bootstrap.servers' = '"
            + broker.address()
            + "', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json'"
            + BOUNDED
            + ")");
    streaming.run(
        "CREATE MODEL kwh INPUT (temperature DOUBLE) OUTPUT (fit DOUBLE) WITH ('provider' ="
            + " 'gauze', 'response' = 'kwh', 'features' = 'temperature', 'release' = '"
            + files.resolve("0.avro")
            + "')");

    List<Row> rows =
        streaming.rows(
            "SELECT fit FROM ML_PREDICT(TABLE homes, MODEL kwh, DESCRIPTOR(temperature))");

    assertThat(rows).hasSize(2);
    assertThat(rows.get(0).<Double>getFieldAs(0)).isBetween(0.0, 8.0);
    assertThat(rows.get(1).getField(0)).isNull();
  }

  /** Each fit of the last two epochs is that of the two releases, merged. */
  @Test
  void aRollingFitIsThatOfTheLastEpochs() throws Exception {
    List<Row> rows =
        streaming.rows(
            "SELECT * FROM GAUZE_ROLLING_FIT(releases => TABLE releases PARTITION BY (`stream`,"
                + " `group`, sketch), epochs => 2, response => 'kwh', features => 'temperature')");

    assertThat(rows)
        .filteredOn(row -> row.getField("term").equals("temperature"))
        .extracting(row -> row.getField("first_epoch") + " " + row.getField("epochs"))
        .containsExactly(
            MeterReleases.epoch(0) + " 1",
            MeterReleases.epoch(0) + " 2",
            MeterReleases.epoch(1) + " 2",
            MeterReleases.epoch(2) + " 2");
    SqlSession batch = SqlSession.batch();
    releases(batch, BOUNDED + IGNORE);
    List<Row> last =
        batch.rows(
            "SELECT f.estimate, f.conf_low FROM (SELECT GAUZE_MERGE(body) AS body FROM releases"
                + " WHERE epoch >= '"
                + MeterReleases.epoch(2)
                + "') m, LATERAL TABLE(GAUZE_FIT(body => m.body, response => 'kwh', features =>"
                + " 'temperature')) f WHERE f.term = 'temperature'");
    Row rolling = rows.get(rows.size() - 1);
    assertThat(rolling.getField("term")).isEqualTo("temperature");
    assertThat(last)
        .containsExactly(Row.of(rolling.getField("estimate"), rolling.getField("conf_low")));
  }
}
