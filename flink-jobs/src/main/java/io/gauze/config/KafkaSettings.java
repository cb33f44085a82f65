package io.gauze.config;

import io.gauze.topic.TopicAdmin;
import io.gauze.topic.Topics;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The stream's broker and topics. {@link #toString} does not show the values of the clients'
 * properties, which may contain secrets.
 *
 * @param bootstrap host:port, separated by commas; empty if the config does not name a broker
 * @param properties Kafka's own keys, passed to every client; immutable
 * @param topics the names of the topics
 * @param rows the format and the keys of the records of the rows topic
 * @param bounded whether the rows end where the topic ends when the job starts
 * @param create how missing topics are created; empty: a missing topic is an error
 */
public record KafkaSettings(
    Optional<String> bootstrap,
    Map<String, String> properties,
    Topics topics,
    RowsSettings rows,
    boolean bounded,
    Optional<TopicAdmin.Creation> create) {
  /** Returns a copy with another address. */
  public KafkaSettings withBootstrap(String address) {
    return new KafkaSettings(Optional.of(address), properties, topics, rows, bounded, create);
  }

  /** Returns a copy with a broker that needs no client properties. */
  KafkaSettings withPlainBroker(String address) {
    return new KafkaSettings(Optional.of(address), Map.of(), topics, rows, bounded, create);
  }

  /** Returns a copy with other topics. */
  KafkaSettings withTopics(Topics others) {
    return new KafkaSettings(bootstrap, properties, others, rows, bounded, create);
  }

  /** Returns a copy with another format or other keys of the rows. */
  KafkaSettings withRows(RowsSettings other) {
    return new KafkaSettings(bootstrap, properties, topics, other, bounded, create);
  }

  /**
   * Returns the broker's address.
   *
   * @throws ConfigException if the config does not name it
   */
  public String requireBootstrap() throws ConfigException {
    return bootstrap.orElseThrow(
        () ->
            new ConfigException(
                "the config lacks the key kafka.bootstrap, which must be host:port of a broker"));
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "KafkaSettings[bootstrap=%s, properties=%s, topics=%s, rows=%s, bounded=%s, create=%s]",
        bootstrap,
        properties.keySet(),
        topics,
        rows,
        bounded,
        create);
  }
}
