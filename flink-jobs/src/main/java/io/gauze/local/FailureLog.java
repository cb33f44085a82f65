package io.gauze.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.scheduler.ExecutionGraphInfo;
import org.apache.flink.runtime.scheduler.exceptionhistory.RootExceptionHistoryEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs every failure after which a job restarts, in one line with its cause. It checks once a
 * second. A job's last failure, after which it does not restart, is left to the code that waits for
 * the job's end. Thread-safe.
 */
final class FailureLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
  private static final long PAUSE_SECONDS = 1;
  private static final long PATIENCE_SECONDS = 10;

  private final MiniCluster cluster;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "gauze-failures");
            thread.setDaemon(true);
            return thread;
          });

  FailureLog(MiniCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Watches a job until {@code end}.
   *
   * @param checkpoints the disk of its checkpoints, if it is one of this machine
   */
  void watch(
      JobID job, String name, Optional<CheckpointDisk> checkpoints, CompletableFuture<?> end) {
    Watched watched = new Watched(name, checkpoints);
    Future<?> looks =
        timer.scheduleWithFixedDelay(
            () -> look(job, watched), PAUSE_SECONDS, PAUSE_SECONDS, TimeUnit.SECONDS);
    Future<?> unused = end.whenComplete((result, failure) -> looks.cancel(false));
  }

  private void look(JobID job, Watched watched) {
    try {
      watched
          .news(cluster.getExecutionGraphInfo(job).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .forEach(LOG::warn);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      LOG.debug(
          "{} could not be asked for its failures", watched.name, e); // the job may have ended
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  /** The failures of one job that are logged already. */
  static final class Watched {
    private final String name;
    private final Optional<CheckpointDisk> checkpoints;
    private long toldMillis = Long.MIN_VALUE;

    Watched(String name, Optional<CheckpointDisk> checkpoints) {
      this.name = name;
      this.checkpoints = checkpoints;
    }

    /** Returns a line for each failure that was not logged before. */
    List<String> news(ExecutionGraphInfo job) {
      List<String> lines = new ArrayList<>();
      JobStatus state = job.getArchivedExecutionGraph().getState();
      if (state == JobStatus.FAILING || state == JobStatus.FAILED) {
        return lines;
      }
      long newest = toldMillis;
      for (RootExceptionHistoryEntry failure : job.getExceptionHistory()) {
        if (failure.getTimestamp() > toldMillis) {
          lines.add(line(failure) + disk(failure, job));
          newest = Math.max(newest, failure.getTimestamp());
        }
      }
      toldMillis = newest;
      return lines;
    }

    private String line(RootExceptionHistoryEntry failure) {
      String where = failure.isGlobal() ? "" : " in " + task(failure.getFailingTaskName());
      return name + " failed" + where + " and restarts: " + Causes.chain(failure.getException());
    }

    /** Returns a further sentence if a checkpoint failed since its disk is full. */
    private String disk(RootExceptionHistoryEntry failure, ExecutionGraphInfo job) {
      boolean ofCheckpoint =
          Causes.chain(failure.getException()).toLowerCase(Locale.ROOT).contains("checkpoint");
      return checkpoints
          .filter(disk -> ofCheckpoint)
          .flatMap(disk -> disk.full(lastCheckpointBytes(job)))
          .map(text -> ". " + text)
          .orElse("");
    }

    private static long lastCheckpointBytes(ExecutionGraphInfo job) {
      return Optional.ofNullable(job.getArchivedExecutionGraph().getCheckpointStatsSnapshot())
          .map(stats -> stats.getHistory().getLatestCompletedCheckpoint())
          .map(CompletedCheckpointStats::getStateSize)
          .orElse(0L);
    }

    /** Returns the name of the first operator of a chain, which is enough to find the chain. */
    private static String task(String name) {
      int more = name.indexOf(" -> ");
      return more < 0 ? name : name.substring(0, more);
    }
  }
}
