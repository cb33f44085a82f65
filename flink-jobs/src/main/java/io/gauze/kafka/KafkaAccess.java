package io.gauze.kafka;

import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How to reach the broker: its address and Kafka's own client properties. It travels in the job
 * graph, with references to secrets as they are: {@link Secrets}. {@link #toString} shows the
 * address only.
 */
public final class KafkaAccess implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Each try of each client is a line in the log while a broker is away. */
  private static final Map<String, String> RECONNECT =
      Map.of(
          CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, "500",
          CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, "10000");

  private static final String FETCH_WAIT_MILLIS = "50";

  /** Answers are the largest records of a producer that has no size of its own. */
  private static final int RECORD_BYTES = 1 << 20;

  /** What the producer of releases has for them at least. */
  public static final int BUFFER_BYTES = 32 << 20;

  /** In less no producer finds out who leads a partition. */
  private static final long LEAST_BLOCK_MILLIS = 1000;

  private static final String TRANSACTION_MILLIS = "60000";

  /** So many connections one after the other are tried within a limit. */
  private static final int CONNECTIONS = 4;

  /** The name of clients that ask for nothing. */
  private static final String UNUSED = "gauze-unused";

  private final String bootstrap;
  private final TreeMap<String, String> properties;

  /**
   * @param bootstrap host:port, separated by commas
   * @param properties passed to every client, e.g. security.protocol
   */
  public KafkaAccess(String bootstrap, Map<String, String> properties) {
    this.bootstrap = bootstrap;
    this.properties = new TreeMap<>(properties);
  }

  /** The bootstrap address. */
  public String bootstrap() {
    return bootstrap;
  }

  /**
   * A new copy of the client properties, the address among them; references to secrets are for the
   * client to resolve. A broker that is away is asked for after half a second, then ever less
   * often, to once in 10 s, unless the properties say when.
   */
  public Properties properties() {
    Properties all = new Properties();
    if (RECONNECT.keySet().stream().noneMatch(properties::containsKey)) {
      all.putAll(RECONNECT);
    }
    all.putAll(properties);
    all.setProperty("bootstrap.servers", bootstrap);
    Secrets.addProviders(all);
    return all;
  }

  /** An admin client; the caller closes it. */
  public Admin admin() {
    return admin(Optional.empty());
  }

  /**
   * An admin client whose calls fail after {@code patience}, if given; the config's own limits win.
   * Of several brokers one that does not answer takes a part of that only. The caller closes it.
   */
  public Admin admin(Optional<Duration> patience) {
    Properties all = properties();
    boolean limited =
        all.containsKey(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG)
            || all.containsKey(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG);
    if (patience.isPresent() && !limited) {
      String millis = Long.toString(patience.get().toMillis());
      all.setProperty(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
      all.setProperty(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    }
    patience.ifPresent(
        limit -> {
          String part = Long.toString(limit.toMillis() / CONNECTIONS);
          all.putIfAbsent(AdminClientConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, part);
          all.putIfAbsent(AdminClientConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, part);
        });
    return Admin.create(all);
  }

  /**
   * A consumer of bytes that sees committed records only and stores no offsets; the caller closes
   * it.
   */
  public KafkaConsumer<byte[], byte[]> consumer() {
    return consumer(Map.of());
  }

  /**
   * The same, with {@code defaults} for what the properties leave open.
   *
   * <p>A fetch at the end of a log is held back by the broker, and nothing else goes that way
   * meanwhile: neither a fetch of another partition nor the end of the session that closing waits
   * for. Kafka's half a second of that would be there for each partition whose end is looked up.
   */
  public KafkaConsumer<byte[], byte[]> consumer(Map<String, String> defaults) {
    return new KafkaConsumer<>(
        forConsumer(defaults), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * The same as a member of a group, in which it stays for {@code session} after its process was
   * killed. What the properties say of groups does not count.
   */
  public KafkaConsumer<byte[], byte[]> member(String group, String client, Duration session) {
    Properties all = forConsumer(Map.of());
    all.keySet().removeIf(key -> key.toString().startsWith("group."));
    all.remove(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
    all.setProperty(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    all.setProperty(ConsumerConfig.GROUP_ID_CONFIG, group);
    all.setProperty(ConsumerConfig.CLIENT_ID_CONFIG, client);
    all.setProperty(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, Long.toString(session.toMillis()));
    all.setProperty(
        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, Long.toString(session.toMillis() / 4));
    return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  Properties forConsumer(Map<String, String> defaults) {
    Properties all = properties();
    defaults.forEach(all::putIfAbsent);
    all.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
    all.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    all.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    all.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    all.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    return all;
  }

  /**
   * A producer of bytes that waits for all in-sync replicas; {@code overrides} win. The caller
   * closes it.
   */
  public KafkaProducer<byte[], byte[]> producer(Map<String, String> overrides) {
    return new KafkaProducer<>(
        forProducer(overrides), new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Properties forProducer(Map<String, String> overrides) {
    Properties all = properties();
    all.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    all.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    all.putAll(overrides);
    return all;
  }

  /**
   * What a producer with transactions has of its own: the id, by which it fences another one, and a
   * minute for a transaction, which holds a batch of releases. Brokers allow a quarter of an hour
   * unless their {@code transaction.max.timeout.ms} says otherwise.
   */
  public static Map<String, String> transactional(String id) {
    return Map.of(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        id,
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
        TRANSACTION_MILLIS);
  }

  /**
   * Makes a consumer in a group and a transactional producer, and closes them: Kafka demands no
   * more of any client. Waits for no broker.
   *
   * @throws KafkaException if it does not take the properties, or no record would get through
   */
  void tryClients() {
    consumer(Map.of(ConsumerConfig.GROUP_ID_CONFIG, UNUSED))
        .close(CloseOptions.timeout(Duration.ZERO));
    producer(transactional(UNUSED)).close(Duration.ZERO);
    checkLimits();
  }

  // Kafka finds these out one record at a time.
  private void checkLimits() {
    Properties all = forProducer(Map.of());
    all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    ProducerConfig config = new ProducerConfig(all);
    int request = config.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    long buffer = config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG);
    int batch = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
    checkRange(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, request, RECORD_BYTES, Integer.MAX_VALUE);
    checkRange(ProducerConfig.BUFFER_MEMORY_CONFIG, buffer, RECORD_BYTES, Long.MAX_VALUE);
    checkRange(ProducerConfig.BATCH_SIZE_CONFIG, batch, 0, Math.min(buffer, BUFFER_BYTES));
    long block = config.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG);
    checkRange(ProducerConfig.MAX_BLOCK_MS_CONFIG, block, LEAST_BLOCK_MILLIS, Long.MAX_VALUE);
  }

  private static void checkRange(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new ConfigException(key, value, "must be in [" + least + ", " + most + "]");
    }
  }

  /** The addresses in an order of their own: the same for the same ones, however they are given. */
  public String brokers() {
    return Arrays.stream(bootstrap.toLowerCase(Locale.ROOT).split(",", -1))
        .map(String::strip)
        .distinct()
        .sorted()
        .collect(Collectors.joining(","));
  }

  @Override
  public String toString() {
    return "Kafka at " + bootstrap;
  }
}
