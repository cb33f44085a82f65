package io.gauze.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** A broker that has not heard of a new topic yet is asked again; other errors are told. */
final class TopicReadinessTest {
  private static final String TOPIC = "rows";

  private final Queue<Exception> failures = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final Admin admin =
      (Admin)
          Proxy.newProxyInstance(
              Admin.class.getClassLoader(),
              new Class<?>[] {Admin.class},
              (proxy, method, arguments) -> answer(method.getName(), arguments));

  /** Answers of a broker: that of the next failure, as long as there is one. */
  private Object answer(String method, Object... arguments) {
    asked.add(method);
    return switch (method) {
      case "describeTopics" -> new Topics(future(description()));
      case "describeConfigs" -> new Configs(future(new Config(List.of())));
      case "listOffsets" -> {
        Map<TopicPartition, KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo>> ends =
            Map.of(new TopicPartition(TOPIC, 1), future(null));
        assertThat((Map<?, ?>) arguments[0])
            .as("each partition is asked for")
            .hasSize(2)
            .allSatisfy((partition, end) -> assertThat(end).isInstanceOf(OffsetSpec.class));
        yield new ListOffsetsResult(ends);
      }
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private static TopicDescription description() {
    Node node = new Node(1, "localhost", 9092);
    List<TopicPartitionInfo> partitions = new ArrayList<>();
    for (int partition = 0; partition < 2; partition++) {
      partitions.add(new TopicPartitionInfo(partition, node, List.of(node), List.of(node)));
    }
    return new TopicDescription(TOPIC, false, partitions);
  }

  private <T> KafkaFuture<T> future(T value) {
    KafkaFutureImpl<T> future = new KafkaFutureImpl<>();
    Exception failure = failures.poll();
    if (failure == null) {
      future.complete(value);
    } else {
      future.completeExceptionally(failure);
    }
    return future;
  }

  private static final class Topics extends DescribeTopicsResult {
    Topics(KafkaFuture<TopicDescription> topic) {
      super(null, Map.of(TOPIC, topic));
    }
  }

  private static final class Configs extends DescribeConfigsResult {
    Configs(KafkaFuture<Config> config) {
      super(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, TOPIC), config));
    }
  }

  @Test
  void aTopicThatIsNotKnownYetIsAskedForAgain() throws Exception {
    failures.add(new UnknownTopicOrPartitionException("not yet"));
    failures.add(new UnknownTopicOrPartitionException("not yet"));
    TopicReadiness.awaitKnown(admin, TOPIC);
    assertThat(asked)
        .containsExactly("describeTopics", "describeTopics", "describeTopics", "describeConfigs");
  }

  @Test
  void leadersThatDoNotServeYetAreAskedAgain() throws Exception {
    failures.add(new LeaderNotAvailableException("not yet"));
    TopicReadiness.awaitLeaders(admin, TOPIC);
    assertThat(asked).containsExactly("describeTopics", "describeTopics", "listOffsets");
    asked.clear();
    failures.add(new NotLeaderOrFollowerException("not yet"));
    TopicReadiness.awaitLeaders(admin, TOPIC);
    assertThat(asked).containsExactly("describeTopics", "describeTopics", "listOffsets");
  }

  @Test
  void anyOtherErrorIsToldAtOnce() {
    failures.add(new TopicAuthorizationException("no right"));
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> TopicReadiness.awaitLeaders(admin, TOPIC))
        .withCauseInstanceOf(TopicAuthorizationException.class);
    assertThat(asked).containsExactly("describeTopics");
  }
}
