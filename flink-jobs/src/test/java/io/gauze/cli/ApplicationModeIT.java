package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.job.TopicReader;
import io.gauze.payload.Payload;
import io.gauze.release.Release;
import io.gauze.testing.ApplicationCluster;
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
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The cluster jar in application mode, where a deployment is one job. */
@Thorough
@ExtendWith(SharedCluster.class)
final class ApplicationModeIT extends OwnHome {
  private static final long LENGTH = 3000;

  /**
   * A deployment counts no rows for ranges, and spends nothing. Once a {@code gauze run} has chosen
   * the ranges, it takes them, for the rows of groups by event time.
   */
  @Test
  void aDeploymentTakesRangesThatAreChosen() throws Exception {
    String rows = TestTopics.createRows("application", 1);
    String epochs = "length: PT3S, sealDelay: PT0.5S, time: ts, allowedLateness: PT0S";
    String text =
        UnknownRanges.config(rows, 1, epochs, false, "noisy-moments")
            + "groups: {field: g, values: [low, high]}\n";
    Path config = Files.writeString(folder.resolve("stream.yaml"), text);
    String[] verb = {"run", "--config", config.toString()};
    try (ApplicationCluster refused = ApplicationCluster.start(folder.resolve("a"), 0, verb)) {
      assertThat(refused.status()).as(refused.said()).isNotZero();
      assertThat(refused.said())
          .contains("the ranges of columns x, y are not chosen yet")
          .contains("a deployment in application mode is one job");
    }
    assertThat(TopicReader.all(rows + "-ledger")).as("nothing is spent").isEmpty();

    String counts = counted(rows, config);
    String next = Instant.parse(counts.split("/", -1)[2]).plusMillis(LENGTH) + "/sums";
    Set<String> ids = Set.of(rows + "/low/" + next, rows + "/high/" + next);
    try (ApplicationCluster cluster = ApplicationCluster.start(folder.resolve("b"), 1, verb)) {
      ProcessCluster.await("the releases " + ids, () -> released(rows, ids).size() == ids.size());
      assertThat(cluster.said()).contains("ranges are chosen from " + counts);
    }
    for (Release release : released(rows, ids)) {
      assertThat(release.guarantee().basis()).contains("are chosen from " + counts);
      assertThat(release.schema().columns().get(0).lower()).isBetween(1.0, 100.0);
      assertThat(release.schema().columns().get(0).upper()).isBetween(900.0, 10_000.0);
    }
  }

  private static List<Release> released(String rows, Set<String> ids) {
    return TopicReader.all(rows + "-releases").stream()
        .map(record -> Release.fromBytes(record.value()))
        .filter(release -> ids.contains(release.id().toString()))
        .toList();
  }

  /** Has the ranges chosen by a run, which is killed. Returns the id of the counts. */
  private String counted(String rows, Path config) throws Exception {
    try (RunProcess run = RunProcess.start(folder, config, Optional.empty())) {
      ProcessCluster.await("the first epoch", () -> run.said().contains("calibration epoch "));
      ProcessCluster.await(
          "the ranges",
          () -> {
            UnknownRanges.sendEvents(rows, 500, System.currentTimeMillis(), 1);
            return run.said().contains("as columns of a config");
          });
      List<Release> counts =
          TestTopics.read(rows + "-releases", 1).stream()
              .map(record -> Release.fromBytes(record.value()))
              .filter(release -> release.payload() instanceof Payload.RangeCounts)
              .toList();
      return counts.get(counts.size() - 1).id().toString();
    }
  }
}
