package io.gauze.source.avro;

import io.gauze.topic.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/**
 * The certificates for a schema registry over TLS: those that are trusted, and the client's own.
 * The keys are those of Kafka's clients, which Confluent's registry clients take, too.
 */
public final class RegistryTls {
  /** What Confluent's clients write before each key. */
  public static final String PREFIX = "schema.registry.";

  /** The keys that are known; immutable. */
  public static final List<String> KEYS =
      List.of(
          SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG,
          SslConfigs.SSL_TRUSTSTORE_PASSWORD_CONFIG,
          SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG,
          SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG,
          SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG,
          SslConfigs.SSL_KEYSTORE_TYPE_CONFIG,
          SslConfigs.SSL_KEY_PASSWORD_CONFIG);

  private RegistryTls() {}

  /** Returns whether the value of a key is a secret, which must be a reference. */
  public static boolean isSecret(String key) {
    return key.endsWith(".password");
  }

  /**
   * Returns the context of connections.
   *
   * @param properties by key, secrets as references
   * @throws UncheckedIOException if a store or a secret cannot be read here
   */
  static SSLContext context(Map<String, String> properties) {
    Map<String, String> resolved = new HashMap<>(properties);
    try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
      resolved.replaceAll(
          (key, value) ->
              isSecret(key)
                  ? Secrets.resolve("kafka.rows.registry.properties." + key, value)
                  : value);
      ConfigDef keys = new ConfigDef().withClientSslSupport();
      factory.configure(keys.parse(resolved));
      return factory.sslContext();
    } catch (IllegalArgumentException | KafkaException e) {
      throw new UncheckedIOException(
          new IOException(
              "the certificates of the schema registry cannot be used: "
                  + e.getMessage()
                  + ". Put stores and secrets of kafka.rows.registry.properties on every machine"
                  + " that runs the job",
              e));
    }
  }
}
