package io.gauze.source;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Finds or creates the topics of a stream, and checks the settings that its guarantee or its
 * releases need.
 */
public final class TopicAdmin implements AutoCloseable {
  /** How missing topics are created. */
  public record Creation(int partitions, short replicas) {}

  /** A topic that is missing, or whose settings do not do; the message says what to change. */
  public static class TopicException extends IOException {
    private static final long serialVersionUID = 1L;

    TopicException(String message) {
      super(message);
    }
  }

  /** A topic that is missing. */
  public static final class MissingTopicException extends TopicException {
    private static final long serialVersionUID = 1L;

    MissingTopicException(String message) {
      super(message);
    }
  }

  private static final Duration KNOWN_WITHIN = Duration.ofSeconds(30);
  private static final Duration MOST_AHEAD = Duration.ofDays(1);
  private static final Duration RETRY_AFTER = Duration.ofMillis(50);

  /** What topics take by default. */
  private static final int USUAL_BYTES = (1 << 20) + 12;

  /** What brokers take by default. */
  private static final int USUAL_REQUEST_BYTES = 100 << 20;

  private static final String REQUEST_BYTES = "socket.request.max.bytes";

  private final Admin admin;
  private final String cluster;
  private final Optional<Creation> creation;

  /**
   * Talks to the broker of {@code kafka}; without {@code creation} a missing topic is an error.
   *
   * @throws IOException if no client can be made, for instance because no host has that name
   */
  public TopicAdmin(KafkaAccess kafka, Optional<Creation> creation) throws IOException {
    try {
      this.admin = kafka.admin();
    } catch (KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("could not reach " + kafka + ": " + cause.getMessage(), e);
    }
    this.cluster = kafka.toString();
    this.creation = creation;
  }

  /**
   * The topic of rows: the broker's append time decides which epoch a row is in.
   *
   * @param appendTime whether the stream has epochs of the log's time, so that the log must set it
   * @param table whether it holds changes of a table, of which the last one of a key will do
   */
  public void rows(String topic, boolean appendTime, boolean table) throws IOException {
    ensure(
        topic,
        Optional.empty(),
        Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime"));
    if (!table) {
      require(
          topic,
          TopicConfig.CLEANUP_POLICY_CONFIG,
          "delete",
          "in a compacted topic one row takes away another");
    }
    if (appendTime) {
      require(
          topic,
          TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
          "LogAppendTime",
          "a producer's clock would decide which epoch a row is in");
    }
  }

  /**
   * The topic of rows, whose producers set the time: each epoch that they name takes memory until
   * it is over, so that the broker must refuse times far ahead.
   */
  public void producerTime(String topic) throws IOException {
    long most = Long.parseLong(value(topic, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG));
    if (most > MOST_AHEAD.toMillis()) {
      throw new TopicException(
          "topic "
              + topic
              + ": "
              + TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG
              + " must be at most "
              + MOST_AHEAD.toMillis()
              + " with producers' timestamps, since each epoch ahead takes memory. Provided value: "
              + most);
    }
  }

  /**
   * The topic of releases, whose records may have {@code largest} bytes. A new one takes what
   * topics take by default, too, for smaller sketches that come later.
   *
   * @return a warning if the broker will forget releases, which cannot be made again
   */
  public Optional<String> releases(String topic, int largest) throws IOException {
    ensure(
        topic,
        Optional.of(1),
        Map.of(
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(Math.max(largest, USUAL_BYTES)),
            TopicConfig.RETENTION_MS_CONFIG, "-1",
            TopicConfig.RETENTION_BYTES_CONFIG, "-1"));
    int takes = Integer.parseInt(value(topic, TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
    if (takes < largest) {
      throw new TopicException(
          "topic "
              + topic
              + ": "
              + TopicConfig.MAX_MESSAGE_BYTES_CONFIG
              + " must be at least "
              + largest
              + ", the size of the largest release. Provided value: "
              + takes
              + ". Raise it, or make the sketch smaller.");
    }
    checkBrokers(topic, largest);
    String retention = value(topic, TopicConfig.RETENTION_MS_CONFIG);
    return retention.equals("-1")
        ? Optional.empty()
        : Optional.of(
            "topic "
                + topic
                + ": "
                + TopicConfig.RETENTION_MS_CONFIG
                + " is "
                + retention
                + ", so releases are lost after that time, and none can be made again; -1 keeps them");
  }

  /** Brokers hang up on larger requests, whatever their topics take. */
  private void checkBrokers(String topic, int largest) throws IOException {
    if (largest <= USUAL_REQUEST_BYTES) {
      return; // asking needs a right that a small stream should not need
    }
    for (Node broker : get("list the brokers", admin.describeCluster().nodes())) {
      ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, broker.idString());
      String takes = value("broker " + broker.idString(), resource, REQUEST_BYTES);
      if (Integer.parseInt(takes) < largest) {
        throw new TopicException(
            "topic "
                + topic
                + ": "
                + REQUEST_BYTES
                + " of broker "
                + broker.idString()
                + " must be at least "
                + largest
                + ", the size of the largest release. Provided value: "
                + takes
                + ". Raise it, or make the sketch smaller.");
      }
    }
  }

  /** The compacted topic of the ledger. */
  public void ledger(String topic) throws IOException {
    ensure(topic, Optional.of(1), Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact"));
    require(
        topic,
        TopicConfig.CLEANUP_POLICY_CONFIG,
        "compact",
        "the ledger must never forget a release");
  }

  /** A topic of dead letters or late rows, whose keys say nothing. */
  public void letters(String topic) throws IOException {
    ensure(topic, Optional.empty(), Map.of());
    require(
        topic,
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_DELETE,
        "its records may have equal keys, or none");
  }

  /**
   * The topic of answers, whose records may have {@code largest} bytes, keys and the like beside.
   */
  public void answers(String topic, int largest) throws IOException {
    ensure(topic, Optional.empty(), Map.of());
    int takes = Integer.parseInt(value(topic, TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
    int wanted = largest + (16 << 10);
    if (takes < wanted) {
      throw new TopicException(
          "topic "
              + topic
              + ": "
              + TopicConfig.MAX_MESSAGE_BYTES_CONFIG
              + " must be at least "
              + wanted
              + ", the size of the largest answer. Provided value: "
              + takes
              + ". Raise it.");
    }
  }

  /** Any other topic. */
  public void plain(String topic) throws IOException {
    ensure(topic, Optional.empty(), Map.of());
  }

  private void ensure(String topic, Optional<Integer> partitions, Map<String, String> settings)
      throws IOException {
    Set<String> names = get("list the topics", admin.listTopics().names());
    if (names.contains(topic)) {
      return;
    }
    if (creation.isEmpty()) {
      throw new MissingTopicException(
          "topic "
              + topic
              + " does not exist on "
              + cluster
              + "; create it, or let kafka.create {partitions, replicas} do so");
    }
    NewTopic wanted =
        new NewTopic(
                topic, partitions.orElse(creation.get().partitions()), creation.get().replicas())
            .configs(new HashMap<>(settings));
    try {
      admin.createTopics(List.of(wanted)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new IOException(
            "could not create topic " + topic + " on " + cluster + ": " + reason(e), e);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    awaitKnown(topic);
  }

  /** A new topic becomes known to the brokers a little later than its creation is acknowledged. */
  private void awaitKnown(String topic) throws IOException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    long deadline = System.nanoTime() + KNOWN_WITHIN.toNanos();
    while (true) {
      try {
        admin.describeTopics(List.of(topic)).allTopicNames().get();
        admin.describeConfigs(List.of(resource)).all().get();
        return;
      } catch (ExecutionException e) {
        boolean unknown = e.getCause() instanceof UnknownTopicOrPartitionException;
        if (!unknown || System.nanoTime() - deadline > 0) {
          throw new IOException(
              "topic " + topic + " was created but cannot be read: " + reason(e), e);
        }
        LockSupport.parkNanos(RETRY_AFTER.toNanos());
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private static String reason(ExecutionException e) {
    String message = e.getCause().getMessage();
    return message == null || message.isBlank() ? e.getCause().getClass().getSimpleName() : message;
  }

  private void require(String topic, String key, String wanted, String why) throws IOException {
    String found = value(topic, key);
    if (!found.equals(wanted)) {
      throw new TopicException(
          "topic "
              + topic
              + ": "
              + key
              + " must be "
              + wanted
              + ", since "
              + why
              + ". Provided value: "
              + found);
    }
  }

  private String value(String topic, String key) throws IOException {
    return value("topic " + topic, new ConfigResource(ConfigResource.Type.TOPIC, topic), key);
  }

  private String value(String what, ConfigResource resource, String key) throws IOException {
    Map<ConfigResource, Config> found =
        get("read the settings of " + what, admin.describeConfigs(List.of(resource)).all());
    return found.get(resource).get(key).value();
  }

  private <T> T get(String what, org.apache.kafka.common.KafkaFuture<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      String hint = e.getCause() instanceof TimeoutException ? "; is a broker there?" : "";
      throw new IOException("could not " + what + " on " + cluster + ": " + reason(e) + hint, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException("interrupted", e);
  }

  @Override
  public void close() {
    admin.close();
  }
}
