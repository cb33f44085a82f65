package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.config.EpochSchedule;
import io.gauze.config.EventUnit;
import io.gauze.config.RowTime;
import io.gauze.kafka.RowRecord;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.pipeline.read.RecordReader;
import io.gauze.plan.StreamPlan;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.LateRowException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records as other programs write them: each is read right, or a dead letter whose reason names the
 * cause, also where the config lets values be missing. The table in docs/reference/records.md has a
 * line for each.
 */
final class ForeignProducersTest {
  private static final long NOW = 1_782_000_000_123L; // 2026-06-21T00:00:00.123Z
  private static final RecordFormat JSON = new RecordFormat.Json();
  private static final RecordFormat CSV =
      new RecordFormat.Csv(List.of("kwh", "night", "code", "ts"), ';');

  /**
   * A record.
   *
   * @param producer what the table in the docs calls it
   * @param unit of its event time, if that is a number
   * @param reason why it is a dead letter; empty if it is the row 1.5, true, 2
   */
  record Foreign(
      String producer, RecordFormat format, String record, EventUnit unit, String reason) {
    static Foreign row(String producer, String record) {
      return new Foreign(producer, JSON, record, EventUnit.MILLIS, "");
    }

    static Foreign dead(String producer, String record, String reason) {
      return new Foreign(producer, JSON, record, EventUnit.MILLIS, reason);
    }

    Foreign in(EventUnit other) {
      return new Foreign(producer, format, record, other, reason);
    }

    Foreign asCsv() {
      return new Foreign(producer, CSV, record, unit, reason);
    }

    @Override
    public String toString() {
      return producer + ": " + record;
    }
  }

  static List<Foreign> records() {
    return Stream.of(connect(), python(), others(), lines()).flatMap(List::stream).toList();
  }

  private static List<Foreign> connect() {
    String row = "{\"kwh\":1.5,\"night\":true,\"code\":2,\"ts\":1782000000123}";
    String event = "{\"before\":null,\"after\":" + row + ",\"op\":\"c\",\"ts_ms\":1782000000123}";
    return List.of(
        Foreign.row(
            "Kafka Connect, JSON converter",
            "{\"schema\":{\"type\":\"struct\",\"fields\":[]},\"payload\":" + row + "}"),
        Foreign.row("Kafka Connect, JSON converter", "{\"schema\":null,\"payload\":" + row + "}"),
        Foreign.dead("Debezium in another format", event, "use format debezium-json"),
        Foreign.dead(
            "Debezium in another format",
            "{\"schema\":{},\"payload\":" + event + "}",
            "use format debezium-json"),
        Foreign.dead(
            "Debezium, unwrapped",
            row.replace("}", ",\"__deleted\":\"true\"}"),
            "the row is marked as deleted"),
        Foreign.row(
            "Debezium, unwrapped", row.replace("}", ",\"__deleted\":false,\"__op\":\"u\"}")),
        Foreign.dead(
            "schema registry, JSON Schema",
            "\0\0\0\0\7" + row,
            "a zero byte and an id, as a schema registry's serializer writes them"),
        Foreign.dead("schema registry, Protobuf", "\0\0\0\0\7\0\11\1", "a zero byte and an id"));
  }

  private static List<Foreign> python() {
    String row = "{\"kwh\": 1.5, \"night\": true, \"code\": 2, \"ts\": %s}";
    return List.of(
        Foreign.row("Python, json.dumps", at(row, "1782000000.1234567")).in(EventUnit.SECONDS),
        Foreign.row("Python, json.dumps", at(row, "1782000000123456")).in(EventUnit.MICROS),
        Foreign.row("Python, json.dumps", at(row, "1782000000123456789")).in(EventUnit.NANOS),
        Foreign.row("Python, json.dumps", at(row, "\"2026-06-21 00:00:00.123456+00:00\"")),
        Foreign.dead("Python, json.dumps", at(row, "1782000000.12"), "is in seconds by its size"),
        Foreign.dead(
            "Python, json.dumps",
            at(row, "\"2026-06-21 00:00:00.123456\""),
            "field ts is no time; send millis since 1970 UTC, or an ISO 8601 time"),
        Foreign.dead(
            "Python, json.dumps",
            at(row, "1").replace("1.5", "NaN"),
            "NaN and infinities are not JSON"),
        Foreign.dead("Python, str", at(row, "1").replace('"', '\''), "single quotes"),
        Foreign.dead("Python, str", at(row, "1").replace("true", "True"), "words of Python"),
        Foreign.row("pandas to_json", at(row, "1782000000123").replace("2,", "2.0,")));
  }

  private static List<Foreign> others() {
    String row = "{\"kwh\":1.5,\"night\":true,\"code\":2,\"ts\":%s}";
    String go = at(row, "\"2026-06-21T00:00:00.123456789Z\"");
    return List.of(
        Foreign.row("Go, encoding/json", go + "\n"),
        Foreign.dead(
            "Go, encoding/json",
            go.replace("1.5", "\"1.5\""),
            "a number that is written as a text"),
        Foreign.row("Java, Jackson", at(row, "[2026,6,21,0,0,0,123000000]")),
        Foreign.row("Java, Jackson", at(row, "\"2026-06-21T00:00:00.123+0000\"")),
        Foreign.row("Java, Jackson", at(row, "1782000000.123456789")).in(EventUnit.SECONDS),
        Foreign.dead(
            "Java, Spring",
            "\"" + go.replace("\"", "\\\"") + "\"",
            "a JSON object inside of a text: it was serialized twice"),
        Foreign.row(".NET", "\ufeff" + at(row, "\"2026-06-21T02:00:00.1234567+02:00\"")),
        Foreign.dead(
            ".NET",
            "{\"Kwh\":1.5,\"Night\":true,\"Code\":2}",
            "field kwh is there in other letters, capital or small"),
        Foreign.dead(".NET", at(row, "\"/Date(1782000000123)/\""), "ts is no time"),
        Foreign.dead(
            "a line or an object in the other's format", "1.5;true;2;1", "not a JSON object"),
        Foreign.dead("several rows in a record", "[" + go + "," + go + "]", "not a JSON object"),
        Foreign.dead("several rows in a record", go + "\n" + go, "text after the JSON object"));
  }

  private static List<Foreign> lines() {
    return Stream.of(
            Foreign.row("kcat, lines of a file", "1.5;true;2;1782000000123"),
            Foreign.row("kcat, lines of a file", "1.5;TRUE;2;2026-06-21T00:00:00.123Z\r"),
            Foreign.dead(
                "a line or an object in the other's format",
                "{\"kwh\":1.5}",
                "JSON, not separated values; use format json"),
            Foreign.dead(
                "kcat, lines of a file", "kwh;night;code;ts", "the line holds the names of the"),
            Foreign.dead(
                "kcat, lines of a file",
                "1,5;true;2;1782000000123",
                "column kwh: got a number with a decimal comma"))
        .map(Foreign::asCsv)
        .toList();
  }

  /** The row with an event time. */
  private static String at(String row, String time) {
    return row.replace("%s", time);
  }

  private static RecordReader reader(Foreign foreign, MissingValues missing) {
    RowSchema schema =
        RowSchema.of(
            List.of(
                new NumericColumn("kwh", 0, 2),
                new IndicatorColumn("night", "night", "true"),
                new IndicatorColumn("two", "code", "2")),
            1.0,
            2.0,
            missing);
    EpochSchedule hours =
        new EpochSchedule(3_600_000, 0, true, 0)
            .by(
                RowTime.event("ts", Duration.ofMinutes(5), Duration.ofMinutes(1))
                    .in(foreign.unit()));
    StreamRequest request =
        new StreamRequest(
            "foreign",
            schema,
            new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
            BudgetScope.ROWS,
            1000,
            List.of(),
            List.of(new SketchRequest("moments", "noisy-moments", 1, Map.of())));
    SketchJobSettings settings =
        OperatorFixture.settings(StreamPlan.of(request), hours)
            .withInput(
                new RowInput(foreign.format(), false, "", "", List.of(SketchJobSettings.NO_GROUP)));
    return new RecordReader(settings, hours);
  }

  @ParameterizedTest
  @MethodSource("records")
  void isReadRightOrItsCauseIsNamed(Foreign foreign) throws LateRowException {
    for (MissingValues missing : MissingValues.values()) {
      RecordReader reader = reader(foreign, missing);
      String reason = "";
      try {
        long epoch =
            reader.read(
                new RowRecord(
                    0,
                    0,
                    NOW,
                    true,
                    Optional.empty(),
                    Optional.of(foreign.record().getBytes(UTF_8))));
        assertThat(epoch).isEqualTo(NOW / 3_600_000);
        double[] row = new double[4];
        reader.encoder().scale(row);
        assertThat(row).containsExactly(1, 0.5, 1, 1);
      } catch (RowRejectedException e) {
        reason = e.getMessage();
      }
      assertThat(reason)
          .satisfies(text -> assertThat(text.isEmpty()).isEqualTo(foreign.reason().isEmpty()))
          .contains(foreign.reason())
          .doesNotContain("1.5", "1782", "2026-06");
    }
  }

  /** What a stranger reads is what is tested. */
  @Test
  void theDocumentHasALineForEach() throws IOException {
    String table =
        Files.readString(Path.of("../docs/reference/records.md"))
            .lines()
            .filter(line -> line.startsWith("| "))
            .collect(Collectors.joining("\n"));
    for (Foreign foreign : records()) {
      assertThat(table).contains("| " + foreign.producer() + " |");
    }
  }
}
