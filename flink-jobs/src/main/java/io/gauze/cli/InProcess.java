package io.gauze.cli;

import io.gauze.local.CloseAtExit;
import io.gauze.local.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs one job where the command was given: in this process, or on the cluster of flink run. */
final class InProcess {
  private InProcess() {}

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

  /**
   * Returns when the job has ended, here, or when the cluster has taken it.
   *
   * @throws Exception what the job failed with
   */
  static void run(
      StreamExecutionEnvironment env, String name, PrintWriter err, Announcement announcement)
      throws Exception {
    if (!is(env)) {
      JobStart.submit(env, name, err);
      return;
    }
    // The environment's own parallelism: without parallelism.default that is the number of cores,
    // and a job with fewer slots would wait for ever.
    try (LocalCluster cluster = LocalCluster.start(1, env.getParallelism(), new Configuration());
        AutoCloseable announced = announcement.of(cluster.restAddress())) {
      cluster.submit(env, name).result().get();
    } catch (ExecutionException e) {
      if (!CloseAtExit.ending()) { // else it ends because the cluster does
        throw e;
      }
    }
  }
}
