package io.gauze.cli.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.job.SketchPreflight;
import io.gauze.local.Causes;
import io.gauze.message.Message;
import io.gauze.report.Messages;
import io.gauze.stream.JobMessage;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.deployment.ClusterClientFactory;
import org.apache.flink.client.deployment.ClusterDescriptor;
import org.apache.flink.client.deployment.DefaultClusterClientServiceLoader;
import org.apache.flink.client.program.ClusterClient;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.rest.messages.EmptyRequestBody;
import org.apache.flink.runtime.rest.messages.JobExceptionsHeaders;
import org.apache.flink.runtime.rest.messages.job.JobExceptionsMessageParameters;
import org.apache.flink.runtime.rest.util.RestMapperUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Submits a job and waits until all of its tasks run, so that the user learns why a job does not
 * start. The usual reason is a savepoint of another config.
 */
final class JobSubmitter {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final JsonMapper json = JsonMapper.builder().build();
  private final RestClusterClient<?> client;

  JobSubmitter(RestClusterClient<?> client) {
    this.client = client;
  }

  /**
   * Submits the job of {@code env}, which Flink's client created. Under {@code flink run} it
   * returns when all tasks run or are finished, or after 90 s with a warning.
   *
   * @throws PrivacyRefusalException if the job ended because it would break its guarantee
   * @throws IOException if it ended otherwise, if a job of that name runs already, or if the
   *     cluster does not answer
   */
  static void submit(Submission submission, PrintWriter err) throws Exception {
    if (!FlinkClientContext.isCommandLine()) {
      submission.preflight().begin();
      submission.execute(); // inside of the cluster, which reports the job's state itself
      return;
    }
    Configuration flink = submission.flink();
    submit(new DefaultClusterClientServiceLoader().getClusterClientFactory(flink), submission, err);
  }

  /**
   * A job to be submitted.
   *
   * @param name the name of the job
   * @param preflight the last steps before the submission
   * @param toEnd whether to wait until the job has ended
   */
  record Submission(
      StreamExecutionEnvironment env,
      String name,
      LocalExecution.Preflight preflight,
      boolean toEnd) {
    Configuration flink() {
      return Configuration.fromMap(env.getConfiguration().toMap());
    }

    JobID execute() throws Exception {
      return env.executeAsync(name).getJobID();
    }
  }

  static <T> void submit(ClusterClientFactory<T> factory, Submission submission, PrintWriter err)
      throws Exception {
    Configuration flink = submission.flink();
    try (ClusterDescriptor<T> cluster = factory.createClusterDescriptor(flink);
        ClusterClient<T> client =
            cluster.retrieve(factory.getClusterId(flink)).getClusterClient()) {
      if (!(client instanceof RestClusterClient<?> rest)) {
        submission.preflight().refuseSecond();
        submission.preflight().begin();
        submission.execute();
        return;
      }
      JobSubmitter start = new JobSubmitter(rest);
      start.refuseSecond(submission.name());
      submission.preflight().refuseSecond();
      submission.preflight().begin();
      JobID job = submission.execute();
      if (!start.started(job)) {
        Messages.all("warning: ", List.of(start.notAllRun(job))).forEach(err::println);
      }
      if (submission.toEnd()) {
        err.println("waiting for the end of job " + job);
        err.flush();
        check(start.client.requestJobResult(job).get());
      }
    } catch (ExecutionException e) {
      String cause = "The cause: " + Causes.last(e);
      throw new IOException(JobMessage.NOCLUSTER.of().with(cause).line(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the job starts", e);
    }
  }

  /** Refuses a second job of a stream: two jobs would fence each other's Kafka transactions. */
  private void refuseSecond(String name)
      throws IOException, ExecutionException, InterruptedException {
    for (JobStatusMessage job : client.listJobs().get()) {
      if (SketchJobName.clash(job.getJobName(), name)
          && !job.getJobState().isGloballyTerminalState()) {
        String where = "It is " + job.getJobId() + " on " + client.getWebInterfaceURL() + ".";
        throw new IOException(JobMessage.SAMEJOB.of(job.getJobName()).with(where).line());
      }
    }
  }

  private boolean started(JobID job)
      throws IOException, PrivacyRefusalException, ExecutionException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - deadline < 0) {
      JobStatus status = client.getJobStatus(job).get();
      if (status.isGloballyTerminalState()) {
        check(client.requestJobResult(job).get());
        return true;
      }
      if (status == JobStatus.RUNNING && allRun(job)) {
        return true;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return false;
  }

  private boolean allRun(JobID job) throws IOException, ExecutionException, InterruptedException {
    // Flink's own client knows the cluster's encryption and passwords. The answer is read as JSON,
    // since its class has annotations whose classes are not on the class path.
    CompletableFuture<?> details = client.getJobDetails(job);
    String body = RestMapperUtils.getStrictObjectMapper().writeValueAsString(details.get());
    for (JsonNode vertex : json.readTree(body).path("vertices")) {
      JsonNode tasks = vertex.path("tasks");
      int there = tasks.path("RUNNING").asInt() + tasks.path("FINISHED").asInt();
      if (there < vertex.path("parallelism").asInt()) {
        return false;
      }
    }
    return true;
  }

  /** Returns why not all tasks of a submitted job run, as far as the cluster knows. */
  Message notAllRun(JobID job) throws IOException, InterruptedException {
    return JobMessage.TASKS.of(PATIENCE.toSeconds()).with(whyNot(job) + ".");
  }

  private String whyNot(JobID job) throws IOException, InterruptedException {
    JobExceptionsMessageParameters parameters = new JobExceptionsMessageParameters();
    parameters.jobPathParameter.resolve(job);
    CompletableFuture<?> answer =
        client.sendRequest(
            JobExceptionsHeaders.getInstance(), parameters, EmptyRequestBody.getInstance());
    String body;
    try {
      body = RestMapperUtils.getStrictObjectMapper().writeValueAsString(answer.get());
    } catch (ExecutionException e) {
      return "The job stays submitted, and the cluster does not say why: " + Causes.last(e);
    }
    JsonNode newest = json.createObjectNode();
    for (JsonNode failure : json.readTree(body).path("exceptionHistory").path("entries")) {
      if (failure.path("timestamp").asLong() > newest.path("timestamp").asLong()) {
        newest = failure;
      }
    }
    String trace = newest.path("stacktrace").asText();
    return (trace.isBlank()
            ? "The job stays submitted, and its tasks fail and restart, or lack slots"
            : "The job stays submitted, and its tasks fail and restart: " + Causes.lastOf(trace))
        + "; see "
        + client.getWebInterfaceURL()
        + "/#/job/running/"
        + job
        + "/exceptions";
  }

  static void check(JobResult result) throws IOException, PrivacyRefusalException {
    if (result.getSerializedThrowable().isEmpty()) {
      return;
    }
    Throwable failure = result.getSerializedThrowable().get();
    Optional<String> conflict = SketchPreflight.conflict(failure);
    if (conflict.isPresent()) {
      throw new PrivacyRefusalException(conflict.get(), failure);
    }
    String cause = "The cause: " + SavepointCheck.explained(Causes.last(failure));
    throw new IOException(JobMessage.FAILED.of().with(cause).line(), failure);
  }
}
