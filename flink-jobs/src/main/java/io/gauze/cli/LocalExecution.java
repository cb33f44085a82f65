package io.gauze.cli;

import io.gauze.job.SketchPreflight;
import io.gauze.local.Causes;
import io.gauze.local.CloseAtExit;
import io.gauze.local.JobHandle;
import io.gauze.local.JobMetrics;
import io.gauze.local.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs one job where the command was given: in this process, or on the cluster of flink run. */
public final class LocalExecution {
  private static final String FAILOVER = "full";

  private LocalExecution() {}

  /** Whether the environment is this process; else a cluster, to which jobs are sent. */
  static boolean is(StreamExecutionEnvironment env) {
    return env instanceof LocalStreamEnvironment;
  }

  /** What others on this machine need to find the job, as long as it runs. */
  interface Announcement {
    /**
     * Tells them.
     *
     * @param restAddress the web address of the cluster in this process
     */
    AutoCloseable of(String restAddress) throws IOException;
  }

  /** The last steps before the job is submitted. */
  interface Preflight {
    /** For a job that needs none. */
    Preflight NONE =
        new Preflight() {
          @Override
          public void refuseSecond() {}

          @Override
          public void begin() {}
        };

    /**
     * Refuses a second job; not asked inside of a cluster, where the first one may go on.
     *
     * @throws IOException if there is another, or if nobody knows
     */
    void refuseSecond() throws IOException;

    /**
     * What must be done before the job begins.
     *
     * @throws IOException if it could not be done
     */
    void begin() throws IOException;
  }

  /**
   * How a job runs here.
   *
   * @param cluster the settings of {@link #settings}
   * @param endless whether it runs until Ctrl-C, which is then its normal end
   * @param status what is said while it runs, if anything
   */
  record Here(
      Configuration cluster,
      boolean endless,
      Announcement announcement,
      Preflight preflight,
      Optional<StatusLines> status) {}

  /** The config's settings for a cluster in this process. */
  static Configuration settings(Map<String, String> flink, PrintWriter err) {
    Configuration all = Configuration.fromMap(flink);
    String failover =
        all.getOptional(JobManagerOptions.EXECUTION_FAILOVER_STRATEGY).orElse(FAILOVER);
    if (!failover.equals(FAILOVER)) {
      err.println(
          "warning: flink.properties."
              + JobManagerOptions.EXECUTION_FAILOVER_STRATEGY.key()
              + " is left out: a job in one process restarts as a whole");
    }
    all.set(JobManagerOptions.EXECUTION_FAILOVER_STRATEGY, FAILOVER);
    return all;
  }

  /**
   * Returns when the job has ended, here, or when the cluster has taken it.
   *
   * @throws Exception what the job failed with
   */
  static void run(StreamExecutionEnvironment env, String name, PrintWriter err, Here here)
      throws Exception {
    if (!is(env)) {
      JobSubmitter.submit(new JobSubmitter.Submission(env, name, here.preflight()), err);
      return;
    }
    here.preflight().refuseSecond();
    here.preflight().begin();
    // The environment's own parallelism: without parallelism.default that is the number of cores,
    // and a job with fewer slots would wait for ever.
    Configuration settings = JobMetrics.settings(here.cluster());
    try (LocalCluster cluster = LocalCluster.start(1, env.getParallelism(), settings);
        AutoCloseable announced = here.announcement().of(cluster.restAddress())) {
      JobHandle job = cluster.submit(env, name);
      CloseAtExit.endNormallyBySignal(here.endless());
      await(job, here.status());
    } catch (ExecutionException e) {
      if (!CloseAtExit.ending()) { // else it ends because the cluster does
        throw reason(e);
      }
    } finally {
      CloseAtExit.endNormallyBySignal(false);
    }
  }

  /** What the job has done is said once more at its end. */
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

  /** What a job failed with, as the program tells it. */
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
