package io.gauze.topic;

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
 * The access to a broker: its address and the properties of Kafka's clients. It travels in the job
 * graph, with references to secrets unresolved: {@link Secrets}. {@link #toString} shows the
 * address only.
 */
public final class KafkaAccess implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Slows down reconnects: while a broker is away, each attempt of each client is a line in the
   * log.
   */
  private static final Map<String, String> RECONNECT =
      Map.of(
          CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, "500",
          CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, "10000");

  private static final String FETCH_WAIT_MILLIS = "50";

  /**
   * The largest record of the producers that do not set their own size: an answer of the solver.
   */
  private static final int RECORD_BYTES = 1 << 20;

  /** The smallest buffer of the producer of releases, in bytes. */
  public static final int BUFFER_BYTES = 32 << 20;

  /** The least time in milliseconds in which a producer can find the leader of a partition. */
  private static final long LEAST_BLOCK_MILLIS = 1000;

  private static final String TRANSACTION_MILLIS = "60000";

  /** The number of connections that a client with a limit can try, one after the other. */
  private static final int CONNECTIONS = 4;

  /** The group and transactional id of clients that are closed unused. */
  private static final String UNUSED = "gauze-unused";

  private final String bootstrap;
  private final TreeMap<String, String> properties;

  /**
   * Creates an access.
   *
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
   * Returns a new copy of the client properties, with the address. The client resolves references
   * to secrets. A client reconnects to a broker that is away after half a second, then ever less
   * often, down to once in 10 s, unless the properties set it.
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

  /** Returns an admin client; the caller closes it. */
  public Admin admin() {
    return admin(Optional.empty());
  }

  /**
   * Returns an admin client whose calls fail after {@code patience}, if given; the config's own
   * limits win. If one of several brokers does not answer, it takes only a part of that time. The
   * caller closes the client.
   */
  public Admin admin(Optional<Duration> patience) {
    return Admin.create(adminProperties(patience));
  }

  Properties adminProperties(Optional<Duration> patience) {
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
    // Without a connection Kafka's client starts anew with the addresses a thousand times a second,
    // and logs it each time. Ours live for a request, or until the job restarts.
    all.putIfAbsent(AdminClientConfig.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
    return all;
  }

  /**
   * Returns a consumer of bytes that sees committed records only and stores no offsets; the caller
   * closes it.
   *
   * @throws java.io.UncheckedIOException if zstd's native library cannot be loaded, by which what
   *     Gauze sends is compressed
   */
  public KafkaConsumer<byte[], byte[]> consumer() {
    return consumer(Map.of());
  }

  /**
   * Returns a consumer as {@link #consumer()} does, with {@code defaults} for properties that are
   * not set.
   *
   * <p>The consumer shortens Kafka's default wait of half a second for new records. At the end of a
   * log the broker holds a fetch back for so long, and blocks the connection for all other
   * requests: fetches of other partitions, and the end of the session, for which {@code close}
   * waits. The lookup of partition ends would take this time for each partition.
   */
  public KafkaConsumer<byte[], byte[]> consumer(Map<String, String> defaults) {
    return consumer(forConsumer(defaults));
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Properties all) {
    NativeCodecs.require();
    return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * Returns a consumer as {@link #consumer(Map)} does that fails where the log has lost what comes
   * next, and does not go on after it.
   */
  public KafkaConsumer<byte[], byte[]> strictConsumer(Map<String, String> defaults) {
    Properties all = forConsumer(defaults);
    all.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    return consumer(all);
  }

  /**
   * Returns a consumer as {@link #consumer()} does that also sees the records of open and aborted
   * transactions.
   */
  public KafkaConsumer<byte[], byte[]> uncommittedConsumer() {
    Properties all = forConsumer(Map.of());
    all.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
    return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * Returns a consumer as {@link #consumer()} does that is a member of a group, in which it stays
   * for {@code session} after its process was killed. The properties' own settings of groups are
   * ignored.
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
    return consumer(all);
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
   * Returns a producer of bytes that waits for all in-sync replicas; {@code overrides} win. The
   * caller closes it.
   */
  public KafkaProducer<byte[], byte[]> producer(Map<String, String> overrides) {
    Properties all = forProducer(overrides);
    if (NativeCodecs.isNative(all.getProperty(ProducerConfig.COMPRESSION_TYPE_CONFIG, ""))) {
      NativeCodecs.require();
    }
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Properties forProducer(Map<String, String> overrides) {
    Properties all = properties();
    all.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    all.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    all.putAll(overrides);
    return all;
  }

  /**
   * The settings of a transactional producer: the id, by which it fences another producer, and a
   * timeout of one minute for a transaction, which holds a batch of releases. Brokers allow 15
   * minutes unless their {@code transaction.max.timeout.ms} says otherwise.
   */
  public static Map<String, String> transactional(String id) {
    return Map.of(
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        id,
        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
        TRANSACTION_MILLIS);
  }

  /**
   * Creates a consumer in a group and a transactional producer, and closes them, to check the
   * properties: Kafka demands most of these clients. Waits for no broker.
   *
   * @throws KafkaException if Kafka refuses the properties, or if no record could be sent with them
   */
  void tryClients() {
    new KafkaConsumer<>(
            forConsumer(Map.of(ConsumerConfig.GROUP_ID_CONFIG, UNUSED)),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())
        .close(CloseOptions.timeout(Duration.ZERO));
    new KafkaProducer<>(
            forProducer(transactional(UNUSED)),
            new ByteArraySerializer(),
            new ByteArraySerializer())
        .close(Duration.ZERO);
    checkLimits();
  }

  // Kafka itself reports these limits only when a record exceeds them.
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

  /**
   * The addresses of the brokers in a normal form, which does not depend on their order or case.
   */
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
