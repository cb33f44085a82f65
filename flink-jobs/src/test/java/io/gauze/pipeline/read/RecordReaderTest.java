package io.gauze.pipeline.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.config.EventUnit;
import io.gauze.config.RowTime;
import io.gauze.kafka.RowRecord;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowRejectedException;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.LateRowException;
import io.gauze.stream.RowInput;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** What group and epoch a record is in, and that it takes no other record to say so. */
final class RecordReaderTest {
  private static final long HOUR = 3_600_000;
  private static final long NOW = 495_000 * HOUR + 1_800_000; // half past, in 2026
  private static final EpochSchedule HOURS =
      new EpochSchedule(HOUR, 494_000, true, 10_000)
          .by(RowTime.event("ts", Duration.ofMinutes(5), Duration.ofMinutes(1)));

  private static final StreamPlan PLAN = OperatorFixture.plan(1, 512);

  @Test
  void anEventTimeDecidesTheEpochIfTheRowIsAppendedInTime() throws Exception {
    RecordReader reader = reader(HOURS, RowInput.JSON);
    long epoch = 495_000;
    assertThat(reader.read(at(NOW, NOW))).isEqualTo(epoch);
    assertThat(reader.read(at(NOW + 60_000, NOW))).as("just ahead").isEqualTo(epoch);
    long end = (epoch + 1) * HOUR;
    assertThat(reader.read(at(end - 1, end + 299_999))).as("just in time").isEqualTo(epoch);
    assertThat(reader.read(at(end + 30_000, end))).as("next epoch").isEqualTo(epoch + 1);
    assertThatThrownBy(() -> reader.read(at(end - 1, end + 300_000)))
        .isInstanceOf(LateRowException.class)
        .hasMessageContaining("epochs.allowedLateness");
    assertThatThrownBy(() -> reader.read(at(NOW - 40 * 24 * HOUR, NOW)))
        .as("a month late")
        .isInstanceOf(LateRowException.class);
    assertThatThrownBy(() -> reader.read(at(NOW + 60_001, NOW)))
        .isInstanceOf(RowRejectedException.class)
        .hasMessageContaining("epochs.maxClockSkew");
    assertThatThrownBy(() -> reader.read(at(NOW + 365 * 24 * HOUR, NOW)))
        .as("a clock a year ahead")
        .isInstanceOf(RowRejectedException.class);
    assertThatThrownBy(() -> reader.read(at(Long.MAX_VALUE, NOW)))
        .isInstanceOf(RowRejectedException.class);
  }

  /** A row that is too late for its own epoch is late, whichever the first epoch is. */
  @Test
  void rowsBeforeTheFirstEpochAreNeitherReadNorLate() throws Exception {
    EpochSchedule later = HOURS.from(495_001);
    RecordReader reader = reader(later, RowInput.JSON.groupedBy("land", List.of("de")));
    assertThat(reader.read(at(NOW, NOW))).isEqualTo(495_000);
    assertThatThrownBy(() -> reader.read(at(NOW - HOUR, NOW))).isInstanceOf(LateRowException.class);
    long first = 495_001 * HOUR;
    assertThat(later.isBeforeFirst(at(NOW, first - 60_001))).isTrue();
    assertThat(later.isBeforeFirst(at(NOW, first - 60_000))).as("may be ahead").isFalse();
    assertThat(later.by(RowTime.APPEND).isBeforeFirst(at(NOW, first - 1))).isTrue();
    assertThat(later.by(RowTime.APPEND).isBeforeFirst(at(NOW, first))).isFalse();
    assertThat(later.isBeforeFirst(row("\"x\":1", NOW, false))).as("no append time").isFalse();
    assertThat(EpochSchedule.all().isBeforeFirst(at(NOW, Long.MIN_VALUE))).isFalse();
  }

  /** The same record gives the same answer, whatever was read before it. */
  @Test
  void otherRecordsMoveNothing() {
    RecordReader busy = reader(HOURS, RowInput.JSON);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 5000; i++) {
      long append = NOW + random.nextLong(-2 * HOUR, 2 * HOUR); // a broker's clock may step back
      long event = append + random.nextLong(-2 * HOUR, HOUR / 10);
      assertThat(answer(busy, at(event, append)))
          .isEqualTo(answer(reader(HOURS, RowInput.JSON), at(event, append)));
    }
  }

  private static String answer(RecordReader reader, RowRecord record) {
    try {
      return "epoch " + reader.read(record);
    } catch (RowRejectedException | LateRowException e) {
      return e.getMessage();
    }
  }

  @Test
  void eventTimesAreMillisecondsOrIsoTexts() throws Exception {
    RecordReader reader = reader(HOURS, RowInput.JSON);
    for (String time :
        List.of(
            Long.toString(NOW),
            "\"" + NOW + "\"",
            NOW + ".0",
            NOW + ".75",
            "\"2026-06-21 00:30:00+00:00\"",
            "[2026,6,21,0,30]",
            "[2026,6,21]",
            "[2026,6,21,0,30,59,999999999]",
            "\"2026-06-21T00:30:00Z\"",
            "\"2026-06-21T00:30:00.000+0000\"",
            "\"2026-06-20 19:30:00.123456789-05\"",
            "\"2026-06-21 06:00:00 +0530\"",
            "\"2026-06-21T00:30+00\"",
            "\"2026-06-21T02:30:00.5+02:00\"")) {
      assertThat(reader.read(row("\"ts\":" + time, NOW, true))).as(time).isEqualTo(495_000);
    }
    for (String wrong :
        List.of(
            "\"ts\":\"21.6.2026\"",
            "\"ts\":\"" + "T".repeat(900_000) + "\"", // quadratic work would hold the stream up
            "\"ts\":-1",
            "\"ts\":[]",
            "\"ts\":[2026,13,1]",
            "\"ts\":[2026,1,1,0,0,0,0,0]",
            "\"ts\":[2026,1,[1]]",
            "\"ts\":\"2026-06-21T00:30:00\"",
            "\"ts\":\"2026-06-21T00:30-123\"",
            "\"ts\":\"2026-06-21 00-30\"",
            "\"ts\":\"2026-06-21T+00\"",
            "\"ts\":1e999999999",
            "\"ts\":\"\"",
            "\"ts\":99999999999999999999",
            "\"ts\":\"+1000000000-12-31T23:59:59Z\"",
            "\"ts\":null",
            "\"other\":1",
            "\"ts\":{}")) {
      assertThatThrownBy(() -> reader.read(row(wrong, NOW, true)))
          .as(wrong)
          .isInstanceOf(RowRejectedException.class)
          .hasMessageContaining("ts")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("21.6", "9999"));
    }
  }

  /** Else it is a row of 1970, which is late, or one of a year far ahead, whose clock is wrong. */
  @Test
  void aTimeInAnotherUnitIsNotTakenForALateOne() throws Exception {
    Map<EventUnit, String> written =
        Map.of(
            EventUnit.SECONDS, NOW / 1000 + ".123",
            EventUnit.MILLIS, Long.toString(NOW),
            EventUnit.MICROS, NOW + "000",
            EventUnit.NANOS, NOW + "000000");
    for (EventUnit said : EventUnit.values()) {
      EpochSchedule schedule = HOURS.by(HOURS.time().in(said));
      for (EventUnit sent : EventUnit.values()) {
        RowRecord record = row("\"ts\":" + written.get(sent), NOW, true);
        RecordReader reader = reader(schedule, RowInput.JSON);
        if (said == sent) {
          assertThat(reader.read(record)).isEqualTo(495_000);
          continue;
        }
        assertThatThrownBy(() -> reader.read(record))
            .isInstanceOf(RowRejectedException.class)
            .hasMessage(
                "field ts is in %1$s by its size, not in %2$s; set epochs.time: {field: ts, unit: %1$s}",
                sent.label(), said.label());
      }
    }
  }

  @Test
  void avrosLogicalTypeIsTheUnit() throws Exception {
    for (String type :
        List.of(
            "timestamp-millis 1",
            "local-timestamp-millis 1",
            "timestamp-micros 1000",
            "local-timestamp-micros 1000",
            "timestamp-nanos 1000000")) {
      String name = type.substring(0, type.indexOf(' '));
      long factor = Long.parseLong(type.substring(type.indexOf(' ') + 1));
      assertThat(readAvro("'type':'long','logicalType':'" + name + "'", NOW * factor))
          .as(type)
          .isEqualTo(495_000);
    }
    long day = NOW / HOUR / 24;
    assertThat(readAvro("'type':'int','logicalType':'date'", day)).isEqualTo(day * 24);
    assertThat(
            readAvro("'type':'long','connect.name':'io.debezium.time.MicroTimestamp'", NOW * 1000))
        .isEqualTo(495_000);
    assertThatThrownBy(() -> readAvro("'type':'long'", NOW * 1000))
        .hasMessageContaining("is in micros by its size, not in millis");
    assertThat(answer(() -> readAvro("'type':'int','logicalType':'date'", Integer.MAX_VALUE)))
        .contains("epochs.maxClockSkew");
    assertThat(
            answer(() -> readAvro("'type':'long','logicalType':'timestamp-nanos'", Long.MIN_VALUE)))
        .contains("epochs.allowedLateness");
  }

  /** Reads an epoch. */
  private interface Epoch {
    long read() throws Exception;
  }

  private static String answer(Epoch epoch) throws Exception {
    try {
      return "epoch " + epoch.read();
    } catch (RowRejectedException | LateRowException e) {
      return e.getMessage();
    }
  }

  private static long readAvro(String type, long time) throws Exception {
    String doubles = ",{'name':'%s','type':'double'}";
    Schema schema =
        new Schema.Parser()
            .parse(
                ("{'type':'record','name':'R','fields':[{'name':'ts','type':{"
                        + type
                        + "}}"
                        + doubles.replace("%s", "a")
                        + doubles.replace("%s", "b")
                        + doubles.replace("%s", "y")
                        + "]}")
                    .replace('\'', '"'));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    encoder.writeLong(time);
    for (double value : new double[] {0.5, 3, 1}) {
      encoder.writeDouble(value);
    }
    EpochSchedule days = HOURS.by(RowTime.event("ts", Duration.ofDays(1), Duration.ofMinutes(1)));
    RowInput input =
        new RowInput(
            new RecordFormat.Avro(schema.toString()), false, "", "", RowInput.JSON.groups());
    return reader(days, input)
        .read(new RowRecord(0, 0, NOW, true, Optional.empty(), Optional.of(out.toByteArray())));
  }

  @Test
  void theAppendTimeMustBeTheBrokersUnlessTheProducersIsTaken() throws Exception {
    RowRecord byProducer = row("\"x\":1", NOW, false);
    for (EpochSchedule schedule : List.of(HOURS, HOURS.by(RowTime.APPEND))) {
      assertThatThrownBy(() -> reader(schedule, RowInput.JSON).read(byProducer))
          .isInstanceOf(RowRejectedException.class)
          .hasMessageMatching("(?s).*(append time|ts is missing).*");
    }
    assertThatThrownBy(() -> reader(HOURS, RowInput.JSON).read(row("\"ts\":" + NOW, NOW, false)))
        .hasMessageContaining("append time");
    assertThat(reader(HOURS.by(RowTime.PRODUCER), RowInput.JSON).read(byProducer))
        .isEqualTo(495_000);
  }

  @Test
  void aGroupIsOneOfThePublicOnes() throws Exception {
    EpochSchedule all = EpochSchedule.all();
    RecordReader reader = reader(all, RowInput.JSON.groupedBy("a", List.of("0.5", "fr", "12")));
    assertThat(reader.read(row("\"z\":1", NOW, true))).isZero();
    assertThat(reader.group()).as("a column may be the group, too").isEqualTo("0.5");

    RecordReader byText = reader(all, RowInput.JSON.groupedBy("land", List.of("de", "fr", "12")));
    for (String group : List.of("\"de\"", "\"fr\"", "12", "\"12\"")) {
      byText.read(row("\"land\":" + group, NOW, true));
      assertThat(byText.group()).isEqualTo(group.replace("\"", ""));
    }
    for (String wrong : List.of("\"land\":\"it\"", "\"x\":1", "\"land\":null", "\"land\":[]")) {
      assertThatThrownBy(() -> byText.read(row(wrong, NOW, true)))
          .isInstanceOf(RowRejectedException.class)
          .hasMessageContaining("field land")
          .hasMessageContaining("groups.values")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("it,", "\"it"));
    }
  }

  @Test
  void aGroupThatIsABooleanIsOneInEverySpelling() throws Exception {
    RecordReader reader =
        reader(EpochSchedule.all(), RowInput.JSON.groupedBy("is", List.of("true", "false")));
    for (String yes : List.of("true", "\"True\"", "\"TRUE\"", "1")) {
      reader.read(row("\"is\":" + yes, NOW, true));
      assertThat(reader.group()).isEqualTo("true");
    }
  }

  private static RecordReader reader(EpochSchedule schedule, RowInput input) {
    return new RecordReader(OperatorFixture.settings(PLAN, schedule).withInput(input), schedule);
  }

  private static RowRecord at(long eventTime, long appendTime) {
    return row("\"ts\":" + eventTime, appendTime, true);
  }

  private static RowRecord row(String more, long timestamp, boolean appendTime) {
    String json = "{\"a\":0.5,\"b\":3,\"y\":1," + more + "}";
    return new RowRecord(
        0, 0, timestamp, appendTime, Optional.empty(), Optional.of(json.getBytes(UTF_8)));
  }
}
