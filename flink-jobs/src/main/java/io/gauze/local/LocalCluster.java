package io.gauze.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobSubmissionResult;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * A Flink cluster inside this process, to which any number of jobs can be submitted, as long as it
 * has slots. Checkpoints, savepoints and working files are in a temporary folder that is deleted on
 * {@link #close} and at the end of the JVM. All of its ports are bound to the loopback address.
 * Thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String FOLDER = "gauze-flink-";
  private static final long NEEDED_MEBIBYTES = 256;

  private final TempFolder folder;
  private final Path savepoints;
  private final MiniCluster cluster;
  private final FailureLog failures;
  private boolean closed;

  private LocalCluster(TempFolder folder, Path savepoints, MiniCluster cluster) {
    this.folder = folder;
    this.savepoints = savepoints;
    this.cluster = cluster;
    this.failures = new FailureLog(cluster);
  }

  /**
   * Starts a cluster with one task manager.
   *
   * @param slots its number of slots, at least 1
   * @throws IOException as {@link #start(int, int, Configuration)}
   */
  public static LocalCluster start(int slots) throws IOException {
    return start(1, slots, new Configuration());
  }

  /**
   * Starts a cluster and returns when it accepts jobs: 2 to 5 s in a cold JVM.
   *
   * @param taskManagers the number of task managers, at least 1
   * @param slots the number of slots of each of them, at least 1
   * @param settings Flink's own settings; those for ports, addresses, high availability and folders
   *     are replaced
   * @throws IOException if there is too little space, or if the cluster does not start
   */
  public static LocalCluster start(int taskManagers, int slots, Configuration settings)
      throws IOException {
    atLeastOne("taskManagers", taskManagers);
    atLeastOne("slots", slots);
    Path parent = TempFolder.systemDefault();
    Leftovers.clearButCheckpoints(parent, FOLDER);
    TempFolder folder = TempFolder.create(parent, FOLDER, NEEDED_MEBIBYTES);
    try {
      MiniClusterConfiguration configuration =
          new MiniClusterConfiguration.Builder()
              .setConfiguration(configuration(folder, settings))
              .setNumTaskManagers(taskManagers)
              .setNumSlotsPerTaskManager(slots)
              .setCommonBindAddress(LOOPBACK)
              .withRandomPorts()
              .build();
      LocalCluster cluster =
          new LocalCluster(
              folder, folder.path().resolve("savepoints"), new MiniCluster(configuration));
      cluster.open();
      return cluster;
    } catch (IOException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  /**
   * Submits the job of the environment and returns when the cluster has accepted it. Each failure
   * after which the job restarts is logged.
   *
   * @throws IOException if the cluster refuses the job
   */
  public JobHandle submit(StreamExecutionEnvironment environment, String name) throws IOException {
    makeFolders(environment.getConfiguration());
    StreamGraph graph = environment.getStreamGraph();
    graph.setJobName(name);
    graph.setJobId(JobID.generate());
    JobID id =
        get(
            "submit the job " + name,
            cluster.submitJob(graph).thenApply(JobSubmissionResult::getJobID));
    CompletableFuture<JobExecutionResult> result =
        cluster.requestJobResult(id).thenApply(JobHandle::toExecutionResult);
    failures.watch(id, name, checkpoints(environment.getConfiguration()), result);
    return new JobHandle(cluster, id, result, savepoints);
  }

  /** Returns the disk of a job's checkpoints, if it is one of this machine. */
  private Optional<CheckpointDisk> checkpoints(ReadableConfig job) {
    Optional<String> named = job.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY);
    return named.isPresent()
        ? OwnersFolder.local(named.get()).map(CheckpointDisk::new)
        : Optional.of(new CheckpointDisk(folder.path()));
  }

  /**
   * Creates the folders of checkpoints and savepoints for their owner only. If Flink created them,
   * other users could read them, unless the umask forbids it.
   */
  private static void makeFolders(ReadableConfig job) throws IOException {
    for (ConfigOption<String> folder :
        List.of(
            CheckpointingOptions.CHECKPOINTS_DIRECTORY, CheckpointingOptions.SAVEPOINT_DIRECTORY)) {
      Optional<String> named = job.getOptional(folder);
      if (named.isPresent()) {
        OwnersFolder.createIfLocal(named.get());
      }
    }
  }

  /** Returns the address of the cluster's REST server: host:port on the loopback address. */
  public String restAddress() throws IOException {
    return get("find the web address", cluster.getRestAddress()).getAuthority();
  }

  /**
   * Ends a task manager as if it had crashed; its jobs restart as soon as there are slots.
   *
   * @param index the task manager's index from 0, in the order of starting
   */
  public CompletableFuture<Void> terminateTaskManager(int index) {
    return cluster.terminateTaskManager(index);
  }

  /**
   * Starts one more task manager.
   *
   * @throws IOException if it does not start
   */
  public void startTaskManager() throws IOException {
    try {
      cluster.startTaskManager();
    } catch (Exception e) {
      throw new IOException("the task manager did not start: " + e.getMessage(), e);
    }
  }

  /**
   * Cancels what still runs, stops the cluster and deletes its files; does nothing if called again.
   */
  @Override
  public synchronized void close() throws IOException {
    CloseAtExit.forget(this);
    if (closed) {
      return;
    }
    closed = true;
    failures.close();
    try {
      get("stop the local cluster", cluster.closeAsync());
    } finally {
      folder.close();
    }
  }

  @Override
  public String toString() {
    return "local cluster in " + folder.path();
  }

  // Holds the lock of close(), so Ctrl-C during the start waits for it and leaves nothing behind.
  private synchronized void open() throws IOException {
    CloseAtExit.register(this);
    try {
      cluster.start();
    } catch (Exception e) {
      close();
      throw new IOException("the local cluster did not start: " + e.getMessage(), e);
    }
  }

  static Configuration configuration(TempFolder folder, Configuration settings) throws IOException {
    Configuration all = new Configuration();
    // Flink 2.3.0 may complete a checkpoint while one of several streams restarts. It then takes
    // crashed tasks for finished ones if others are finished (FLINK-40482), and their state would
    // be lost.
    all.set(JobManagerOptions.EXECUTION_FAILOVER_STRATEGY, "full");
    all.addAll(settings);
    bind(all);
    all.set(HighAvailabilityOptions.HA_MODE, "NONE"); // otherwise it could join another cluster
    all.set(CoreOptions.TMP_DIRS, folder.folder("tmp").toString());
    all.set(ClusterOptions.PROCESS_WORKING_DIR_BASE, folder.folder("work").toString());
    all.set(BlobServerOptions.STORAGE_DIRECTORY, folder.folder("blobs").toString());
    all.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, FlinkPath.of(folder.folder("checkpoints")));
    all.set(CheckpointingOptions.SAVEPOINT_DIRECTORY, FlinkPath.of(folder.folder("savepoints")));
    return all;
  }

  /** Sets free ports of the loopback address. */
  private static void bind(Configuration all) {
    all.set(RestOptions.ADDRESS, LOOPBACK);
    all.set(RestOptions.BIND_ADDRESS, LOOPBACK);
    all.set(RestOptions.BIND_PORT, "0");
    all.set(JobManagerOptions.ADDRESS, LOOPBACK);
    all.set(JobManagerOptions.BIND_HOST, LOOPBACK);
    all.set(JobManagerOptions.PORT, 0);
    all.set(TaskManagerOptions.HOST, LOOPBACK);
    all.set(TaskManagerOptions.BIND_HOST, LOOPBACK);
    all.set(TaskManagerOptions.RPC_PORT, "0");
    all.set(NettyShuffleEnvironmentOptions.DATA_PORT, 0);
    all.removeConfig(NettyShuffleEnvironmentOptions.DATA_BIND_PORT);
    all.set(BlobServerOptions.PORT, "0");
    // Task managers would look for the blob server at the address of the machine's name. They need
    // it only for task descriptions larger than this size.
    all.set(BlobServerOptions.OFFLOAD_MINSIZE, Integer.MAX_VALUE);
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1. Provided value: " + value);
    }
  }

  private static <T> T get(String what, CompletableFuture<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IOException("could not " + what + ": " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: could not " + what, e);
    }
  }
}
