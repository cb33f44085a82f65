package io.gauze.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.runtime.executiongraph.ArchivedExecutionGraph;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.scheduler.ExecutionGraphInfo;
import org.apache.flink.runtime.scheduler.exceptionhistory.RootExceptionHistoryEntry;
import org.junit.jupiter.api.Test;

final class FailureLogTest {
  private final FailureLog.Watched watched = new FailureLog.Watched("gauze wine", Optional.empty());

  @Test
  void eachFailureIsToldOnce() {
    RootExceptionHistoryEntry first = inTask(5, "wine: publish -> more (1/1)", "no broker");
    RootExceptionHistoryEntry second =
        RootExceptionHistoryEntry.fromGlobalFailure(new ErrorInfo(new IOException("no topic"), 7));

    assertThat(watched.news(job(JobStatus.RUNNING))).isEmpty();
    assertThat(watched.news(job(JobStatus.RESTARTING, first)))
        .containsExactly("gauze wine failed in wine: publish and restarts: no broker");
    assertThat(watched.news(job(JobStatus.RUNNING, first))).isEmpty();
    assertThat(watched.news(job(JobStatus.RUNNING, second, first)))
        .containsExactly("gauze wine failed and restarts: no topic");
  }

  @Test
  void theFailureThatEndsTheJobIsForWhoWaitsForIt() {
    assertThat(watched.news(job(JobStatus.FAILED, inTask(5, "publish", "no broker")))).isEmpty();
  }

  /** Flink's message of a checkpoint does not say why it failed. */
  @Test
  void aFullDiskOfCheckpointsIsNamed() {
    Path folder = Path.of("/var/lib/checkpoints");
    long[] left = {300 << 10};
    FailureLog.Watched onDisk =
        new FailureLog.Watched(
            "gauze wine", Optional.of(new CheckpointDisk(folder, any -> left[0])));
    String flink = "Exceeded checkpoint tolerable failure threshold.";
    RootExceptionHistoryEntry first =
        RootExceptionHistoryEntry.fromGlobalFailure(new ErrorInfo(new IOException(flink), 5));
    assertThat(onDisk.news(job(JobStatus.RESTARTING, first)))
        .containsExactly(
            "gauze wine failed and restarts: "
                + flink
                + ". The disk of the checkpoints is full: 300 kB are left for "
                + folder
                + ". Free some of it, or set execution.checkpointing.dir to another disk");
    assertThat(onDisk.news(job(JobStatus.RESTARTING, inTask(6, "publish", "no broker"))))
        .containsExactly("gauze wine failed in publish and restarts: no broker");
    left[0] = 300 << 20;
    RootExceptionHistoryEntry later =
        RootExceptionHistoryEntry.fromGlobalFailure(new ErrorInfo(new IOException(flink), 7));
    assertThat(onDisk.news(job(JobStatus.RESTARTING, later)))
        .containsExactly("gauze wine failed and restarts: " + flink);
  }

  private static RootExceptionHistoryEntry inTask(long millis, String task, String message) {
    return new RootExceptionHistoryEntry(
        new IOException(message),
        millis,
        CompletableFuture.completedFuture(Map.of()),
        task,
        null,
        List.of());
  }

  private static ExecutionGraphInfo job(JobStatus state, RootExceptionHistoryEntry... failures) {
    return new ExecutionGraphInfo(
        ArchivedExecutionGraph.createSparseArchivedExecutionGraph(
            new JobID(), "name", state, null, null, null, 0),
        List.of(failures),
        JobManagerOptions.SchedulerType.Default);
  }
}
