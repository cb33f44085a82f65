package io.gauze.topic;

import io.gauze.message.Message;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The settings that decide whether a topic can lose acknowledged records when a broker is lost.
 *
 * @param topic the topic's name
 * @param replicas the copies of each record
 * @param needed the copies that must exist before a record is acknowledged
 * @param unclean whether a copy that lacks acknowledged records may become the leader
 */
record Durability(String topic, int replicas, int needed, boolean unclean) {
  /** Returns the durability of an existing topic. */
  static Durability of(String topic, TopicClient client) throws IOException {
    return new Durability(
        topic,
        client.replicas(topic),
        Integer.parseInt(client.value(topic, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)),
        Boolean.parseBoolean(
            client.value(topic, TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG)));
  }

  /** Returns the durability of a topic that is created with {@link #settings}. */
  static Durability ofNew(String topic, TopicAdmin.Creation how) {
    return new Durability(topic, how.replicas(), needed(how), false);
  }

  /**
   * Returns the most durable settings with which a new topic still takes records while one broker
   * is away.
   */
  static Map<String, String> settings(TopicAdmin.Creation how) {
    return Map.of(
        TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
        Integer.toString(needed(how)),
        TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
        "false");
  }

  private static int needed(TopicAdmin.Creation how) {
    return Math.max(1, how.replicas() - 1);
  }

  /** Returns whether the topic keeps its records when a broker is lost. */
  boolean lasts() {
    return replicas > 1 && needed > 1 && !unclean;
  }

  /**
   * Returns a message for each topic that can lose records; none if there is only one broker, where
   * no setting helps.
   */
  static List<Message> warnings(List<Durability> topics, int brokers) {
    return brokers < 2
        ? List.of()
        : topics.stream()
            .filter(each -> !each.lasts())
            .map(each -> TopicMessage.COPIES.of(each.topic()).with(each.described()))
            .toList();
  }

  private String described() {
    return String.format(
        Locale.ROOT,
        "It has replicas %d, %s %d%s.",
        replicas,
        TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
        needed,
        unclean ? ", " + TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG + " true" : "");
  }
}
