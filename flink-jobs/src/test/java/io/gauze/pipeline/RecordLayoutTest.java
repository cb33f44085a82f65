package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.kafka.RowRecord;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerPosition;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.ReleaseId;
import io.gauze.pipeline.read.RecordReader;
import io.gauze.publish.Ledger;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A config says where records without names hold their fields. Under another layout the same record
 * may be in another epoch or group, or of another user, so that its row would count twice: a stream
 * keeps the layout that its releases were made with.
 */
final class RecordLayoutTest {
  private static final long HOUR = 3_600_000;
  private static final EpochSchedule APPENDED = new EpochSchedule(HOUR, 0, true, 0);
  private static final EpochSchedule HOURS =
      APPENDED.by(RowTime.event("ts", Duration.ofDays(1), Duration.ZERO));
  private static final RowInput CSV = csv("ts", "seen", "a", "b", "y");
  private static final RowInput SWAPPED = csv("seen", "ts", "a", "b", "y");

  /** What the refusal is for: this record is of two epochs, and nothing in the record says so. */
  @Test
  void aRecordIsInAnotherEpochUnderAnotherLayout() throws Exception {
    byte[] line = (HOUR + "," + 5 * HOUR + ",0.5,3,1").getBytes(UTF_8);
    RowRecord record = new RowRecord(0, 0, 6 * HOUR, true, Optional.empty(), Optional.of(line));
    assertThat(new RecordReader(job(HOURS, CSV), HOURS).read(record)).isEqualTo(1);
    assertThat(new RecordReader(job(HOURS, SWAPPED), HOURS).read(record)).isEqualTo(5);
  }

  /** A start without state reads the log again, and knows what was released by the ledger alone. */
  @Test
  void theLedgerRefusesAnotherLayout() {
    SketchJobSettings job = job(HOURS, CSV);
    LedgerBook book = LedgerBook.of(List.of());
    for (String id : job.releaseIds(0, 2)) {
      LedgerEntry entry =
          new LedgerEntry(
              ReleaseId.parse(id),
              "0".repeat(64),
              LedgerEntry.State.PUBLISHED,
              job.series(),
              job.charge().guarantee(),
              job.terms());
      book.add(new LedgerPosition(entry, 0, 0));
    }
    Ledger.check(book, job, job.charge());
    SketchJobSettings swapped = job(HOURS, SWAPPED);
    assertThatThrownBy(() -> Ledger.check(book, swapped, swapped.charge()))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining("places of fields");
  }

  @Test
  void whatPlacesARowKeepsItsPlace() {
    List<String> groups = List.of("0", "1");
    assertAnotherSeries(job(HOURS, CSV), job(HOURS, SWAPPED));
    assertAnotherSeries(
        job(APPENDED, CSV.groupedBy("ts", groups)), job(APPENDED, SWAPPED.groupedBy("ts", groups)));
    assertAnotherSeries(job(HOURS, CSV), job(HOURS, csv(';', "ts", "seen", "a", "b", "y")));
    assertAnotherSeries(job(HOURS, CSV), job(HOURS, RowInput.JSON));
    assertAnotherSeries(job(HOURS, avro("ts", "seen")), job(HOURS, avro("seen", "ts")));
    assertAnotherSeries(users(CSV), users(SWAPPED));
    assertAnotherSeries(users(avro("ts", "seen")), users(avro("seen", "ts")));
  }

  /** For users a record that cannot be encoded takes no part of their rows, so all fields count. */
  @Test
  void forUsersAllFieldsKeepTheirPlaces() {
    RowInput more = csv("ts", "seen", "a", "b", "y", "z");
    RowInput others = csv("ts", "seen", "b", "a", "y");
    assertAnotherSeries(users(CSV), users(more));
    assertAnotherSeries(users(CSV), users(others));
    assertThat(job(HOURS, more).series()).isEqualTo(job(HOURS, CSV).series());
    assertThat(job(HOURS, others).series()).isEqualTo(job(HOURS, CSV).series());
  }

  /** By append time, without groups, no field decides where a row is. */
  @Test
  void withoutSuchFieldsTheLayoutIsFree() {
    assertThat(job(APPENDED, CSV).series()).isEqualTo(job(APPENDED, SWAPPED).series());
    assertThat(job(APPENDED, CSV).series()).isEqualTo(job(APPENDED, RowInput.JSON).series());
  }

  private static void assertAnotherSeries(SketchJobSettings one, SketchJobSettings other) {
    assertThat(one.series()).isNotEqualTo(other.series());
    assertThat(one.stateSeries()).isNotEqualTo(other.stateSeries());
  }

  private static SketchJobSettings job(EpochSchedule schedule, RowInput input) {
    return OperatorFixture.settings(OperatorFixture.plan(1, 512), schedule).withInput(input);
  }

  private static SketchJobSettings users(RowInput input) {
    BudgetScope users = BudgetScope.users("seen", 2);
    return OperatorFixture.settings(OperatorFixture.plan(1, 512, users), APPENDED)
        .withInput(new RowInput(input.format(), false, "seen", "", input.groups()));
  }

  private static RowInput csv(String... columns) {
    return csv(',', columns);
  }

  private static RowInput csv(char separator, String... columns) {
    return of(new RecordFormat.Csv(List.of(columns), separator));
  }

  private static RowInput avro(String first, String second) {
    String field = "{\"name\":\"%s\",\"type\":\"long\"}";
    return of(
        new RecordFormat.Avro(
            "{\"type\":\"record\",\"name\":\"row\",\"fields\":["
                + String.format(Locale.ROOT, field, first)
                + ","
                + String.format(Locale.ROOT, field, second)
                + "]}"));
  }

  private static RowInput of(RecordFormat format) {
    return new RowInput(format, false, "", "", List.of(SketchJobSettings.NO_GROUP));
  }
}
