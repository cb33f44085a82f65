package io.gauze.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.job.StreamFixture;
import io.gauze.ledger.HeldReleases;
import io.gauze.noise.Randomness;
import io.gauze.stream.JobEnd;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartState;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsResult;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which jobs of a stream are known to run, and which of two goes on. */
@ExtendWith(SharedCluster.class)
final class LiveJobsIT {
  private static final String OLD = "a".repeat(32);
  private static final String YOUNG = "0".repeat(32);
  private static final Instant BEGAN = Instant.parse("2026-08-01T10:00:00Z");

  /** As where nobody looked before they began: by another client, or at the same time. */
  @Test
  void theYoungerOfTwoJobsEnds() throws Exception {
    SketchJobSettings settings = settings();
    try (StreamLease young = hold(settings, YOUNG, BEGAN.plusSeconds(1))) {
      try (StreamLease old = hold(settings, OLD, BEGAN)) {
        awaitJobs(settings, 2);
        old.requireFirst();
        assertThatThrownBy(young::requireFirst)
            .isInstanceOf(LastingFaultException.class)
            .hasMessageStartingWith(
                "GZ-SECONDJOB: A job of stream " + settings.plan().stream() + " runs already.")
            .hasMessageContaining("Stop it first, with gauze stop")
            .hasMessageContaining(
                "process "
                    + ProcessHandle.current().pid()
                    + ", Flink's job "
                    + OLD
                    + ", submitted at 2026-08-01T10:00:00Z")
            .hasMessageNotContaining(YOUNG);
        try (StreamLease restarted = hold(settings, YOUNG, BEGAN.plusSeconds(1))) {
          assertThatThrownBy(restarted::requireFirst)
              .as("a job is the younger one however often its tasks begin")
              .isInstanceOf(LastingFaultException.class);
        }
        try (StreamLease restarted = hold(settings, OLD, BEGAN)) {
          restarted.requireFirst();
        }
      }
      awaitJobs(settings, 1); // the old one has ended
      young.requireFirst();
    }
  }

  /** Members that do not leave would be seen in the next turn. */
  @Test
  void aJobThatEndsLeavesAtOnce() throws Exception {
    SketchJobSettings settings = settings();
    ProcessCluster.await(
        "a job that leaves",
        () -> {
          StreamLease lease = hold(settings, OLD, BEGAN);
          ProcessCluster.await("the job", () -> !jobs(settings).isEmpty());
          lease.close();
          return jobs(settings).isEmpty();
        });
  }

  @Test
  void aKilledJobIsWaitedFor() throws Exception {
    SketchJobSettings settings = settings();
    String stream = settings.plan().stream();
    assertThat(settings.submission()).isAfter(BEGAN);
    String client = LiveJobs.Job.client(stream, OLD, BEGAN);
    String group = LiveJobs.group(stream);
    try (KafkaConsumer<byte[], byte[]> killed =
        settings.kafka().member(group, client, Duration.ofSeconds(6))) {
      killed.subscribe(List.of(settings.topics().ledger()));
      ProcessCluster.await(
          "the job that will be killed",
          () -> {
            killed.poll(Duration.ofMillis(100));
            return jobs(settings).size() == 1;
          });
      killed.close(
          CloseOptions.groupMembershipOperation(
              CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP));
    }
    assertThat(jobs(settings)).extracting(LiveJobs.Job::client).containsExactly(client);
    StreamLease.Holder next = new StreamLease.Holder(YOUNG, Duration.ofMinutes(1));
    try (StreamLease lease = StreamLease.hold(settings, next)) {
      lease.requireFirst();
      assertThat(jobs(settings)).hasSize(1).noneMatch(job -> job.client().equals(client));
    }
  }

  /** A consumer of releases may have taken that group's name, which is public. */
  @Test
  void aMemberThatIsNoJobIsNotCounted() throws Exception {
    SketchJobSettings settings = settings();
    String group = LiveJobs.group(settings.plan().stream());
    try (KafkaConsumer<byte[], byte[]> reader =
            settings.kafka().member(group, "dashboard", Duration.ofSeconds(6));
        Admin admin = settings.kafka().admin()) {
      reader.subscribe(List.of(settings.topics().ledger()));
      ProcessCluster.await(
          "the reader",
          () -> {
            reader.poll(Duration.ofMillis(100));
            return reader.assignment().size() == 1;
          });
      assertThat(
              admin
                  .describeConsumerGroups(List.of(group))
                  .describedGroups()
                  .get(group)
                  .get()
                  .members())
          .hasSize(1);
      assertThat(jobs(settings)).isEmpty();
    }
  }

  @Test
  void theHostIsToldFromTheNameOfTheStream() {
    String client = LiveJobs.Job.client("a_5_" + OLD + "_7_stream", YOUNG, BEGAN);
    assertThat(new LiveJobs.Job(client, "127.0.0.1").toString())
        .contains(", process " + ProcessHandle.current().pid() + ", Flink's job " + YOUNG)
        .doesNotContain("stream");
  }

  @Test
  void aMissingRightIsToldFromAStreamThatNeverRan() throws Exception {
    assertThat(LiveJobs.find(failing(new GroupIdNotFoundException("no such group")), "wine"))
        .isEmpty();
    assertThatThrownBy(
            () -> LiveJobs.find(failing(GroupAuthorizationException.forGroupId("g")), "wine"))
        .isInstanceOf(LiveJobs.NotAllowedException.class)
        .hasMessageStartingWith("GZ-UNKNOWNJOB: ")
        .hasMessageContaining("may not read consumer group gauze-releases-wine");
    assertThatThrownBy(() -> LiveJobs.find(failing(new IllegalStateException("broken")), "wine"))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(LiveJobs.NotAllowedException.class)
        .hasMessageContaining("could not look for other jobs of stream wine")
        .hasMessageEndingWith("broken");
  }

  /** One whose groups all fail so. */
  private static Admin failing(RuntimeException reason) {
    KafkaFutureImpl<ConsumerGroupDescription> future = new KafkaFutureImpl<>();
    future.completeExceptionally(reason);
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) ->
                new DescribeConsumerGroupsResult(Map.of("gauze-releases-wine", future)));
  }

  private static SketchJobSettings settings() throws IOException {
    StreamFixture stream = new StreamFixture(EpochSchedule.all(), Randomness.SYSTEM);
    return stream.prepare(stream.newOutput(), true).settings();
  }

  private static StreamLease hold(SketchJobSettings settings, String flinkId, Instant submitted) {
    return StreamLease.hold(
        settings.with(submitted(submitted)),
        new StreamLease.Holder(flinkId, Duration.ofSeconds(1)));
  }

  private static void awaitJobs(SketchJobSettings settings, int count) {
    ProcessCluster.await(count + " jobs", () -> jobs(settings).size() == count);
  }

  private static List<LiveJobs.Job> jobs(SketchJobSettings settings) {
    try {
      return LiveJobs.find(settings.kafka(), settings.plan().stream(), Duration.ofMinutes(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StartState submitted(Instant time) {
    return new StartState(HeldReleases.NONE, Set.of(), "", time, List.of(), JobEnd.NEVER);
  }
}
