package io.gauze.config;

import io.gauze.kafka.TopicAdmin;
import io.gauze.kafka.Topics;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Where the stream's topics are. {@link #toString} does not show the clients' properties, which may
 * hold secrets.
 *
 * @param bootstrap host:port, separated by commas; empty if the config does not say
 * @param properties Kafka's own keys, passed to every client; immutable
 * @param topics the names of the topics
 * @param rows how the records of the rows topic are written
 * @param bounded whether the rows end at what the topic holds when the job starts
 * @param create how missing topics are made; empty: a missing topic is an error
 */
public record KafkaSettings(
    Optional<String> bootstrap,
    Map<String, String> properties,
    Topics topics,
    RowsSettings rows,
    boolean bounded,
    Optional<TopicAdmin.Creation> create) {
  /** These settings with another address. */
  public KafkaSettings withBootstrap(String address) {
    return new KafkaSettings(Optional.of(address), properties, topics, rows, bounded, create);
  }

  /** These settings for a broker without security. */
  KafkaSettings withPlainBroker(String address) {
    return new KafkaSettings(Optional.of(address), Map.of(), topics, rows, bounded, create);
  }

  /** These settings with records written in another way. */
  KafkaSettings withRows(RowsSettings other) {
    return new KafkaSettings(bootstrap, properties, topics, other, bounded, create);
  }

  /**
   * The address.
   *
   * @throws ConfigException if the config does not say it
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
