package io.gauze.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Waits for a new topic: the brokers know it, and the leaders of its partitions take records, a
 * little after its creation is acknowledged.
 */
public final class TopicReadiness {
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);
  private static final Duration RETRY_AFTER = Duration.ofMillis(50);

  /** The errors of a broker that has not heard of the topic, or of being its leader, yet. */
  private static final List<Class<? extends Exception>> NOT_YET =
      List.of(
          UnknownTopicOrPartitionException.class,
          LeaderNotAvailableException.class,
          NotLeaderOrFollowerException.class);

  private TopicReadiness() {}

  /**
   * Returns when the brokers know a topic and its settings.
   *
   * @throws ExecutionException if they do not within 30 s, or on any other error
   */
  public static void awaitKnown(Admin admin, String topic)
      throws ExecutionException, InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    retry(
        () -> {
          admin.describeTopics(List.of(topic)).allTopicNames().get();
          return admin.describeConfigs(List.of(resource)).all();
        });
  }

  /**
   * Returns when the leader of each partition serves it.
   *
   * <p>A producer must not send earlier: if the leader refuses the first of two batches because it
   * does not serve the partition yet, and takes the second, then it refuses each retry of the first
   * as out of order, until {@code delivery.timeout.ms} is over.
   *
   * @throws ExecutionException if they do not within 30 s, or on any other error
   */
  public static void awaitLeaders(Admin admin, String topic)
      throws ExecutionException, InterruptedException {
    retry(
        () -> {
          TopicDescription found =
              admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
          Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
          found
              .partitions()
              .forEach(
                  each ->
                      ends.put(new TopicPartition(topic, each.partition()), OffsetSpec.latest()));
          return admin.listOffsets(ends).all();
        });
  }

  private interface Request {
    KafkaFuture<?> send() throws ExecutionException, InterruptedException;
  }

  private static void retry(Request request) throws ExecutionException, InterruptedException {
    long deadline = System.nanoTime() + READY_WITHIN.toNanos();
    while (true) {
      try {
        request.send().get();
        return;
      } catch (ExecutionException e) {
        boolean early = NOT_YET.stream().anyMatch(kind -> kind.isInstance(e.getCause()));
        if (!early || System.nanoTime() - deadline > 0) {
          throw e;
        }
        LockSupport.parkNanos(RETRY_AFTER.toNanos());
      }
    }
  }
}
