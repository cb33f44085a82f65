package io.gauze.topic;

import io.gauze.message.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Finds or creates the topics of a stream, and checks the settings that its guarantee or its
 * releases need.
 */
public final class TopicAdmin implements AutoCloseable {
  /** How missing topics are created. */
  public record Creation(int partitions, short replicas) {}

  /**
   * The result of a check of topics.
   *
   * @param missing topics that would be created
   * @param warnings the warnings for the owner
   */
  public record Checked(List<String> missing, List<Message> warnings) {}

  /** A check of one topic. */
  @FunctionalInterface
  public interface Demand {
    /**
     * Checks the topic.
     *
     * @throws TopicException if the topic is missing or its settings are not suitable
     * @throws IOException if the broker does not answer
     */
    void check() throws IOException;
  }

  private static final Duration MOST_AHEAD = Duration.ofDays(1);

  /** The default of {@code max.message.bytes}. */
  private static final int USUAL_BYTES = (1 << 20) + 12;

  /** The default of {@code socket.request.max.bytes}. */
  private static final int USUAL_REQUEST_BYTES = 100 << 20;

  private static final String REQUEST_BYTES = "socket.request.max.bytes";

  /** The most bytes of a record besides its value: key, headers and overhead. */
  private static final int BESIDE = 16 << 10;

  /**
   * The most bytes of a record of the ledger. An entry of an epoch has at most 107 kB of hashes and
   * four charges, each of at most 64 KiB with the text of its guarantee. The names of an epoch's
   * groups are at most 128 KiB before they are quoted.
   */
  private static final int LEDGER_BYTES = 512 << 10;

  private final TopicClient client;
  private final Optional<Creation> creation;
  private final boolean readOnly;
  private final List<String> wouldCreate = new ArrayList<>();

  /**
   * Creates a client of the broker of {@code kafka}; without {@code creation} a missing topic is an
   * error.
   *
   * @throws TopicException if Kafka refuses the client's properties
   * @throws IOException if no client can be created, for instance because no host has that name
   */
  public TopicAdmin(KafkaAccess kafka, Optional<Creation> creation) throws IOException {
    this(TopicClient.open(kafka, Optional.empty()), creation, false);
  }

  private TopicAdmin(TopicClient client, Optional<Creation> creation, boolean readOnly) {
    this.client = client;
    this.creation = creation;
    this.readOnly = readOnly;
  }

  /**
   * Returns an instance that creates no topic, and only checks whether the missing ones could be
   * created: see {@link #wouldCreate}.
   *
   * @param patience how long the broker may take for an answer; empty for Kafka's own limits
   * @throws TopicException if Kafka refuses the client's properties
   * @throws IOException if no client can be created
   */
  public static TopicAdmin readOnly(
      KafkaAccess kafka, Optional<Creation> creation, Optional<Duration> patience)
      throws IOException {
    return new TopicAdmin(TopicClient.open(kafka, patience), creation, true);
  }

  /**
   * Returns when a broker has answered.
   *
   * @param patience how long it may take, unless the properties set a limit
   * @throws TopicException if Kafka refuses the client's properties
   * @throws IOException if no broker answers, or if it refuses the login
   */
  public static void reach(KafkaAccess kafka, Duration patience) throws IOException {
    try (TopicClient client = TopicClient.open(kafka, Optional.of(patience))) {
      client.reach();
    }
  }

  /** The topics that a read-only instance found missing and could create. */
  public List<String> wouldCreate() {
    return List.copyOf(wouldCreate);
  }

  /**
   * Runs all of {@code demands}, so that one exception reports everything that is wrong.
   *
   * @throws TopicException if a topic is missing or its settings are not suitable: a line for each
   * @throws IOException if the broker does not answer
   */
  public static void all(List<Demand> demands) throws IOException {
    Map<List<TopicException.Fault>, TopicException> faults = new LinkedHashMap<>();
    for (Demand demand : demands) {
      try {
        demand.check();
      } catch (TopicException e) {
        faults.putIfAbsent(e.faults(), e);
      }
    }
    if (faults.size() == 1) {
      throw faults.values().iterator().next();
    }
    if (!faults.isEmpty()) {
      throw new TopicException(faults.keySet().stream().flatMap(List::stream).distinct().toList());
    }
  }

  /**
   * Checks the topic of rows: the broker's append time must decide which epoch a row is in.
   *
   * @param appendTime whether the stream has epochs by append time, so that the log must set it
   * @param table whether the topic holds changes of a table, for which the last change of a key is
   *     enough
   */
  public void rows(String topic, boolean appendTime, boolean table) throws IOException {
    if (!ensure(
        topic,
        Optional.empty(),
        Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime"))) {
      return;
    }
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
   * Returns how a topic is compacted.
   *
   * @throws IOException if the broker does not answer
   */
  public LogCompaction compaction(String topic) throws IOException {
    String policy = client.value(topic, TopicConfig.CLEANUP_POLICY_CONFIG);
    return new LogCompaction(
        policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT),
        Long.parseLong(client.value(topic, TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG)));
  }

  /**
   * Checks the topic of rows whose producers set the time. Each epoch that they name takes memory
   * until it is over, so the broker must refuse times far ahead.
   *
   * @param span the span of the epochs that may be open at once; times may be ahead by this, and by
   *     at most a day
   */
  public void producerTime(String topic, Duration span) throws IOException {
    if (wouldCreate.contains(topic)) {
      return; // a new topic uses the broker's time
    }
    long found =
        Long.parseLong(client.value(topic, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG));
    boolean shorter = span.compareTo(MOST_AHEAD) < 0;
    long most = (shorter ? span : MOST_AHEAD).toMillis();
    if (found > most) {
      throw new TopicException(
          topic,
          "topic "
              + topic
              + ": "
              + TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG
              + " must be at most "
              + most
              + " with producers' timestamps"
              + (shorter ? " and epochs as short as these" : "")
              + ", since each epoch ahead takes memory. Provided value: "
              + found
              + ". Lower it, "
              + (shorter ? "raise epochs.length, " : "")
              + "or name another topic.");
    }
  }

  /**
   * Checks the topic of releases, whose records may have {@code largest} bytes. A new topic takes
   * at least the default size, too, for other sketches later.
   *
   * @return warnings if the broker will delete releases, which cannot be made again
   */
  public List<Message> releases(String topic, int largest) throws IOException {
    boolean there =
        ensure(
            topic,
            Optional.of(1),
            lasting(
                Map.of(
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(Math.max(largest, USUAL_BYTES)),
                    TopicConfig.RETENTION_MS_CONFIG, "-1",
                    TopicConfig.RETENTION_BYTES_CONFIG, "-1")));
    checkBrokers(topic, largest);
    if (!there) {
      return List.of();
    }
    takes(topic, largest, "the size of the largest release", ", or make the sketch smaller");
    acknowledges(topic);
    return forgets(topic);
  }

  private List<Message> forgets(String topic) throws IOException {
    String policy = client.value(topic, TopicConfig.CLEANUP_POLICY_CONFIG);
    if (!policy.contains(TopicConfig.CLEANUP_POLICY_DELETE)) {
      return List.of(); // each release has its own key, so compaction keeps it
    }
    List<Message> warnings = new ArrayList<>();
    for (String key :
        List.of(TopicConfig.RETENTION_MS_CONFIG, TopicConfig.RETENTION_BYTES_CONFIG)) {
      String kept = client.value(topic, key);
      if (!kept.equals("-1")) {
        warnings.add(TopicMessage.FORGETS.of(topic, key, kept));
      }
    }
    return warnings;
  }

  /**
   * Checks the request size of the brokers, which close the connection on larger requests, whatever
   * their topics take.
   */
  private void checkBrokers(String topic, int largest) throws IOException {
    if (largest <= USUAL_REQUEST_BYTES) {
      return; // the check needs a right that a small stream should not need
    }
    for (Map.Entry<String, String> broker : client.ofBrokers(REQUEST_BYTES).entrySet()) {
      if (Integer.parseInt(broker.getValue()) < largest) {
        throw new TopicException(
            topic,
            "topic "
                + topic
                + ": "
                + REQUEST_BYTES
                + " of broker "
                + broker.getKey()
                + " must be at least "
                + largest
                + ", the size of the largest release. Provided value: "
                + broker.getValue()
                + ". Raise it, or make the sketch smaller.");
      }
    }
  }

  /** Checks the topic of the ledger, which must be compacted. */
  public void ledger(String topic) throws IOException {
    if (!ensure(
        topic, Optional.of(1), lasting(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, "compact")))) {
      return;
    }
    require(
        topic,
        TopicConfig.CLEANUP_POLICY_CONFIG,
        "compact",
        "the ledger must never forget a release");
    takes(topic, LEDGER_BYTES, "for entries of the ledger", "");
    acknowledges(topic);
  }

  /**
   * Checks whether topics keep their acknowledged records when a broker is lost; those of the
   * ledger and of releases should. The topics must have been checked before, or be ones that would
   * be created.
   *
   * @return a message for each topic that does not; none if there is only one broker
   */
  public List<Message> durability(List<String> topics) throws IOException {
    List<Durability> found = new ArrayList<>();
    for (String topic : topics) {
      found.add(
          wouldCreate.contains(topic)
              ? Durability.ofNew(topic, creation.orElseThrow())
              : Durability.of(topic, client));
    }
    return Durability.warnings(found, client.brokers());
  }

  private Map<String, String> lasting(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    creation.ifPresent(how -> all.putAll(Durability.settings(how)));
    return all;
  }

  /**
   * Checks a topic of dead letters or late rows, whose keys identify nothing, and whose keys and
   * values may have {@code largest} bytes each.
   */
  public void letters(String topic, int largest) throws IOException {
    if (!ensure(topic, Optional.empty(), Map.of())) {
      return;
    }
    require(
        topic,
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_DELETE,
        "its records may have equal keys, or none");
    takes(topic, 2 * largest + BESIDE, "for the beginning of a long row and its key", "");
    acknowledges(topic);
  }

  /** Checks the topic of answers, whose values may have {@code largest} bytes. */
  public void answers(String topic, int largest) throws IOException {
    if (ensure(topic, Optional.empty(), Map.of())) {
      takes(topic, largest + BESIDE, "the size of the largest answer", "");
      acknowledges(topic);
    }
  }

  /** Checks that any other topic exists. */
  public void plain(String topic) throws IOException {
    ensure(topic, Optional.empty(), Map.of());
  }

  /**
   * Returns the ids that tell topics from others of the same names, in one text; empty if the
   * broker is too old to have them.
   */
  public String ids(List<String> topics) throws IOException {
    List<String> ids = new ArrayList<>();
    for (String topic : topics) {
      ids.add(client.id(topic));
    }
    return ids.contains("") ? "" : String.join(", ", ids);
  }

  /**
   * Creates the topic if it is missing; returns whether it exists, which it may not if read-only.
   */
  private boolean ensure(String topic, Optional<Integer> partitions, Map<String, String> settings)
      throws IOException {
    if (client.exists(topic)) {
      return true;
    }
    if (creation.isEmpty()) {
      throw new TopicException.Missing(
          topic,
          "topic "
              + topic
              + " does not exist on "
              + client.cluster()
              + ", or its user may not describe it; create it, let kafka.create {partitions, replicas} do so,"
              + " or grant DESCRIBE");
    }
    Creation how = creation.get();
    int count = partitions.orElse(how.partitions());
    if (!readOnly) {
      client.create(topic, count, how, settings);
      return true;
    }
    TopicClient.Tried tried = client.tryToCreate(topic, count, how, settings);
    if (tried.exists()) {
      return true;
    }
    wouldCreate.add(topic);
    if (tried.needed().isPresent()) {
      acknowledges(topic, tried.needed().get(), how.replicas());
    }
    return false;
  }

  private void require(String topic, String key, String wanted, String why) throws IOException {
    String found = client.value(topic, key);
    if (!found.equals(wanted)) {
      throw new TopicException(
          topic,
          "topic "
              + topic
              + ": "
              + key
              + " must be "
              + wanted
              + ", since "
              + why
              + ". Provided value: "
              + found
              + ". Set it before records are in the topic, or name another topic.");
    }
  }

  private void takes(String topic, int bytes, String what, String orElse) throws IOException {
    int takes = Integer.parseInt(client.value(topic, TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
    if (takes < bytes) {
      throw new TopicException(
          topic,
          "topic "
              + topic
              + ": "
              + TopicConfig.MAX_MESSAGE_BYTES_CONFIG
              + " must be at least "
              + bytes
              + ", "
              + what
              + ". Provided value: "
              + takes
              + ". Raise it"
              + orElse
              + ".");
    }
  }

  private void acknowledges(String topic) throws IOException {
    String needed = client.value(topic, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
    acknowledges(topic, Integer.parseInt(needed), client.replicas(topic));
  }

  private static void acknowledges(String topic, int needed, int replicas) throws TopicException {
    if (needed > replicas) {
      throw new TopicException(
          topic,
          "topic "
              + topic
              + ": "
              + TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG
              + " must be at most "
              + replicas
              + ", the number of its replicas, since no record would ever be acknowledged."
              + " Provided value: "
              + needed
              + ". Lower it, or give the topic more replicas.");
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
