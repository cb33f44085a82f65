package io.gauze.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.answer.MeterReleases;
import io.gauze.release.Release;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The blocks of docs/guide/sql.md run, one after the other, in a gateway that has Flink alone, with
 * the jar that is handed out and Flink's jar of the Kafka connector, over records that are
 * compressed with Zstandard.
 */
final class SqlGuideIT {
  private static final Path GUIDE = Path.of("..", "docs", "guide", "sql.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sql\\n(.*?)^```");
  private static final Path JAR = Path.of("target", "gauze-flink-sql.jar").toAbsolutePath();
  private static final Path CONNECTOR =
      Path.of("target", "connector", "flink-sql-connector-kafka.jar").toAbsolutePath();
  private static final int HOURS = 4;

  @TempDir static Path folder;

  private static TestBroker broker;
  private static Path releases;

  @BeforeAll
  static void start() throws Exception {
    broker = TestBroker.start(Files.createDirectory(folder.resolve("broker")));
    releases = Files.createDirectory(folder.resolve("releases"));
    broker.create("releases");
    broker.create("rows");
    for (int hour = 0; hour < HOURS; hour++) {
      Release release = MeterReleases.hour(hour, "moments");
      broker.send("releases", release.id().toString(), release.toBytes());
      SqlSession.write(releases, Integer.toString(hour), release);
    }
    broker.send("releases", "damaged", new byte[] {1, 2, 3});
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static List<String> statements() throws Exception {
    String page =
        Files.readString(GUIDE)
            .replace("localhost:9092", broker.address())
            .replace("/srv/releases", releases.toString())
            .replace("/opt/gauze/flink/" + JAR.getFileName(), JAR.toString())
            .replace("/opt/flink/opt/" + CONNECTOR.getFileName(), CONNECTOR.toString());
    return BLOCK
        .matcher(page)
        .results()
        .flatMap(block -> Arrays.stream(block.group(1).split(";\\s*\\n")))
        .map(String::strip)
        .toList();
  }

  @Test
  void theBlocksOfTheGuideRun() throws Exception {
    Map<String, List<JsonNode>> results = new LinkedHashMap<>();
    Path home = Files.createDirectory(folder.resolve("gateway"));
    try (SqlGatewayProcess gateway = SqlGatewayProcess.start(home)) {
      boolean isStreaming = false;
      for (String statement : statements()) {
        isStreaming |= statement.contains("'streaming'");
        boolean isEndless = isStreaming && statement.startsWith("SELECT");
        results.put(statement, gateway.run(statement, isEndless ? 2 * HOURS : Integer.MAX_VALUE));
      }
    }
    assertThat(broker.records("rows")).isEqualTo(2);
    check(results);
  }

  /** The jars stand in Flink's folder lib, and no session adds them. */
  @Test
  void theJarWorksInLib() throws Exception {
    List<String> all = statements();
    int fit = 0;
    while (!all.get(fit).contains("GAUZE_FIT")) {
      fit++;
    }
    List<JsonNode> rows = List.of();
    Path home = Files.createDirectory(folder.resolve("lib"));
    try (SqlGatewayProcess gateway = SqlGatewayProcess.start(home, JAR, CONNECTOR)) {
      for (String statement : all.subList(0, fit + 1)) {
        if (statement.matches("(?s)(LOAD|CREATE|SET|SELECT epoch, f).*")) {
          rows = gateway.run(statement, Integer.MAX_VALUE);
        }
      }
    }
    assertThat(rows).hasSize(4 * HOURS);
  }

  private static void check(Map<String, List<JsonNode>> results) {
    List<List<JsonNode>> queries = new ArrayList<>();
    results.forEach(
        (statement, rows) -> {
          if (statement.startsWith("SELECT")) {
            queries.add(rows);
          }
        });
    assertThat(queries).hasSize(7);
    assertThat(queries.get(0)).as("releases in the topic").hasSize(HOURS);
    assertThat(queries.get(1).get(0).path(0).asInt()).as("releases in files").isEqualTo(HOURS);
    // The intercept, the temperature and two tariffs.
    assertThat(queries.get(2)).as("fits").hasSize(4 * HOURS);
    assertThat(queries.get(3)).as("a fit of all hours").hasSize(7);
    assertThat(queries.get(4))
        .as("refusals")
        .hasSize(HOURS)
        .allMatch(row -> row.path(1).asText().startsWith("GZ-COLUMN: "));
    List<JsonNode> predictions = queries.get(5);
    assertThat(predictions).as("predictions").hasSize(3);
    assertThat(predictions.get(0).path(3).isNumber()).isTrue();
    assertThat(predictions.get(1).path(7).asText()).isEqualTo("temperature");
    assertThat(predictions.get(2).path(3).isNull()).as("of an unknown category").isTrue();
    List<JsonNode> rolling = queries.get(6);
    assertThat(rolling).as("a rolling fit").hasSizeGreaterThanOrEqualTo(2 * HOURS);
    assertThat(rolling.get(2 * HOURS - 1).path(1).asInt()).as("epochs").isEqualTo(3);
  }
}
