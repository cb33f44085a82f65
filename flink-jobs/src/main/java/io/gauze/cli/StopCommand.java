package io.gauze.cli;

import io.gauze.cli.flink.LocalJobRegistry;
import io.gauze.cli.flink.SketchJobName;
import io.gauze.cli.option.ConfigsOption;
import io.gauze.cli.option.ExitStatus;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.local.Causes;
import io.gauze.local.FlinkPath;
import io.gauze.local.OwnersFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.util.ExceptionUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The verb {@code stop}: stops a stream's running job with a savepoint, without draining it. The
 * open epoch is not sealed, and the job that is restored from the savepoint goes on with it.
 */
@Command(
    name = "stop",
    description = {
      "Stops a stream's running job with a savepoint, without draining, and prints the savepoint's"
          + " path.",
      "The job is looked for on the cluster at flink.properties rest.address and rest.port; else, a"
          + " gauze run on this machine.",
      "A job of several streams stops with all of them, whichever of their configs is given."
    },
    footer = {
      "",
      "Example:",
      "  ./gauze stop --config examples/meters.yaml --savepoints savepoints",
      "  ./gauze run --config examples/meters.yaml --restore SAVEPOINT"
    })
public final class StopCommand implements Callable<Integer> {
  private static final int DEFAULT_PORT = 8081;
  private static final long PATIENCE_SECONDS = 600;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Why Flink takes no savepoint of a job of which it takes one a little later. */
  private static final Set<CheckpointFailureReason> NOT_NOW =
      Set.of(
          CheckpointFailureReason.NOT_ALL_REQUIRED_TASKS_RUNNING,
          CheckpointFailureReason.CHECKPOINT_DECLINED_TASK_CLOSING);

  @Mixin private ConfigsOption configs;

  @Option(
      names = "--savepoints",
      paramLabel = "DIR",
      description = {
        "Where the savepoint goes, as the cluster sees it.",
        "Default: execution.checkpointing.savepoint-dir of flink.properties, else of the cluster."
      })
  private Optional<String> folder = Optional.empty();

  @Spec private CommandSpec spec;

  /** The cluster on which the job runs. */
  private record Place(Configuration flink, boolean ofGauzeRun) {
    String address() {
      return flink.get(RestOptions.ADDRESS) + ":" + flink.get(RestOptions.PORT);
    }
  }

  /** The job and its streams. */
  private record Found(JobID id, List<String> streams) {}

  @Override
  public Integer call() throws Exception {
    JobStreams given = configs.read();
    StreamConfig stream = given.configs().get(0);
    Place place = place(stream);
    Optional<String> target = target(stream, place);
    PrintWriter err = spec.commandLine().getErr();
    err.println("looking for the job of " + stream.stream() + " on " + place.address());
    err.flush();
    Configuration flink = new Configuration(place.flink());
    try (RestClusterClient<StandaloneClusterId> client =
        new RestClusterClient<>(flink, StandaloneClusterId.getInstance())) {
      Found found = find(client.listJobs().get(PATIENCE_SECONDS, TimeUnit.SECONDS), given, place);
      sayOthers(given, found, err);
      String savepoint = stopWhenAllTasksRun(client, found, target, err);
      spec.commandLine().getOut().println(savepoint);
      spec.commandLine().getOut().flush();
      err.println("stopped. To go on from there: " + remedy(place, given, found, savepoint));
      err.flush();
      return ExitStatus.DONE;
    } catch (ExecutionException e) {
      throw new IOException(
          "the job of "
              + stream.stream()
              + " on "
              + place.address()
              + " was not stopped: "
              + Causes.last(e),
          e);
    } catch (TimeoutException e) {
      throw new IOException(
          "no answer from " + place.address() + " within " + PATIENCE_SECONDS + " s", e);
    }
  }

  /**
   * Flink takes no savepoint of a job that is still starting, or restarting after a failure, nor
   * while a task ends.
   */
  private static String stopWhenAllTasksRun(
      RestClusterClient<?> client, Found found, Optional<String> target, PrintWriter err)
      throws ExecutionException, InterruptedException, IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (boolean said = false; ; said = true) {
      try {
        return stop(client, found, target);
      } catch (ExecutionException e) {
        if (!isNotNow(e) || System.nanoTime() - deadline >= 0) {
          throw e;
        }
      }
      if (!said) {
        err.println(
            "some tasks of the job are starting or ending: waiting until Flink takes a savepoint");
        err.flush();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static boolean isNotNow(ExecutionException failure) {
    return ExceptionUtils.findThrowableSerializedAware(
            failure, CheckpointException.class, StopCommand.class.getClassLoader())
        .map(CheckpointException::getCheckpointFailureReason)
        .filter(NOT_NOW::contains)
        .isPresent();
  }

  private static String stop(RestClusterClient<?> client, Found found, Optional<String> target)
      throws ExecutionException, InterruptedException, IOException {
    try {
      return client
          .stopWithSavepoint(found.id(), false, target.orElse(null), SavepointFormatType.CANONICAL)
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "no savepoint within "
              + PATIENCE_SECONDS
              + " s. It may still complete, in "
              + target.orElse("the cluster's folder for savepoints")
              + ", and job "
              + found.id()
              + " then ends: wait for its end and restore it from there; do not start it afresh",
          e);
    }
  }

  private static void sayOthers(JobStreams given, Found found, PrintWriter err) {
    List<String> others = new ArrayList<>(found.streams());
    others.removeAll(given.names());
    if (!others.isEmpty()) {
      err.println(
          SketchJobName.described(others)
              + (others.size() == 1 ? " stops" : " stop")
              + " with it: one job");
      err.flush();
    }
  }

  private static String remedy(Place place, JobStreams given, Found found, String savepoint) {
    String options =
        found.streams().stream()
            .map(name -> "--config " + file(given, name))
            .collect(Collectors.joining(" "));
    return place.ofGauzeRun()
        ? "./gauze run " + options + " --restore " + savepoint
        : "flink run -d -s " + savepoint + " gauze-cluster.jar run " + options;
  }

  private static String file(JobStreams given, String name) {
    int index = given.names().indexOf(name);
    return index < 0 ? "CONFIG-OF-" + name : given.files().get(index).toString();
  }

  private static Place place(StreamConfig stream) throws ConfigException, IOException {
    OptionalLong up = LocalJobRegistry.processOfUp(stream);
    if (up.isPresent()) {
      throw new IOException(
          "the job of stream "
              + stream.stream()
              + " is one of gauze up on this machine, process "
              + up.getAsLong()
              + ", which forgets all when it ends, so a savepoint would be of no use: "
              + LocalJobRegistry.endOfUp(up.getAsLong()));
    }
    Configuration flink = Configuration.fromMap(stream.flink());
    if (flink.getOptional(RestOptions.ADDRESS).isPresent()) {
      flink.set(RestOptions.PORT, flink.getOptional(RestOptions.PORT).orElse(DEFAULT_PORT));
      return new Place(flink, false);
    }
    String here =
        LocalJobRegistry.find(stream)
            .orElseThrow(
                () ->
                    new ConfigException(
                        "no gauze run of stream "
                            + stream.stream()
                            + " is on this machine, and the config lacks the key"
                            + " flink.properties.rest.address, which must be the host of a"
                            + " cluster's job manager (rest.port, too, if it is not "
                            + DEFAULT_PORT
                            + ")"));
    int colon = here.lastIndexOf(':');
    flink.set(RestOptions.ADDRESS, here.substring(0, colon));
    flink.set(RestOptions.PORT, Integer.parseInt(here.substring(colon + 1)));
    return new Place(flink, true);
  }

  private Optional<String> target(StreamConfig stream, Place place)
      throws ConfigException, IOException {
    Configuration flink = Configuration.fromMap(stream.flink());
    Optional<String> given =
        folder.or(() -> flink.getOptional(CheckpointingOptions.SAVEPOINT_DIRECTORY));
    if (place.ofGauzeRun() && given.isEmpty()) {
      throw new ConfigException(
          "the savepoint needs a folder that outlives the run; give --savepoints DIR, or set"
              + " flink.properties "
              + CheckpointingOptions.SAVEPOINT_DIRECTORY.key());
    }
    if (!place.ofGauzeRun() || given.get().contains(":")) {
      return given;
    }
    // The cluster would resolve a relative path in its own working folder.
    Path absolute = Path.of(given.get()).toAbsolutePath();
    OwnersFolder.create(absolute);
    return Optional.of(FlinkPath.of(absolute));
  }

  private static Found find(Iterable<JobStatusMessage> jobs, JobStreams given, Place place)
      throws IOException {
    String name = given.names().get(0);
    List<Found> found = new ArrayList<>();
    for (JobStatusMessage job : jobs) {
      List<String> streams = SketchJobName.streams(job.getJobName());
      if (streams.contains(name) && !job.getJobState().isGloballyTerminalState()) {
        found.add(new Found(job.getJobId(), streams));
      }
    }
    if (found.size() != 1) {
      throw new IOException(
          (found.isEmpty() ? "no sketch job" : "more than one sketch job")
              + " of stream "
              + name
              + " runs on "
              + place.address()
              + (found.isEmpty()
                  ? ""
                  : "; stop them with flink stop JOB: " + found.stream().map(Found::id).toList()));
    }
    List<String> elsewhere = new ArrayList<>(given.names());
    elsewhere.removeAll(found.get(0).streams());
    if (!elsewhere.isEmpty()) {
      throw new IOException(
          "the job of stream "
              + name
              + " does not have "
              + SketchJobName.described(elsewhere)
              + "; nothing was stopped. Stop the jobs one after the other");
    }
    return found.get(0);
  }
}
