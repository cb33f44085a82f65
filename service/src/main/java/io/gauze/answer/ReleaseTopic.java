package io.gauze.answer;

import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * A reader of the topic of releases from its beginning. It reports each release once, and each
 * further record of an equal body as a copy. It also reads partitions that are added later, about
 * ten seconds after. Keeps a hash of every body, but no body. Not thread-safe.
 */
public final class ReleaseTopic implements ReleaseFeed {
  private static final Duration POLL = Duration.ofMillis(200);

  /** How often the broker is asked for the topic's partitions, unless the properties set it. */
  private static final Map<String, String> DISCOVERY =
      Map.of(ConsumerConfig.METADATA_MAX_AGE_CONFIG, "10000");

  /** The longest id: four parts of at most 255 bytes and three slashes. */
  private static final int LONGEST_ID = 4 * 255 + 3;

  private final KafkaAccess kafka;
  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Set<TopicPartition> partitions = new HashSet<>();
  private final Map<ReleaseId, BodyHash> hashes = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>(); // of ids
  private Optional<ReleaseBodies> bodies = Optional.empty();

  /** Receives the contents of the topic, each partition in its order. */
  public interface Reader {
    /** Receives a release that the reader did not see before. */
    void release(Release release, Place place);

    /**
     * Receives a record that is equal to an earlier one. Its place can replace the earlier one,
     * since topics delete their oldest records first.
     */
    default void copy(Release release, Place place) {}

    /** Receives a record that is not a usable release. */
    void damaged(Damage damage);

    /** Receives the id of a release that is no longer there. Only files go away. */
    default void gone(ReleaseId id) {}

    /** Receives an earlier damage that is no longer there: its file was repaired, or has gone. */
    default void healed(Damage damage) {}
  }

  /**
   * The place of a release.
   *
   * @param id the id of the release, whose texts a topic's places share
   * @param bytes the size of the record's value
   * @param numbers the numbers of the release's payload, of eight bytes each once they are read
   * @param hash the hash of the record's value
   */
  public record Place(
      ReleaseId id, int partition, long offset, int bytes, int numbers, BodyHash hash) {}

  /**
   * A record that is no release, or one that is a second body of a release.
   *
   * @param key the record's key, if it may be the id of a release
   * @param reason the reason, without the record's content
   * @param contested the release of which the record is a second body
   */
  public record Damage(
      int partition,
      long offset,
      Optional<String> key,
      String reason,
      Optional<ReleaseId> contested) {
    /** Describes the place and the reason in a sentence. */
    @Override
    public String toString() {
      return "partition " + partition + ", offset " + offset + ": " + reason;
    }
  }

  /**
   * Opens the topic; the read methods read it.
   *
   * @throws TopicException.Missing if there is no such topic
   * @throws IOException if the broker does not answer
   */
  public ReleaseTopic(KafkaAccess kafka, String topic) throws IOException {
    this.kafka = kafka;
    this.topic = topic;
    try (TopicAdmin admin = new TopicAdmin(kafka, Optional.empty())) {
      admin.plain(topic);
    }
    this.consumer = kafka.consumer(DISCOVERY);
    try {
      discover();
    } catch (KafkaException e) {
      consumer.close();
      throw failed(e);
    }
  }

  @Override
  public void readToEnd(Reader reader) throws IOException {
    try {
      Partitions.readToEnd(consumer, partitions, topic, () -> poll(reader, POLL));
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  @Override
  public void readOn(Reader reader, Duration patience) throws IOException {
    try {
      poll(reader, patience);
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  @Override
  public void fetch(List<Place> places, Consumer<Release> taker) throws IOException {
    try {
      if (bodies.isEmpty()) {
        bodies = Optional.of(new ReleaseBodies(kafka, topic, ReleaseBodies.WINDOW_NUMBERS));
      }
      bodies.get().read(places, taker);
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  // Reads the partitions from the metadata that the client holds and refreshes while polling, which
  // costs microseconds and no request.
  private void discover() {
    List<TopicPartition> added =
        Partitions.of(consumer, topic).stream().filter(partitions::add).toList();
    if (!added.isEmpty()) {
      consumer.assign(partitions); // known partitions keep their positions
      consumer.seekToBeginning(added);
    }
  }

  private int poll(Reader reader, Duration patience) {
    discover();
    int records = 0;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(patience)) {
      read(record, reader);
      records++;
    }
    return records;
  }

  private void read(ConsumerRecord<byte[], byte[]> record, Reader reader) {
    if (record.value() == null) {
      reader.damaged(damage(record, "a record without a value"));
      return;
    }
    Release release;
    try {
      release = Release.fromBytes(record.value());
    } catch (IllegalArgumentException e) {
      reader.damaged(damage(record, e.getMessage()));
      return;
    } catch (RuntimeException e) { // no record may stop the reader of the topic
      reader.damaged(damage(record, "not a release (" + e.getClass().getSimpleName() + ")"));
      return;
    }
    ReleaseId id = shared(release.id());
    BodyHash hash = BodyHash.of(record.value());
    BodyHash before = hashes.putIfAbsent(id, hash);
    if (before == null) {
      reader.release(release, place(record, release, id, hash));
    } else if (before.equals(hash)) {
      reader.copy(release, place(record, release, id, before));
    } else {
      reader.damaged(contested(record, release.id()));
    }
  }

  private static Place place(
      ConsumerRecord<byte[], byte[]> record, Release release, ReleaseId id, BodyHash hash) {
    return new Place(
        id,
        record.partition(),
        record.offset(),
        record.value().length,
        release.payload().length(),
        hash);
  }

  private ReleaseId shared(ReleaseId id) {
    return new ReleaseId(
        shared(id.stream()), shared(id.group()), shared(id.epoch()), shared(id.sketch()));
  }

  private String shared(String text) {
    String before = texts.putIfAbsent(text, text);
    return before == null ? text : before;
  }

  private static Damage damage(ConsumerRecord<byte[], byte[]> record, String reason) {
    return new Damage(record.partition(), record.offset(), key(record), reason, Optional.empty());
  }

  private static Optional<String> key(ConsumerRecord<byte[], byte[]> record) {
    return Optional.ofNullable(record.key())
        .filter(key -> key.length <= LONGEST_ID)
        .map(key -> new String(key, StandardCharsets.UTF_8));
  }

  private static Damage contested(ConsumerRecord<byte[], byte[]> record, ReleaseId id) {
    return new Damage(
        record.partition(),
        record.offset(),
        key(record),
        "a second, different body of release "
            + id
            + ", which must never happen: two noises over one sum average out, two sums under one"
            + " noise give their difference away. Find out who wrote it, and count the budget of its"
            + " rows as spent twice",
        Optional.of(id));
  }

  private IOException failed(KafkaException e) {
    return new IOException("topic " + topic + " could not be read: " + e.getMessage(), e);
  }

  @Override
  public void close() {
    bodies.ifPresent(ReleaseBodies::close);
    consumer.close();
  }
}
