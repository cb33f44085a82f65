package io.gauze.cli.flink;

import io.gauze.cli.option.CommandMessage;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.job.SketchPreflight;
import io.gauze.local.Causes;
import io.gauze.local.CloseAtExit;
import io.gauze.local.JobHandle;
import io.gauze.local.JobMetrics;
import io.gauze.local.LocalCluster;
import io.gauze.message.Message;
import io.gauze.report.Messages;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Runs a job where the command was given: in this process, or on the cluster of {@code flink run}.
 */
public final class LocalExecution {
  private static final String FAILOVER = "full";

  private LocalExecution() {}

  /** Returns whether jobs run in this process; if not, they are sent to a cluster. */
  public static boolean is(StreamExecutionEnvironment env) {
    return env instanceof LocalStreamEnvironment;
  }

  /** Announces a running job to other processes on this machine, so that they can find it. */
  public interface Announcement {
    /**
     * Announces the job until the result is closed.
     *
     * @param restAddress the REST address of the cluster in this process
     */
    AutoCloseable of(String restAddress) throws IOException;
  }

  /** The last steps before the job is submitted. */
  public interface Preflight {
    /** Does nothing, for a job that needs no such steps. */
    Preflight NONE =
        new Preflight() {
          @Override
          public void refuseSecond() {}

          @Override
          public void begin() {}
        };

    /**
     * Refuses a second job. Not called inside of a cluster, where the first job may be the one that
     * goes on.
     *
     * @throws IOException if there is another job, or if it is not known
     */
    void refuseSecond() throws IOException;

    /**
     * Does what must be done before the job begins.
     *
     * @throws IOException if it could not be done
     */
    void begin() throws IOException;
  }

  /**
   * The way in which a job runs in this process.
   *
   * @param cluster the settings of {@link #settings}
   * @param endless whether the job runs until Ctrl-C, which is then its normal end
   * @param status the lines that are printed while it runs, if any
   */
  public record Here(
      Configuration cluster,
      boolean endless,
      Announcement announcement,
      Preflight preflight,
      Optional<StatusLines> status) {}

  /** Returns the config's settings for a cluster in this process. */
  public static Configuration settings(Map<String, String> flink, PrintWriter err) {
    Configuration all = Configuration.fromMap(flink);
    String failover =
        all.getOptional(JobManagerOptions.EXECUTION_FAILOVER_STRATEGY).orElse(FAILOVER);
    if (!failover.equals(FAILOVER)) {
      Message message =
          CommandMessage.FAILOVER.of(JobManagerOptions.EXECUTION_FAILOVER_STRATEGY.key());
      Messages.all("warning: ", List.of(message)).forEach(err::println);
    }
    all.set(JobManagerOptions.EXECUTION_FAILOVER_STRATEGY, FAILOVER);
    return all;
  }

  /**
   * Runs the job here until it has ended, or returns when a cluster has accepted it.
   *
   * @throws Exception the failure of the job
   */
  public static void run(StreamExecutionEnvironment env, String name, PrintWriter err, Here here)
      throws Exception {
    run(env, new JobSubmitter.Submission(env, name, here.preflight(), false), err, here);
  }

  /**
   * Runs the job here or on a cluster, until it has ended.
   *
   * @throws Exception the failure of the job
   */
  public static void runToEnd(
      StreamExecutionEnvironment env, String name, PrintWriter err, Here here) throws Exception {
    run(env, new JobSubmitter.Submission(env, name, here.preflight(), true), err, here);
  }

  private static void run(
      StreamExecutionEnvironment env,
      JobSubmitter.Submission submission,
      PrintWriter err,
      Here here)
      throws Exception {
    if (!is(env)) {
      JobSubmitter.submit(submission, err);
      return;
    }
    here.preflight().refuseSecond();
    here.preflight().begin();
    // The slots are those of the environment's own parallelism, which without parallelism.default
    // is the number of cores: a job with fewer slots would wait forever.
    Configuration settings = JobMetrics.settings(here.cluster());
    try (LocalCluster cluster = LocalCluster.start(1, env.getParallelism(), settings);
        AutoCloseable announced = here.announcement().of(cluster.restAddress())) {
      JobHandle job = cluster.submit(env, submission.name());
      CloseAtExit.endNormallyBySignal(here.endless());
      await(job, here.status());
    } catch (ExecutionException e) {
      if (!CloseAtExit.ending()) { // otherwise it ends because the cluster is closed
        throw reason(e);
      }
    } finally {
      CloseAtExit.endNormallyBySignal(false);
    }
  }

  /** Waits for the job's end, and prints its status once more then. */
  private static void await(JobHandle job, Optional<StatusLines> status) throws Exception {
    if (status.isEmpty()) {
      job.result().get();
      return;
    }
    try (AutoCloseable lines = status.get().start()) {
      job.result().get();
    }
    status.get().print();
  }

  /** Returns the exception by which the program reports the failure of a job. */
  public static Exception reason(ExecutionException e) {
    Optional<String> conflict = SketchPreflight.conflict(e);
    if (conflict.isPresent()) {
      return new PrivacyRefusalException(conflict.get(), e);
    }
    String reason =
        SketchPreflight.lastingFault(e).orElseGet(() -> SavepointCheck.explained(Causes.last(e)));
    return new IOException("the job failed: " + reason, e);
  }
}
