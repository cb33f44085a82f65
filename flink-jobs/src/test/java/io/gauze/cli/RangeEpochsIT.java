package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.payload.Payload;
import io.gauze.release.Release;
import io.gauze.stream.JobMessage;
import io.gauze.testing.OwnHome;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.RunProcess;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.testing.UnknownRanges;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Streams whose config has {@code range: estimate}, as a user runs them. */
@ExtendWith(SharedCluster.class)
final class RangeEpochsIT extends OwnHome {
  private static final int ROWS = 2000;
  private static final long LENGTH = 3000;
  private static final boolean BOUNDED = true;

  @Test
  void theFirstEpochGivesTheRangesOfTheOthers() throws Exception {
    String rows = rows();
    long first = sendEpochs(rows, 2);
    Path config = config(rows, ", from: " + label(first), BOUNDED, "noisy-moments");
    DemoIT.Outcome checked = DemoIT.run("check", "--config", config.toString());
    assertThat(checked.status()).as(checked.err()).isZero();
    assertThat(checked.out()).contains("of x, y chosen from counts of the first epoch");

    DemoIT.Outcome run = run(0, config);
    String counts = rows + "/all/" + label(first) + "/ranges";
    assertThat(run.err())
        .contains("counting the rows of calibration epoch " + label(first))
        .contains("ranges are chosen from " + counts, "{name: x, lower: ")
        .contains("first epoch: " + label(first + 1));
    List<Release> releases = releases(rows);
    assertThat(release(releases, counts)).matches(RangeEpochsIT::isCounts);
    assertThat(releases)
        .filteredOn(release -> release.id().epoch().equals(label(first)))
        .as("no other release has a row of the calibration epoch")
        .hasSize(1);
    Release sums = release(releases, rows + "/all/" + label(first + 1) + "/sums");
    assertThat(sums.schema().columns().get(0).lower()).isBetween(1.0, 100.0);
    assertThat(sums.schema().columns().get(0).upper()).isBetween(900.0, 10_000.0);
    assertThat(sums.guarantee().basis())
        .contains(
            "the ranges of columns are chosen from " + counts + ", whose rows are in no other");
    assertThat(rowsOf(sums)).isCloseTo(ROWS, within(0.05 * ROWS));
    assertSlope(config, sums);
    assertSpent(config, "20");

    DemoIT.Outcome again = DemoIT.run("run", "--config", config.toString()); // of later epochs
    assertThat(again.err())
        .contains("ranges are chosen from " + counts)
        .doesNotContain("counting the rows");
    assertThat(releases(rows)).filteredOn(RangeEpochsIT::isCounts).hasSize(1);
    assertThat(releases(rows)).extracting(Release::id).doesNotHaveDuplicates();
  }

  /** Laplace noise has another curve, so the counts have a share of the budget. */
  @Thorough
  @Test
  void mechanismsOfOtherNoiseShareTheBudgetWithTheCounts() throws Exception {
    String rows = rows();
    long first = sendEpochs(rows, 2);
    Path config = config(rows, ", from: " + label(first), BOUNDED, "functional");
    run(0, config);
    Release sums = release(releases(rows), rows + "/all/" + label(first + 1) + "/sums");
    assertThat(sums.guarantee().basis()).contains("and a share of 0.1 of the budget pays for it");
    assertSpent(config, "20");
  }

  /** Killed between the release of the counts and the first release with their ranges. */
  @Thorough
  @Test
  void aKilledRunNeverCountsAgain() throws Exception {
    String rows = rows();
    Path config = config(rows, "", false, "noisy-moments");
    String chosen;
    try (RunProcess run = RunProcess.start(folder, config, Optional.empty())) {
      ProcessCluster.await("the first epoch", () -> run.said().contains("calibration epoch "));
      UnknownRanges.send(rows, ROWS);
      ProcessCluster.await("the ranges", () -> run.said().contains("as columns of a config"));
      chosen = chosen(run.said());
    }
    long first = Instant.parse(chosen.split("/", -1)[2]).toEpochMilli() / LENGTH;
    List<Release> before = releases(rows);
    assertThat(before).allMatch(RangeEpochsIT::isCounts);
    assertThat(before.get(before.size() - 1).id()).hasToString(chosen);
    int size = before.size();
    try (RunProcess run = RunProcess.start(folder, config, Optional.empty())) {
      run.awaitRunning();
      assertThat(chosen(run.said())).isEqualTo(chosen);
      assertThat(run.said()).contains("first epoch: " + label(first + 1));
      TestTopics.read(rows + "-releases", size + 2);
    }
    List<Release> after = releases(rows);
    assertThat(after)
        .extracting(release -> release.id().toString())
        .contains(rows + "/all/" + label(first + 1) + "/sums");
    assertThat(after.subList(size, after.size())).noneMatch(RangeEpochsIT::isCounts);
  }

  /** By event time, in any order: one release of counts for the rows of both groups. */
  @Test
  void eventTimesAndGroupsHaveOneCalibrationEpoch() throws Exception {
    String rows = rows();
    long first = System.currentTimeMillis() / LENGTH + 1;
    for (long epoch : new long[] {first + 1, first}) {
      UnknownRanges.sendEvents(rows, ROWS, epoch * LENGTH, LENGTH);
    }
    long end = (first + 2) * LENGTH + 600;
    ProcessCluster.await("the end", () -> System.currentTimeMillis() > end);
    String times = ", time: ts, allowedLateness: PT0S, from: " + label(first);
    Path config = config(rows, times, BOUNDED, "noisy-moments");
    Files.writeString(
        config, Files.readString(config) + "groups: {field: g, values: [low, high]}\n");
    run(0, config);
    List<Release> releases = releases(rows);
    assertThat(releases)
        .filteredOn(release -> release.id().epoch().equals(label(first)))
        .extracting(release -> release.id().toString())
        .containsExactly(rows + "/all/" + label(first) + "/ranges");
    for (String group : List.of("low", "high")) {
      Release sums = release(releases, rows + "/" + group + "/" + label(first + 1) + "/sums");
      assertThat(sums.schema().columns().get(0).lower()).isBetween(1.0, 100.0);
      assertThat(sums.schema().columns().get(0).upper()).isBetween(900.0, 10_000.0);
      assertThat(rowsOf(sums)).isCloseTo(ROWS / 2.0, within(0.05 * ROWS));
    }
    assertSpent(config, "20");
  }

  /**
   * An empty epoch gives no range; the next one is counted. In one run of a thousand noise alone
   * stands out of one of the columns.
   */
  @Thorough
  @Test
  void anEpochWithoutRangesIsFollowedByAnother() throws Exception {
    String rows = rows();
    long second = sendEpochs(rows, 2);
    Path config = config(rows, ", from: " + label(second - 1), BOUNDED, "noisy-moments");
    DemoIT.Outcome run = run(0, config);
    assertThat(run.err())
        .containsPattern("GZ-NORANGE: No count of column (x, y|x|y) stands out of the noise")
        .contains("The counts are " + rows + "/all/" + label(second - 1) + "/ranges;")
        .contains("ranges are chosen from " + rows + "/all/" + label(second) + "/ranges");
    assertThat(releases(rows)).filteredOn(RangeEpochsIT::isCounts).hasSize(2);
    assertThat(release(releases(rows), rows + "/all/" + label(second + 1) + "/sums"))
        .matches(release -> Math.abs(rowsOf(release) - ROWS) < 0.05 * ROWS);
    assertSpent(config, "20");
  }

  @Test
  void aStreamMayCountRangesAlone() throws Exception {
    String rows = rows();
    long first = sendEpochs(rows, 1);
    Path config = config(rows, ", from: " + label(first), BOUNDED, "ranges");
    run(0, config);
    Release counts = releases(rows).get(0);
    assertThat(counts.id()).hasToString(rows + "/all/" + label(first) + "/sums");
    assertThat(
            DemoIT.run("releases", "--config", config.toString(), "--id", counts.id().toString()))
        .extracting(DemoIT.Outcome::out)
        .asString()
        .contains("{name: x, lower: ");
  }

  @Test
  void oneEpochOfEverythingHasNoLaterOne() throws Exception {
    String rows = rows();
    Path config = config(rows, "", BOUNDED, "noisy-moments");
    Files.writeString(
        config, Files.readString(config).replace("length: PT3S, sealDelay: PT0.5S", "length: all"));
    assertThat(run(2, config).err())
        .contains("columns x, y have range: estimate", "epochs.length all has no later one");
  }

  @Test
  void aBoundedJobDoesNotWaitForTheCalibrationEpoch() throws Exception {
    String rows = rows();
    UnknownRanges.send(rows, 10);
    Path config = config(rows, "", BOUNDED, "noisy-moments");
    Files.writeString(
        config, Files.readString(config).replace("length: PT3S, sealDelay: PT0.5S", "length: P1D"));
    assertThat(run(1, config).err()).contains(JobMessage.CALIBRATION.code(), "Run again after 2");
  }

  private static boolean isCounts(Release release) {
    return release.payload() instanceof Payload.RangeCounts;
  }

  private static String rows() {
    return TestTopics.create("ranges", 2, Map.of("message.timestamp.type", "LogAppendTime"));
  }

  private static String label(long epoch) {
    return Instant.ofEpochMilli(epoch * LENGTH).toString();
  }

  /** The release from which a run has its ranges. */
  private static String chosen(String said) {
    return said.replaceAll("(?s).*ranges are chosen from (\\S+), as columns.*", "$1");
  }

  private static long sendEpochs(String topic, int epochs) {
    return UnknownRanges.sendEpochs(topic, ROWS, epochs, LENGTH);
  }

  /** The number of rows, from the entry of the intercept. */
  private static double rowsOf(Release sums) {
    return sums.value(0) / (sums.schema().intercept() * sums.schema().intercept());
  }

  private static void assertSlope(Path config, Release sums) throws Exception {
    DemoIT.Outcome fit =
        DemoIT.run(
            "fit",
            "--config",
            config.toString(),
            "--id",
            sums.id().toString(),
            "--response",
            "y",
            "--format",
            "json");
    assertThat(fit.status()).as(fit.err()).isZero();
    JsonNode answer = JsonMapper.builder().build().readTree(fit.out());
    assertThat(answer.at("/coefficients/x/estimate").asDouble(answer.findValue("x").asDouble()))
        .as(fit.out())
        .isCloseTo(2.0, within(0.4));
  }

  private static void assertSpent(Path config, String epsilon) {
    DemoIT.Outcome ledger = DemoIT.run("ledger", "--config", config.toString());
    assertThat(ledger.out())
        .as(ledger.err())
        .containsPattern("row +replace-one +" + epsilon + " +" + epsilon + " +0(\\.000\\d+)? ");
  }

  private static Release release(List<Release> releases, String id) {
    return releases.stream()
        .filter(release -> release.id().toString().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError(id + " is not published"));
  }

  private static List<Release> releases(String rows) {
    return TestTopics.read(rows + "-releases", 1).stream()
        .map(record -> Release.fromBytes(record.value()))
        .toList();
  }

  private static DemoIT.Outcome run(int status, Path config) {
    DemoIT.Outcome outcome = DemoIT.run("run", "--config", config.toString());
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    return outcome;
  }

  private Path config(String rows, String epochs, boolean bounded, String mechanism)
      throws Exception {
    String schedule = "length: PT3S, sealDelay: PT0.5S" + epochs;
    return Files.writeString(
        folder.resolve(rows + ".yaml"),
        UnknownRanges.config(rows, 2, schedule, bounded, mechanism));
  }
}
