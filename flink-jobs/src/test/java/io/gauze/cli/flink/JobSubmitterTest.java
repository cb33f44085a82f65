package io.gauze.cli.flink;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.gauze.stream.JobMessage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.StandaloneClientFactory;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;

/** What is said of a cluster and a job that fail. */
final class JobSubmitterTest {
  private static JobResult.Builder ended() {
    return new JobResult.Builder().jobId(new JobID()).netRuntime(1);
  }

  @Test
  void aJobThatFailsIsToldWithItsCause() {
    SerializedThrowable cause =
        new SerializedThrowable(
            new IllegalStateException("outside", new IllegalArgumentException("no such topic")));
    assertThatIOException()
        .isThrownBy(() -> JobSubmitter.check(ended().serializedThrowable(cause).build()))
        .withMessageStartingWith(JobMessage.FAILED.code() + ": The job has failed.")
        .withMessageEndingWith("The cause: no such topic");
    assertThatCode(() -> JobSubmitter.check(ended().build())).doesNotThrowAnyException();
  }

  @Test
  void aClusterThatDoesNotAnswerIsNamed() throws Exception {
    Configuration flink = new Configuration();
    flink.set(DeploymentOptions.TARGET, "remote");
    flink.set(RestOptions.ADDRESS, InetAddress.getLoopbackAddress().getHostAddress());
    flink.set(RestOptions.RETRY_MAX_ATTEMPTS, 0);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      flink.set(RestOptions.PORT, taken.getLocalPort());
    } // nobody listens there any more
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(flink);
    JobSubmitter.Submission submission =
        new JobSubmitter.Submission(env, "rows", LocalExecution.Preflight.NONE, false);
    assertThatIOException()
        .isThrownBy(
            () ->
                JobSubmitter.submit(
                    new StandaloneClientFactory(), submission, new PrintWriter(new StringWriter())))
        .withMessageStartingWith(JobMessage.NOCLUSTER.code() + ": The Flink cluster");
  }
}
