package io.gauze.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.answer.MeterReleases;
import io.gauze.release.Release;
import io.gauze.report.ReleaseReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of releases as a table. */
final class ReleaseFormatTest {
  private static final String IGNORE = ", 'gauze-release.ignore-parse-errors' = 'true'";
  private static final SqlSession SQL = SqlSession.batch();

  @TempDir Path folder;

  @BeforeEach
  void writeReleases() throws Exception {
    SqlSession.write(folder, "0", MeterReleases.hour(0, "moments"));
    SqlSession.write(folder, "1", MeterReleases.hour(1, "spare"));
  }

  @Test
  void columnsAreThoseOfTheListOfReleases() throws Exception {
    SQL.releases(
        folder,
        "id STRING, `stream` STRING, `group` STRING, epoch STRING, sketch STRING, mechanism STRING,"
            + " contents STRING, numbers INT, epsilon DOUBLE, delta DOUBLE, neighbours STRING,"
            + " private BOOLEAN, `bytes` INT, sha256 STRING, epoch_start TIMESTAMP_LTZ(3),"
            + " guarantee STRING, body BYTES");
    Release release = MeterReleases.hour(0, "moments");
    byte[] bytes = release.toBytes();
    Map<String, Object> listed =
        ReleaseReport.LIST.object(ReleaseReport.Listed.of(release, bytes.length));

    List<Row> rows = SQL.rows("SELECT * FROM releases WHERE sketch = 'moments'");

    assertThat(rows).hasSize(1);
    Row row = rows.get(0);
    assertThat(listed).hasSize(13);
    listed.forEach((name, value) -> assertThat(row.getField(name)).as(name).isEqualTo(value));
    assertThat(row.<byte[]>getFieldAs("body")).isEqualTo(bytes);
    assertThat(row.<String>getFieldAs("sha256")).matches("[0-9a-f]{64}");
    assertThat(row.getField("epoch_start")).isEqualTo(Instant.parse("2026-01-05T00:00:00Z"));
    assertThat(row.<String>getFieldAs("guarantee")).isEqualTo(release.guarantee().sentence());
  }

  @Test
  void aTableHasTheColumnsThatItNames() throws Exception {
    SQL.releases(folder, "epsilon DOUBLE, epoch STRING");

    assertThat(SQL.rows("SELECT epoch FROM releases"))
        .containsExactlyInAnyOrder(Row.of(MeterReleases.epoch(0)), Row.of(MeterReleases.epoch(1)));
  }

  @Test
  void anUnknownColumnIsNamedWithTheNearest() {
    SQL.releases(folder, "epoc STRING");

    assertThatThrownBy(() -> SQL.rows("SELECT * FROM releases"))
        .hasStackTraceContaining("the nearest is epoch. Provided value: epoc");
  }

  @Test
  void anotherTypeIsRefused() {
    SQL.releases(folder, "epsilon STRING");

    assertThatThrownBy(() -> SQL.rows("SELECT * FROM releases"))
        .isInstanceOf(ValidationException.class)
        .hasStackTraceContaining("epsilon of the format gauze-release must have the type DOUBLE");
  }

  @Test
  void aDamagedRecordFailsTheJobIfNotToldOtherwise() throws Exception {
    damage();
    SQL.releases(folder, "epoch STRING");

    assertThatThrownBy(() -> SQL.rows("SELECT * FROM releases"))
        .hasStackTraceContaining("GZ-DAMAGED")
        .hasStackTraceContaining("'ignore-parse-errors' = 'true'");
  }

  @Test
  void aDamagedRecordIsSkipped() throws Exception {
    damage();
    SQL.releases(folder, "epoch STRING", IGNORE);

    assertThat(SQL.rows("SELECT * FROM releases")).hasSize(2);
  }

  @Test
  void aDamagedRecordIsNullsWhereItsDamageCanBeSaid() throws Exception {
    damage();
    SQL.releases(folder, "epoch STRING, body BYTES, damage STRING", IGNORE);

    List<Row> rows = SQL.rows("SELECT * FROM releases WHERE damage IS NOT NULL");

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).getField("epoch")).isNull();
    assertThat(rows.get(0).getField("body")).isNull();
    // Whether a query reads the column does not change how many rows there are.
    assertThat(SQL.rows("SELECT COUNT(*) FROM releases")).containsExactly(Row.of(3L));
    assertThat(SQL.rows("SELECT epoch FROM releases WHERE epoch IS NULL")).hasSize(1);
  }

  private void damage() throws Exception {
    byte[] bytes = MeterReleases.hour(2, "moments").toBytes();
    bytes[bytes.length / 2] ^= 1;
    Files.write(folder.resolve("2.avro"), bytes);
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).contains("meters");
  }
}
