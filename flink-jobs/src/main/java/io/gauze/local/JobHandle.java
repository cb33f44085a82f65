package io.gauze.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;

/**
 * A job on a {@link LocalCluster}. The futures complete exceptionally if the cluster refuses or is
 * closed. Thread-safe.
 */
public final class JobHandle {
  private final MiniCluster cluster;
  private final JobID id;
  private final CompletableFuture<JobExecutionResult> result;
  private final Path savepoints;

  JobHandle(
      MiniCluster cluster,
      JobID id,
      CompletableFuture<JobExecutionResult> result,
      Path savepoints) {
    this.cluster = cluster;
    this.id = id;
    this.result = result;
    this.savepoints = savepoints;
  }

  /** The job's id on the cluster. */
  public JobID id() {
    return id;
  }

  /**
   * Completes when the job has ended: with its accumulators if it finished or was stopped with a
   * savepoint; exceptionally, with a {@link JobExecutionException}, if it failed or was cancelled.
   */
  public CompletableFuture<JobExecutionResult> result() {
    return result.copy();
  }

  /** The job's current status. */
  public CompletableFuture<JobStatus> status() {
    return cluster.getJobStatus(id);
  }

  /** Cancels the job; the future completes when the job has ended. */
  public CompletableFuture<Void> cancel() {
    return cluster
        .cancelJob(id)
        .thenCompose(acknowledged -> result.handle((value, failure) -> null));
  }

  /** Triggers a checkpoint; the future completes with its path once the checkpoint is complete. */
  public CompletableFuture<String> triggerCheckpoint() {
    return cluster.triggerCheckpoint(id);
  }

  /**
   * Takes a savepoint in the cluster's folder, which is deleted with the cluster. The job goes on.
   */
  public CompletableFuture<String> triggerSavepoint() {
    return cluster.triggerSavepoint(
        id, FlinkPath.of(savepoints), false, SavepointFormatType.CANONICAL);
  }

  /**
   * Stops the job without draining it, as {@link #stopWithSavepoint(Path)} does, with a savepoint
   * in the cluster's folder.
   */
  public CompletableFuture<String> stopWithSavepoint() {
    return stopWithSavepoint(savepoints);
  }

  /**
   * Stops the job without draining it: no operator sees the end of its input.
   *
   * @param parent an existing folder, in which Flink creates one for the savepoint
   * @return the savepoint's path, once it is complete and the job has ended
   */
  public CompletableFuture<String> stopWithSavepoint(Path parent) {
    return cluster.stopWithSavepoint(
        id, FlinkPath.of(parent), false, SavepointFormatType.CANONICAL);
  }

  @Override
  public String toString() {
    return "job " + id;
  }

  static JobExecutionResult toExecutionResult(JobResult result) {
    try {
      return result.toJobExecutionResult(JobHandle.class.getClassLoader());
    } catch (JobExecutionException | IOException | ClassNotFoundException e) {
      throw new CompletionException(e);
    }
  }
}
