package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.kafka.RowRecord;
import io.gauze.ledger.HeldReleases;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.pipeline.read.DeadLetterOutputs;
import io.gauze.pipeline.read.KeyedFoldOperator;
import io.gauze.pipeline.read.RecordKeys;
import io.gauze.pipeline.read.RecordReader;
import io.gauze.pipeline.read.RoutedRecord;
import io.gauze.plan.StreamPlan;
import io.gauze.row.CategoryColumn;
import io.gauze.row.EncodedRow;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.Change;
import io.gauze.source.RegistryServer;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.avro.RegistryAccess;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.CellMessage;
import io.gauze.stream.LateRowException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every reason of a dead letter: docs/reference/records.md has a row for each, each row is reached
 * by a record here, and each reason in the code is in a row.
 */
final class RecordFaultsTest {
  private static final Pattern ROW = Pattern.compile("\\| `(.*?)` \\|.*\\|.*\\|");

  /** Of what is written, and of files, whose reasons are no dead letters. */
  private static final Pattern OTHERS = Pattern.compile("Writer|Csv(Cells|Columns|File)[.]java");

  private static final long NOW = 1_782_000_000_000L;
  private static final EpochSchedule HOURS =
      new EpochSchedule(3_600_000, 0, true, 0)
          .by(RowTime.event("ts", Duration.ofMinutes(5), Duration.ofMinutes(1)));
  private static final RecordFormat JSON = new RecordFormat.Json();
  private static final RecordFormat CSV = new RecordFormat.Csv(List.of("a", "k", "id"), ',');
  private static final RecordFormat EVENTS = new RecordFormat.DebeziumJson(ReplicaIdentity.FULL);
  private static final String GOOD = "\"a\":0.5,\"k\":\"x\"";

  private final List<String> reasons = new ArrayList<>();
  private RegistryServer registry;

  @BeforeEach
  void start() throws IOException {
    registry = new RegistryServer();
  }

  @AfterEach
  void stop() throws IOException {
    registry.close();
  }

  // -- the table

  private static List<String> table() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "reference", "records.md"));
    String section =
        page.substring(
            page.indexOf("## Reasons of dead letters"), page.indexOf("## Files of other programs"));
    return section
        .substring(section.indexOf("| reason | of what |"))
        .lines()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> row.group(1))
        .toList();
  }

  private static Pattern pattern(String row) {
    return Pattern.compile(
        Stream.of(row.split("\\.\\.\\.", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".+?")));
  }

  @Test
  void eachReasonIsInTheTableAndEachRowIsReached() throws Exception {
    records();
    keys();
    times();
    registries();
    tables();
    List<String> table = table();
    Map<String, Set<String>> reached = new LinkedHashMap<>();
    table.forEach(row -> reached.put(row, new TreeSet<>()));
    for (String reason : reasons) {
      List<String> rows =
          table.stream().filter(row -> pattern(row).matcher(reason).matches()).toList();
      assertThat(rows).as(reason).isNotEmpty();
      rows.forEach(row -> reached.get(row).add(reason));
      assertThat(reason).doesNotContain("8642", "Zaphod");
    }
    assertThat(reached).allSatisfy((row, by) -> assertThat(by).as(row).isNotEmpty());
  }

  /** The texts of a reason, as they stand in the code, are in one row. */
  @Test
  void eachReasonOfTheCodeIsInTheTable() throws Exception {
    String table = String.join("\n", table());
    List<String> unknown = new ArrayList<>();
    for (String folder : List.of("source", "pipeline")) {
      try (Stream<Path> files = Files.walk(Path.of("src/main/java/io/gauze", folder))) {
        for (Path file :
            files
                .filter(Files::isRegularFile)
                .filter(f -> !OTHERS.matcher(f.toString()).find())
                .toList()) {
          Matcher thrown =
              Pattern.compile("new RowRejectedException\\(\\s*((?:[^;\"]|\"[^\"]*\")*)")
                  .matcher(Files.readString(file));
          while (thrown.find()) {
            Matcher text =
                Pattern.compile("\"([^\"]*)\"")
                    .matcher(thrown.group(1).replaceAll("\"\\s*\\+\\s*\"", ""));
            while (text.find()) {
              if (text.group(1).length() > 12 && !table.contains(text.group(1).strip())) {
                unknown.add(file.getFileName() + ": " + text.group(1));
              }
            }
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  // -- the records

  private void records() throws Exception {
    read(JSON, "");
    read(JSON, " ".repeat((1 << 20) + 1));
    read(input(JSON), EpochSchedule.all(), new byte[0][]);
    read(JSON, "{" + GOOD + ",\"__deleted\":\"true\"}");
    read(JSON, "{" + GOOD + ",\"__deleted\":\"Zaphod\"}");
    for (String a : List.of("8642e999", "\"0.8642\"", "true", "null", "[8642]")) {
      read(JSON, "{\"a\":" + a + ",\"k\":\"x\"}");
    }
    read(JSON, "{\"a\":0.5,\"k\":\"Zaphod\"}");
    read(input(JSON).groupedBy("g", List.of("de")), EpochSchedule.all(), json("{" + GOOD + "}"));
    for (String group : List.of("\"Zaphod\"", "[8642]")) {
      RowInput grouped = input(JSON).groupedBy("g", List.of("de"));
      read(grouped, EpochSchedule.all(), json("{" + GOOD + ",\"g\":" + group + "}"));
    }
    byte[] good = json("{" + GOOD + "}");
    read(JSON, new byte[] {0x1f, (byte) 0x8b, 8, 0});
    read(JSON, ("{" + GOOD + "}").getBytes(UTF_16));
    read(JSON, ByteBuffer.allocate(5 + good.length).put((byte) 0).putInt(7).put(good).array());
    read(JSON, "{\"a\":0.5,\"k\":\"Zaphod\u00e9\"}".getBytes(ISO_8859_1));
    read(CSV, "0.5,Zaphod\u00e9,7".getBytes(ISO_8859_1));
    read(JSON, "[8642]");
    read(JSON, "\"{\\\"a\\\":0.8642}\"");
    read(JSON, "{\"op\":\"c\",\"before\":null,\"after\":{" + GOOD + "}}");
    read(JSON, "{\"schema\":{\"type\":\"struct\"},\"payload\":null}");
    read(CSV, "a,k,id");
    read(CSV, "{\"a\":8642}");
    read(JSON, "{\"A\":8642}");
    read(JSON, "\1\2Zaphod\u00e9".getBytes(ISO_8859_1));
    read(JSON, "{" + GOOD + "}{}");
    read(JSON, "{\"z\":" + "[".repeat(99) + "]".repeat(99) + "}");
    for (String wrong :
        List.of(
            "{\"a\":0.8642",
            "{" + GOOD + ",}",
            "{\"a\":NaN}",
            "{\"a\":True}",
            "{'a':8642}",
            "{/* Zaphod */}",
            "{\"a\":.8642}",
            "{\"a\" 8642}")) {
      read(JSON, wrong);
    }
    for (String wrong : List.of("0.5,x", "0.5,x\"y,7", "0.5,\n,7", "0.5,\"x,7", "0.5,\"x\"y,7")) {
      read(CSV, wrong);
    }
    RowInput inside = input(new RecordFormat.Json()).groupedBy("in.g", List.of("de"));
    read(inside, EpochSchedule.all(), json("{" + GOOD + ",\"in\":8642}"));
    for (String event :
        List.of(
            "{\"after\":{" + GOOD + "}}",
            "{\"a\":8642}",
            "{\"op\":\"x\"}",
            "{\"op\":\"t\"}",
            "{\"ddl\":\"Zaphod\"}",
            "{\"op\":\"c\",\"after\":null}",
            "{\"op\":\"c\",\"after\":8642}",
            "{\"op\":\"c\",\"after\":{\"a\":0.5,\"k\":\"__debezium_unavailable_value\"}}")) {
      read(EVENTS, event);
    }
    RowInput bytes = input(avro("g", "'bytes'")).groupedBy("g", List.of("de"));
    read(bytes, EpochSchedule.all(), new byte[] {2, 1});
    avro("'bytes'", (byte) 2, (byte) 1);
    avro("{'type':'bytes','logicalType':'decimal','precision':4,'scale':1}", (byte) 0);
    avro(
        "{'type':'bytes','logicalType':'decimal','precision':600,'scale':500}", (byte) 2, (byte) 1);
    for (String start : List.of("Obj\1", "\u00c3\1", "{\"a\": 8642}")) {
      avro("'boolean'", start.getBytes(ISO_8859_1));
    }
    avro("'boolean'", glue());
    avro("'boolean'", (byte) 7);
    avro("'boolean'", (byte) 1, (byte) 1, (byte) 1);
  }

  /** A row after a header of AWS Glue: a version, no compression, and a random id. */
  private static byte[] glue() {
    byte[] row = new byte[20];
    row[0] = 3;
    row[8] = 0x41;
    row[10] = (byte) 0x8f;
    return row;
  }

  private void avro(String type, byte... value) throws Exception {
    read(avro("a", type), value);
  }

  private static RecordFormat avro(String field, String type) {
    String schema =
        "{'type':'record','name':'R','fields':[{'name':'" + field + "','type':" + type + "}]}";
    return new RecordFormat.Avro(schema.replace('\'', '"'));
  }

  private void keys() throws Exception {
    byte[] row = json("{" + GOOD + "}");
    key(table(input(JSON), true, ""), json("{}"), row);
    SketchJobSettings record = table(input(JSON), true, "");
    key(record, null, row);
    key(record, new byte[0], row);
    key(record, json("null"), row);
    key(record, new byte[] {-1}, row);
    key(record, json("[".repeat(99) + "]".repeat(99)), row);
    key(record, json("\"\\ud800\""), row);
    key(record, json("7." + "0".repeat(1000)), row);
    key(record, json("[" + "1e999,".repeat(5000) + "1]"), row);
    SketchJobSettings field = table(input(JSON), true, "id");
    key(field, null, json("{\"id\":7." + "0".repeat(1000) + "}"));
    key(field, json("{\"other\":8642}"), null);
    key(field, json("{\"schema\":null,\"payload\":null}"), null);
    key(field, json("{\"id\":null}"), null);
    key(table(input(JSON), true, "in.id"), null, json("{\"in\":8642}"));
    key(table(input(avro("in", "'int'")), true, "in.id"), null, new byte[] {2});
    key(table(input(avro("id", "'bytes'")), true, "id"), null, new byte[] {2, 1});
    for (String id : List.of("null", "[8642]", "\"\\ud800\"")) {
      key(field, null, json("{\"id\":" + id + "}"));
    }
  }

  private void times() throws Exception {
    RowInput input = input(JSON);
    for (String time : List.of("null", "\"Zaphod\"", "[8642]", "1782000000", "1782009999000")) {
      read(input, HOURS, json("{" + GOOD + ",\"ts\":" + time + "}"));
    }
    EpochSchedule inside =
        HOURS.by(RowTime.event("in.ts", Duration.ofMinutes(5), Duration.ofMinutes(1)));
    read(input, inside, json("{" + GOOD + ",\"in\":8642}"));
    RowInput append = input(JSON);
    EpochSchedule schedule = HOURS.by(RowTime.APPEND);
    try {
      new RecordReader(settings(append, schedule, BudgetScope.ROWS), schedule)
          .read(new RowRecord(0, 0, NOW, false, Optional.empty(), Optional.of(json("{}"))));
    } catch (RowRejectedException e) {
      reasons.add(e.getMessage());
    }
  }

  private void registries() throws Exception {
    registry.put(1, "{\"schemaType\":\"PROTOBUF\",\"schema\":\"Zaphod\"}");
    registry.put(2, "{\"schema\":\"x\",\"references\":[{\"name\":\"Zaphod\"}]}");
    registry.put(3, "{\"schema\":\"Zaphod\"}");
    registry.put(4, "{\"schema\":\"\\\"int\\\"\"}");
    RegistryAccess access = RegistryAccess.open(registry.url());
    RecordFormat avro = new RecordFormat.ConfluentAvro(access);
    for (byte id = 1; id <= 5; id++) {
      read(avro, new byte[] {0, 0, 0, 0, id, 1});
    }
    read(avro, new byte[] {1});
    read(avro, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 7, 1});
    registry.put(
        7,
        "{\"schema\":\"{\\\"type\\\":\\\"record\\\",\\\"name\\\":\\\"E\\\",\\\"fields\\\":["
            + "{\\\"name\\\":\\\"after\\\",\\\"type\\\":{\\\"type\\\":\\\"record\\\",\\\"name\\\":\\\"R\\\","
            + "\\\"fields\\\":[]}},{\\\"name\\\":\\\"op\\\",\\\"type\\\":\\\"string\\\"}]}\"}");
    read(avro, new byte[] {0, 0, 0, 0, 7, 2, 'c'});
    registry.put(
        6,
        "{\"schema\":\"{\\\"type\\\":\\\"record\\\",\\\"name\\\":\\\"R\\\",\\\"fields\\\":[]}\"}");
    read(new RecordFormat.DebeziumAvro(access, ReplicaIdentity.KEY), new byte[] {0, 0, 0, 0, 6});
    SketchJobSettings keys = table(input(avro), true, "");
    key(keys, new byte[] {0, 0, 0, 0, 4, 2, 2}, new byte[] {1});
    key(keys, new byte[] {0, 0, 0, 0, 9, 2}, new byte[] {1});
  }

  /** Those that the rows before decide. */
  private void tables() throws Exception {
    String row = "{\"op\":\"c\",\"after\":{" + GOOD + "}}";
    fold(table(input(EVENTS), false, ""), "k", row, row);
    fold(table(input(EVENTS), false, ""), "k", "{\"op\":\"d\",\"before\":{" + GOOD + "}}");
    fold(
        table(input(EVENTS), false, ""),
        "k",
        row,
        "{\"op\":\"d\",\"before\":{\"a\":0.25,\"k\":\"x\"}}");
    SketchJobSettings users =
        settings(input(JSON), EpochSchedule.all(), BudgetScope.users("id", 2));
    fold(users, "ann", "{" + GOOD + ",\"id\":\"Zaphod\"}");
  }

  // -- helpers

  private static byte[] json(String text) {
    return text.getBytes(UTF_8);
  }

  private static RowInput input(RecordFormat format) {
    return new RowInput(format, false, "", "", List.of(SketchJobSettings.NO_GROUP));
  }

  private static SketchJobSettings table(RowInput input, boolean upsert, String keyField) {
    RowInput keyed = new RowInput(input.format(), upsert, keyField, "", input.groups());
    return settings(keyed, EpochSchedule.all(), BudgetScope.keys(1));
  }

  private static SketchJobSettings settings(
      RowInput input, EpochSchedule schedule, BudgetScope unit) {
    RowSchema schema =
        RowSchema.of(
            List.of(new NumericColumn("a", -1, 1), new CategoryColumn("k", "k", List.of("x", "y"))),
            1.0);
    StreamRequest request =
        new StreamRequest(
            "faults",
            schema,
            new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
            unit,
            1000,
            List.of(),
            List.of(new SketchRequest("moments", "noisy-moments", 1, Map.of())));
    return OperatorFixture.settings(StreamPlan.of(request), schedule).withInput(input);
  }

  private void read(RecordFormat format, String value) throws Exception {
    read(format, json(value));
  }

  private void read(RecordFormat format, byte[] value) throws Exception {
    read(input(format), EpochSchedule.all(), value);
  }

  /** Reads a row, without a value if there is none. */
  private void read(RowInput input, EpochSchedule schedule, byte[]... value) throws Exception {
    boolean changes = input.format().isChangelog();
    SketchJobSettings settings =
        settings(input, schedule, changes ? BudgetScope.keys(1) : BudgetScope.ROWS);
    RecordReader reader = new RecordReader(settings, schedule);
    RowRecord record =
        new RowRecord(0, 0, NOW, true, Optional.empty(), Stream.of(value).findFirst());
    try {
      if (!changes) {
        reader.read(record);
      } else if (reader.readChange(record) != Change.NONE) {
        reader.image(true, new EncodedRow(settings.plan().schema().dimension()));
      }
    } catch (RowRejectedException e) {
      reasons.add(e.getMessage());
      return;
    } catch (LateRowException e) {
      throw new AssertionError("late", e);
    }
    throw new AssertionError("the record was read");
  }

  private void key(SketchJobSettings settings, byte[] key, byte[] value) {
    try {
      new RecordKeys(settings)
          .read(
              new RowRecord(0, 0, NOW, true, Optional.ofNullable(key), Optional.ofNullable(value)));
    } catch (RowRejectedException e) {
      reasons.add(e.getMessage());
      return;
    }
    throw new AssertionError("the key was read");
  }

  private void fold(SketchJobSettings settings, String key, String... values) throws Exception {
    try (KeyedOneInputStreamOperatorTestHarness<String, RoutedRecord, CellMessage> harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedFoldOperator(settings, given -> HeldReleases.NONE),
            RoutedRecord::key,
            Types.STRING,
            new OperatorFixture().environment())) {
      OperatorFixture.open(harness, CellMessage.TYPE);
      long offset = 0;
      for (String value : values) {
        RowRecord row =
            new RowRecord(0, offset++, NOW, true, Optional.of(json(key)), Optional.of(json(value)));
        harness.processElement(
            new StreamRecord<>(new RoutedRecord(key, RoutedRecord.Part.WHOLE, row)));
      }
      harness.getSideOutput(DeadLetterOutputs.DEAD).stream()
          .map(letter -> letter.getValue().reason())
          .forEach(reasons::add);
    }
  }
}
