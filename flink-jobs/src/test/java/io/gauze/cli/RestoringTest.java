package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RestoringTest {
  /** Where the savepoint can be read by the cluster only, the cluster refuses it. */
  @Test
  void aRefusalOfTheClusterNamesBothRemedies() {
    String flink =
        "Failed to rollback to checkpoint/savepoint s3://a/b. Cannot map checkpoint/savepoint state"
            + " for operator 1f to the new program.";
    assertThat(Restoring.explained(flink))
        .startsWith(flink)
        .contains(
            "give the configs of all its streams",
            "execution.state-recovery.ignore-unclaimed-state: true",
            "flink run --allowNonRestoredState");
    assertThat(Restoring.explained("no slots")).isEqualTo("no slots");
  }
}
