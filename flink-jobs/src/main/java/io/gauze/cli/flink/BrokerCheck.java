package io.gauze.cli.flink;

import io.gauze.cli.option.ConfigLocation;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that a broker answers before a verb sends it anything else. So a broker that is away costs
 * only seconds, and the message is the same for all verbs. Each broker is asked once.
 */
public final class BrokerCheck {
  /** How long a broker may take for an answer to a job, unless the config sets a limit. */
  public static final Duration OF_JOBS = Duration.ofSeconds(10);

  /** How long it may take for an answer to a verb that somebody waits for. */
  public static final Duration OF_PEOPLE = Duration.ofSeconds(3);

  /** The identity of a broker for its clients. */
  private record Broker(String bootstrap, Map<String, String> properties) {}

  /** The failures of the brokers that were asked; empty for one that answered. */
  private final Map<Broker, Optional<IOException>> asked = new HashMap<>();

  private final Duration patience;

  public BrokerCheck(Duration patience) {
    this.patience = patience;
  }

  /**
   * Reports the connection to the config's Kafka, and returns when a broker has answered.
   *
   * @throws ConfigException if the config names no broker, or properties that Kafka refuses
   * @throws IOException if no broker answers
   */
  public static KafkaAccess connect(StreamConfig config, PrintWriter err)
      throws ConfigException, IOException {
    return connect(config, err, OF_PEOPLE);
  }

  /** As {@link #connect(StreamConfig, PrintWriter)}, with a limit of its own. */
  public static KafkaAccess connect(StreamConfig config, PrintWriter err, Duration patience)
      throws ConfigException, IOException {
    KafkaAccess kafka = access(config);
    err.println("connecting to " + kafka);
    err.flush();
    new BrokerCheck(patience).reach(config);
    return kafka;
  }

  /**
   * Returns when a broker of the config has answered; inside of a cluster, returns at once.
   *
   * @throws ConfigException as {@link #connect}
   * @throws IOException if no broker answers
   */
  public void reach(StreamConfig config) throws ConfigException, IOException {
    KafkaAccess kafka = access(config);
    if (FlinkClientContext.isInCluster()) {
      return; // a restarted job manager waits as long as Kafka's own clients do
    }
    Broker broker = new Broker(kafka.bootstrap(), config.kafka().properties());
    if (!asked.containsKey(broker)) {
      asked.put(broker, ask(config, kafka));
    }
    Optional<IOException> problem = asked.get(broker);
    if (problem.isPresent()) {
      throw new IOException(unreachable(config, problem.get()), problem.get());
    }
  }

  private Optional<IOException> ask(StreamConfig config, KafkaAccess kafka) throws ConfigException {
    try {
      TopicAdmin.reach(kafka, patience);
      return Optional.empty();
    } catch (TopicException e) {
      throw ConfigLocation.topics(config, e);
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  /** Returns the message for the user if the config's broker did not answer. */
  public static String unreachable(StreamConfig config, Throwable problem) {
    String told = String.valueOf(problem.getMessage());
    return ConfigLocation.key(
        config,
        "kafka.bootstrap",
        told
            + (told.endsWith(".") ? "" : ".")
            + " Correct kafka.bootstrap or kafka.properties, or start the broker.");
  }

  private static KafkaAccess access(StreamConfig config) throws ConfigException {
    return new KafkaAccess(config.kafka().requireBootstrap(), config.kafka().properties());
  }
}
