package io.gauze.summary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.config.StreamConfig;
import io.gauze.plan.StreamPlan;
import io.gauze.report.Report;
import io.gauze.stream.BudgetedEpochs;
import io.gauze.stream.StreamSettings;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What {@code gauze check} says of a config is what the config says. */
final class ConfigSummaryTest {
  private static final String HOURS = "{length: PT1H}";
  private static final String TOTAL_BUDGET = "totalBudget: {epsilon: 8, delta: 1.0e-5}";

  @Test
  void ofRows() throws Exception {
    Report summary = summary("neighbours: replace-one", HOURS);

    assertThat(row(summary, "budget"))
        .isEqualTo("epsilon 1.0, delta 1.0E-6, for each row, all sketches of an epoch together");
    assertThat(row(summary, "neighbours"))
        .isEqualTo(
            "replace-one: releases hardly tell whether one row has its values replaced by any"
                + " others");
    assertThat(row(summary, "epochs"))
        .isEqualTo("every PT1H of append time, sealed PT10S after its end");
    assertThat(row(summary, "guarantee"))
        .startsWith("Differentially private with epsilon 1.0 and delta 1.0E-6 for each row")
        .endsWith("if its assumptions hold.");
    assertThat(names(summary)).doesNotContain("groups", "snapshots", "checkpointLeaks");
    JsonNode json = json(summary);
    assertThat(json.path("unit").asText()).isEqualTo("row");
    assertThat(json.path("checkpointLeaks").asInt(-1)).isZero();
    assertThat(json.at("/epochs/time").asText()).isEqualTo("append");
    assertThat(json.at("/epochs/sealedAfter").asText()).isEqualTo("PT10S");
    assertThat(json.has("groups")).isFalse();
    assertThat(json.has("snapshots")).isFalse();
  }

  @Test
  void ofUsersInGroupsWithAStolenCheckpoint() throws Exception {
    Report summary =
        summary(
            "neighbours: add-remove, checkpointLeaks: 1, unit: {user: customer, rowsPerEpoch: 4}, "
                + TOTAL_BUDGET,
            HOURS,
            "kafka: {rows: {key: record}}",
            "groups: {field: country, values: [de, fr]}");

    assertThat(row(summary, "budget"))
        .endsWith(
            "for each user in each epoch (field customer, the first 4 rows), all"
                + " sketches together");
    assertThat(row(summary, "guarantee")).contains("for each user in each epoch,");
    assertThat(row(summary, "neighbours"))
        .isEqualTo(
            "add-remove: releases hardly tell whether all rows of one user in this epoch are added"
                + " or removed");
    assertThat(row(summary, "groups")).isEqualTo("2 of field country: de, fr");
    assertThat(row(summary, "checkpointLeaks")).isEqualTo("1");
    JsonNode json = json(summary);
    assertThat(json.path("unit").asText()).isEqualTo("user");
    assertThat(json.path("user").asText()).isEqualTo("customer");
    assertThat(json.path("rowsPerEpoch").asInt()).isEqualTo(4);
    assertThat(json.path("checkpointLeaks").asInt()).isEqualTo(1);
    assertThat(json.path("groups").toString())
        .isEqualTo("{\"field\":\"country\",\"values\":[\"de\",\"fr\"]}");
  }

  /** An epoch has epsilon 1 at delta 1e-6. */
  @Test
  void ofUsersSaysHowManyEpochsTheTotalBudgetCovers() throws Exception {
    String users = "neighbours: add-remove, unit: {user: customer, rowsPerEpoch: 4}, ";
    String keyed = "kafka: {rows: {key: record}}";
    Report one = summary(users + "totalBudget: {epsilon: 1, delta: 1.0e-6}", HOURS, keyed);
    assertThat(row(one, "covers")).isEqualTo("1 epoch, until 2026-03-01T11:00:00Z");
    assertThat(json(one).path("warnings").toString())
        .contains("privacy.totalBudget covers 1 epoch of PT1H, less than a day");
    assertThat(json(one).at("/messages/0/code").asText()).isEqualTo("GZ-SHORTBUDGET");

    Report more =
        summary(
            users + "totalBudget: {epsilon: 8, delta: 1.0e-5}",
            "{length: PT1H, from: 2026-01-01T00:00:00Z}",
            keyed);
    int epochs = json(more).at("/totalBudget/epochs").asInt();
    assertThat(epochs).isGreaterThan(24);
    assertThat(json(more).at("/totalBudget/until").asText())
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z").plusSeconds(3600L * epochs).toString());
    assertThat(json(more).at("/totalBudget/left").isMissingNode()).isTrue();
    assertThat(json(more).path("warnings")).isEmpty();

    assertThat(names(summary("neighbours: add-remove", HOURS))).doesNotContain("covers");
  }

  @Test
  void ofATable() throws Exception {
    Report summary =
        summary(
            "neighbours: add-remove, unit: key",
            "{length: P1D, from: 2026-01-01T00:00:00Z, sealDelay: PT1M}",
            "snapshots: 24",
            "kafka: {rows: {format: debezium-json, key: record}}");

    assertThat(row(summary, "budget"))
        .endsWith("for each key, all sketches of all 24 snapshots together");
    assertThat(row(summary, "snapshots")).isEqualTo("24");
    assertThat(row(summary, "epochs"))
        .isEqualTo("every PT24H of append time, sealed PT1M after its end");
    JsonNode json = json(summary);
    assertThat(json.path("unit").asText()).isEqualTo("key");
    assertThat(json.path("snapshots").asInt()).isEqualTo(24);
  }

  @Test
  void ofCumulativeReleases() throws Exception {
    Report summary =
        summary(
            "neighbours: add-remove, " + TOTAL_BUDGET,
            "{length: PT1H, from: 2026-01-01T00:00:00Z}",
            "cumulative: 12");

    assertThat(row(summary, "budget"))
        .endsWith("for each row, all sketches of all 12 cumulative releases together");
    assertThat(json(summary).path("cumulative").asInt()).isEqualTo(12);
  }

  /**
   * Rows may come for {@code allowedLateness}, and the epoch is sealed {@code sealDelay} after
   * that.
   */
  @Test
  void ofEventTimes() throws Exception {
    Report summary =
        summary(
            "neighbours: replace-one",
            "{length: PT1H, sealDelay: PT20S, time: ts, allowedLateness: PT3M, maxClockSkew:"
                + " PT2M}");

    assertThat(row(summary, "epochs"))
        .isEqualTo(
            "every PT1H of field ts (allowedLateness PT3M, maxClockSkew PT2M), sealed PT3M20S after"
                + " its end");
    assertThat(json(summary).path("epochs").toString())
        .isEqualTo(
            "{\"time\":\"event\",\"field\":\"ts\",\"allowedLateness\":\"PT3M\",\"maxClockSkew\":\"PT2M\","
                + "\"sealedAfter\":\"PT3M20S\"}");
  }

  @Test
  void ofProducersTimestamps() throws Exception {
    Report summary = summary("neighbours: replace-one", "{length: PT1H, timestamps: producer}");

    assertThat(row(summary, "epochs"))
        .isEqualTo("every PT1H of the producers' timestamps, sealed PT10S after its end");
    assertThat(json(summary).at("/epochs/time").asText()).isEqualTo("producer");
  }

  @Test
  void ofOneEpochOfManyGroups() throws Exception {
    List<String> groups = IntStream.range(0, 11).mapToObj(i -> "g" + i).toList();
    Report summary =
        summary(
            "neighbours: replace-one",
            "{length: all}",
            "groups: {field: g, values: [" + String.join(", ", groups) + "]}");

    assertThat(row(summary, "epochs"))
        .isEqualTo("one: all rows of a file, or of a topic up to its end");
    assertThat(row(summary, "groups"))
        .isEqualTo("11 of field g: " + String.join(", ", groups.subList(0, 10)) + ", ...");
    JsonNode json = json(summary);
    assertThat(json.path("epochLength").asText()).isEqualTo("all");
    assertThat(json.has("epochs")).isFalse();
    assertThat(json.at("/groups/values")).hasSize(11);
  }

  private static Report summary(String privacy, String epochs, String... more) throws Exception {
    StreamConfig config =
        StreamConfig.parse(
            "meters.yaml",
            String.join(
                System.lineSeparator(),
                "stream: meters",
                "columns: [{name: kwh, lower: 0, upper: 8}, {name: area, lower: 0, upper: 300}]",
                "privacy: {epsilon: 1.0, delta: 1.0e-6, " + privacy + "}",
                "epochs: " + epochs,
                "sketches: [{name: moments, mechanism: noisy-moments}]",
                String.join(System.lineSeparator(), more)));
    StreamPlan plan = StreamSettings.plan(config);
    return new ConfigSummary(
            config,
            plan,
            Optional.empty(),
            BudgetedEpochs.of(config, plan, Instant.parse("2026-03-01T10:20:30Z")))
        .report(false);
  }

  private static String row(Report summary, String name) {
    return summary
        .table()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length()).strip())
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(Report summary) {
    return summary
        .table()
        .lines()
        .takeWhile(line -> !line.isEmpty())
        .map(line -> Arrays.asList(line.split(" ", -1)).get(0))
        .toList();
  }

  private static JsonNode json(Report summary) throws Exception {
    return new ObjectMapper().readTree(summary.json());
  }
}
