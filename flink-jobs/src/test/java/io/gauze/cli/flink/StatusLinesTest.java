package io.gauze.cli.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.cli.RowsFile;
import io.gauze.config.JobStreams;
import io.gauze.local.JobMetrics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of metrics, which stand for those of a job. */
final class StatusLinesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T10:02:07.300Z");
  private static final Instant EPOCH = Instant.parse("2026-01-01T10:01:00Z");

  @TempDir private Path folder;

  private final MetricReporter flink =
      new JobMetrics.Factory().createMetricReporter(new Properties());
  private final StringWriter err = new StringWriter();

  @AfterEach
  void close() {
    flink.close();
  }

  private StatusLines lines(String... streams) throws Exception {
    List<Path> files = new ArrayList<>();
    for (String stream : streams) {
      files.add(config(stream));
    }
    return new StatusLines(
        JobStreams.read(files), new PrintWriter(err, true), InstantSource.fixed(NOW));
  }

  private Path config(String stream) throws IOException {
    String kafka = "kafka: {releases: {topic: " + stream + "}}";
    String sketch = "- {name: moments, mechanism: noisy-moments}";
    return Files.writeString(
        folder.resolve(stream + ".yaml"),
        RowsFile.config(stream, sketch, kafka).replace("length: all", "length: PT1H"));
  }

  private String printed(StatusLines lines) {
    err.getBuffer().setLength(0);
    lines.print();
    return err.toString();
  }

  private static MetricGroup group(Map<String, String> scope) {
    return new UnregisteredMetricsGroup() {
      @Override
      public Map<String, String> getAllVariables() {
        return scope;
      }

      @Override
      public String[] getScopeComponents() {
        return new String[] {"localhost", "gauze"};
      }
    };
  }

  private static MetricGroup task(String operator, String subtask, String attempt) {
    return group(
        Map.of(
            JobMetrics.OPERATOR,
            operator,
            "<subtask_index>",
            subtask,
            "<task_attempt_num>",
            attempt));
  }

  private Metric count(String operator, String subtask, String name, long value) {
    Counter counter = new SimpleCounter();
    counter.inc(value);
    flink.notifyOfAddedMetric(counter, name, task(operator, subtask, "0"));
    return counter;
  }

  private void gauge(String operator, String name, long value) {
    Gauge<Long> gauge = () -> value;
    flink.notifyOfAddedMetric(gauge, name, task(operator, "0", "0"));
  }

  @Test
  void aLineHasTheSumsOfAllSubtasks() throws Exception {
    count("wine: decode, encode, fold", "0", "rows", 1_000_000);
    count("wine: decode, encode, fold", "1", "rows", 234_567);
    count("wine: decode, encode, fold", "1", "lateRows", 2);
    count("wine: decode, encode, fold", "1", "deadLetters", 3);
    gauge("wine: decode, encode, fold", "clippedRows", 5);
    for (String column : List.of("x1", "x2")) {
      Gauge<Long> clamped = () -> 2L;
      flink.notifyOfAddedMetric(
          clamped,
          "clampedRows",
          group(Map.of(JobMetrics.OPERATOR, "wine: decode, encode, fold", "<column>", column)));
    }
    count("wine: decode, encode, fold", "0", "rowsAfterLastRelease", 6);
    count("wine: decode, encode, fold by key", "0", "droppedByUserBound", 1);
    count("beer: decode, encode, fold", "0", "rows", 99);
    gauge("Source: wine: rows", JobMetrics.PENDING_RECORDS, 1200);
    gauge("Source: wine: requests", JobMetrics.PENDING_RECORDS, 77);
    gauge("wine: publish: Committer", "lastReleaseMillis", NOW.toEpochMilli() - 5300);
    gauge("wine: publish: Committer", "lastReleaseEpochMillis", EPOCH.toEpochMilli());
    String counts =
        "rows 1,234,567, late 2, dead 3, clamped 4, clipped 5, dropped 7, last release of epoch"
            + " 2026-01-01T10:01:00Z 5 s ago, lag 1,200";
    assertThat(printed(lines("wine"))).isEqualTo("2026-01-01T10:02:07Z " + counts + end());
    assertThat(printed(lines("wine", "beer")))
        .isEqualTo(
            "2026-01-01T10:02:07Z stream wine: "
                + counts
                + end()
                + "2026-01-01T10:02:07Z stream beer: rows 99, late 0, dead 0, clamped 0, clipped 0,"
                + " dropped 0, no release yet, lag unknown"
                + end());
  }

  /** A model may be far behind while the last release is new, also where its task restarts. */
  @Test
  void aLineHasTheOldestEpochThatLacksARelease() throws Exception {
    StatusLines lines = lines("wine");
    MetricGroup task = task("wine: publish: Committer", "0", "0");
    Gauge<Long> open = () -> EPOCH.toEpochMilli();
    flink.notifyOfAddedMetric(open, "oldestUnreleasedEpochMillis", task);
    assertThat(printed(lines))
        .contains("no release yet, oldest unreleased epoch 2026-01-01T10:01:00Z, lag");
    gauge("wine: publish: Committer", "oldestUnreleasedEpochMillis", EPOCH.toEpochMilli() - 1);
    assertThat(printed(lines)).contains("oldest unreleased epoch 2026-01-01T10:01:00Z, lag");
    StatusLines late = lines("wine");
    gauge(
        "wine: publish: Committer",
        "oldestUnreleasedEpochMillis",
        NOW.minusSeconds(3600 + 2155).toEpochMilli());
    assertThat(printed(late))
        .contains("oldest unreleased epoch 2026-01-01T08:26:12.300Z (over for 2,155 s), lag");
  }

  /** Where the encoder counts them in one. */
  @Test
  void clampedValuesAreTakenFromTheirOwnCounter() throws Exception {
    count("wine: decode, encode, fold", "0", "clampedValues", 8);
    gauge("wine: decode, encode, fold", "clampedRows", 9);
    assertThat(printed(lines("wine"))).contains(" clamped 8,");
  }

  /** Between two attempts of a task there is no metric, which is not a count of nothing. */
  @Test
  void aJobThatStartsAgainCountsAgain() throws Exception {
    StatusLines lines = lines("wine");
    Metric rows = count("wine: decode, encode, fold", "0", "rows", 10);
    count("wine: decode, encode, fold", "1", "rows", 5);
    gauge("wine: publish: Committer", "lastReleaseMillis", NOW.toEpochMilli() - 1000);
    assertThat(printed(lines)).contains(" rows 15,", "last release 1 s ago");
    MetricGroup first = task("wine: decode, encode, fold", "0", "0");
    flink.notifyOfRemovedMetric(rows, "rows", first);
    assertThat(printed(lines)).contains(" rows 15,").doesNotContain("restart");
    flink.notifyOfAddedMetric(
        new SimpleCounter(), "rows", task("wine: decode, encode, fold", "0", "1"));
    flink.notifyOfRemovedMetric(rows, "rows", first); // late
    gauge("wine: publish: Committer", "lastReleaseMillis", 0);
    Gauge<Long> restarts = () -> 1L;
    flink.notifyOfAddedMetric(
        restarts,
        JobMetrics.RESTARTS,
        group(Map.of(JobMetrics.JOB, SketchJobName.of(List.of("wine")))));
    assertThat(printed(lines))
        .contains(" rows 5,", "last release 1 s ago")
        .endsWith(", since restart 1 of the job" + end());
  }

  @Test
  void gaugesOfEndingTasksAreLeftOut() throws Exception {
    Gauge<Long> closed =
        () -> {
          throw new IllegalStateException("closed");
        };
    MetricGroup source = task("Source: wine: rows", "0", "0");
    flink.notifyOfAddedMetric(closed, JobMetrics.PENDING_RECORDS, source);
    assertThat(printed(lines("wine"))).endsWith("lag unknown" + end());
    flink.notifyOfRemovedMetric(closed, JobMetrics.PENDING_RECORDS, source);
    assertThat(printed(lines("wine"))).endsWith("lag unknown" + end());
  }

  @Test
  void aLineComesOnceAMinute() {
    assertThat(StatusLines.periodMillis()).isEqualTo(60_000);
  }

  private static String end() {
    return System.lineSeparator();
  }
}
