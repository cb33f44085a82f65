package io.gauze.topic;

import io.gauze.topic.TopicAdmin.Creation;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;

/** The requests of {@link TopicAdmin} to the broker. Exceptions name the request and the broker. */
final class TopicClient implements AutoCloseable {
  /** The errors that the request itself causes, not the state of the brokers. */
  private static final List<Class<? extends KafkaException>> REFUSALS =
      List.of(
          InvalidReplicationFactorException.class,
          InvalidPartitionsException.class,
          InvalidConfigurationException.class,
          InvalidTopicException.class,
          PolicyViolationException.class);

  private final Admin admin;
  private final KafkaAccess kafka;
  private final String cluster;

  private TopicClient(Admin admin, KafkaAccess kafka) {
    this.admin = admin;
    this.kafka = kafka;
    this.cluster = kafka.toString();
  }

  /**
   * Opens a client whose calls end within {@code patience}, if given. Checks the properties also
   * for a job's other clients, which are created only where the job runs.
   *
   * @throws TopicException if Kafka refuses the client's properties
   * @throws IOException if no host has the broker's name
   */
  static TopicClient open(KafkaAccess kafka, Optional<Duration> patience) throws IOException {
    try {
      Admin admin = kafka.admin(patience); // the clients that are tried next share its login
      try {
        kafka.tryClients();
      } catch (KafkaException e) {
        admin.close(Duration.ZERO);
        throw e;
      }
      return new TopicClient(admin, kafka);
    } catch (KafkaException e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      String reason = ClientFaults.explained(cause, String.valueOf(cause.getMessage()));
      if (cause instanceof ConfigException && reason.contains("bootstrap.servers")) {
        throw new IOException("could not reach " + kafka + ": " + reason, e);
      }
      throw new TopicException(
          "",
          "kafka.properties do not make a client for "
              + kafka
              + ": "
              + reason
              + (reason.endsWith(".") ? "" : ".")
              + " Correct the property, or what it refers to.",
          e);
    }
  }

  String cluster() {
    return cluster;
  }

  /**
   * Returns when a broker has answered.
   *
   * @throws IOException if none answers, or if it refuses the login
   */
  void reach() throws IOException {
    try {
      admin.describeCluster().clusterId().get();
    } catch (ExecutionException e) {
      boolean silent = e.getCause() instanceof TimeoutException;
      String why = silent ? silence() : ClientFaults.explained(e.getCause(), reason(e));
      throw new IOException("could not reach " + cluster + ": " + why, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private String silence() {
    Optional<String> protocol =
        Optional.ofNullable(kafka.properties().getProperty("security.protocol"));
    return PortProbe.clause(kafka.bootstrap(), protocol).orElse("no broker answers");
  }

  boolean exists(String topic) throws IOException {
    Set<String> names = get("list the topics", admin.listTopics().names());
    return names.contains(topic);
  }

  /**
   * Creates a topic.
   *
   * @throws TopicException if the broker refuses it
   */
  void create(String topic, int partitions, Creation how, Map<String, String> settings)
      throws IOException {
    NewTopic wanted = wanted(topic, partitions, how, settings);
    try {
      admin.createTopics(List.of(wanted)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw notCreated(topic, how, e);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    awaitKnown(topic, true);
  }

  /**
   * The result of {@link #tryToCreate}.
   *
   * @param exists whether the topic exists by now
   * @param needed how many replicas would have to take a record, if the broker tells it
   */
  record Tried(boolean exists, Optional<Integer> needed) {}

  /**
   * Asks the broker whether a topic could be created, without creating it.
   *
   * @throws TopicException if the broker would refuse it
   */
  Tried tryToCreate(String topic, int partitions, Creation how, Map<String, String> settings)
      throws IOException {
    NewTopic wanted = wanted(topic, partitions, how, settings);
    try {
      Config config =
          admin
              .createTopics(List.of(wanted), new CreateTopicsOptions().validateOnly(true))
              .config(topic)
              .get();
      return new Tried(
          false,
          Optional.ofNullable(config.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG))
              .map(ConfigEntry::value)
              .map(Integer::valueOf));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) { // new, or known to another broker
        awaitKnown(topic, false);
        return new Tried(true, Optional.empty());
      }
      throw notCreated(topic, how, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static NewTopic wanted(
      String topic, int partitions, Creation how, Map<String, String> settings) {
    return new NewTopic(topic, partitions, how.replicas()).configs(new HashMap<>(settings));
  }

  private IOException notCreated(String topic, Creation how, ExecutionException e) {
    String what =
        "could not create topic "
            + topic
            + " on "
            + cluster
            + ": "
            + reason(e)
            + " kafka.create says replicas "
            + how.replicas()
            + ", partitions "
            + how.partitions();
    return REFUSALS.stream().anyMatch(refusal -> refusal.isInstance(e.getCause()))
        ? new TopicException(topic, what + "; change it, or create the topic", e)
        : new IOException(what, e);
  }

  /** Waits for a topic that was created, here or just now by somebody else. */
  private void awaitKnown(String topic, boolean led) throws IOException {
    try {
      TopicReadiness.awaitKnown(admin, topic);
      if (led) {
        TopicReadiness.awaitLeaders(admin, topic);
      }
    } catch (ExecutionException e) {
      throw new IOException("topic " + topic + " was created but cannot be read: " + reason(e), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** The number of replicas of the topic's partition that has fewest. */
  int replicas(String topic) throws IOException {
    TopicDescription found =
        get("describe topic " + topic, admin.describeTopics(List.of(topic)).allTopicNames())
            .get(topic);
    return found.partitions().stream().mapToInt(each -> each.replicas().size()).min().orElse(0);
  }

  /**
   * The id that tells a topic from others of its name; empty if the broker is too old to have one.
   */
  String id(String topic) throws IOException {
    Uuid id =
        get("describe topic " + topic, admin.describeTopics(List.of(topic)).allTopicNames())
            .get(topic)
            .topicId();
    return id.equals(Uuid.ZERO_UUID) ? "" : id.toString();
  }

  /**
   * The value of a topic's setting, which is the broker's if the topic has none.
   *
   * @throws TopicException if the brokers are too old to know the setting
   */
  String value(String topic, String key) throws IOException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return value(settings("topic " + topic, resource), key, topic, cluster);
  }

  /** The number of brokers now. */
  int brokers() throws IOException {
    return get("list the brokers", admin.describeCluster().nodes()).size();
  }

  /** Returns a setting of every broker, by the broker's id. */
  Map<String, String> ofBrokers(String key) throws IOException {
    Map<String, String> values = new HashMap<>();
    for (Node broker : get("list the brokers", admin.describeCluster().nodes())) {
      String id = broker.idString();
      ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, id);
      values.put(id, settings("broker " + id, resource).get(key).value());
    }
    return values;
  }

  private Config settings(String what, ConfigResource resource) throws IOException {
    return get("read the settings of " + what, admin.describeConfigs(List.of(resource)).all())
        .get(resource);
  }

  // Of the settings in use, only message.timestamp.after.max.ms is newer than the oldest brokers
  // that the client supports.
  static String value(Config settings, String key, String topic, String cluster)
      throws TopicException {
    ConfigEntry entry = settings.get(key);
    if (entry == null) {
      throw new TopicException(
          topic,
          "topic "
              + topic
              + ": "
              + cluster
              + " does not know "
              + key
              + "; producers' timestamps need Kafka 3.6 or later. Upgrade the brokers, or leave out"
              + " epochs.timestamps: producer.");
    }
    return entry.value();
  }

  private <T> T get(String what, KafkaFuture<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      String hint = e.getCause() instanceof TimeoutException ? "; is a broker there?" : "";
      throw new IOException("could not " + what + " on " + cluster + ": " + reason(e) + hint, e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static String reason(ExecutionException e) {
    String message = e.getCause().getMessage();
    return message == null || message.isBlank() ? e.getCause().getClass().getSimpleName() : message;
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
