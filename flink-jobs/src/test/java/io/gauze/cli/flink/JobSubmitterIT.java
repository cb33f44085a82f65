package io.gauze.cli.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.local.JobHandle;
import io.gauze.message.Message;
import io.gauze.stream.JobMessage;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is said of a job on a cluster that does not come to run. */
@ExtendWith(SharedCluster.class)
final class JobSubmitterIT {
  @Test
  void tasksThatFailAndRestartAreToldWithTheirCause() throws Exception {
    JobHandle job = submit(1);
    try (RestClusterClient<StandaloneClusterId> client = client()) {
      ProcessCluster.await(
          "a failure",
          () ->
              whyNot(client, job)
                  .startsWith(
                      "The job stays submitted, and its tasks fail and restart: the variable"
                          + " NOWHERE is not set; see http"));
      assertThat(whyNot(client, job)).contains(job.id().toString());
    } finally {
      job.cancel().get();
    }
  }

  @Test
  void aJobThatLacksSlotsIsNotToldToFail() throws Exception {
    JobHandle job = submit(SharedCluster.SLOTS + 1);
    try (RestClusterClient<StandaloneClusterId> client = client()) {
      assertThat(whyNot(client, job))
          .contains("its tasks fail and restart, or lack slots; see http");
    } finally {
      job.cancel().get();
    }
  }

  private static String whyNot(RestClusterClient<?> client, JobHandle job) {
    try {
      Message message = new JobSubmitter(client).notAllRun(job.id());
      assertThat(message.is(JobMessage.TASKS)).isTrue();
      return message.details();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static RestClusterClient<StandaloneClusterId> client() throws Exception {
    URI address = URI.create("http://" + SharedCluster.cluster().restAddress());
    Configuration flink = new Configuration();
    flink.set(RestOptions.ADDRESS, address.getHost());
    flink.set(RestOptions.PORT, address.getPort());
    return new RestClusterClient<>(flink, StandaloneClusterId.getInstance());
  }

  /** A job whose tasks fail whenever they have slots. */
  private static JobHandle submit(int parallelism) throws IOException {
    Configuration restarting = new Configuration();
    restarting.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(restarting);
    env.setParallelism(parallelism);
    env.fromSequence(1, 1000)
        .rebalance() // all tasks have slots, or none
        .map(JobSubmitterIT::fail)
        .returns(Types.LONG)
        .sinkTo(new DiscardingSink<>());
    return SharedCluster.cluster().submit(env, "fails");
  }

  private static Long fail(Long row) {
    throw new IllegalStateException(
        "in the task", new IllegalArgumentException("the variable NOWHERE is not set"));
  }
}
