package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the topic of releases from its beginning to its present end. Keeps no record, so it takes
 * the memory of one fetch however large the topic is.
 */
final class ReleaseLog {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaAccess kafka;
  private final String topic;

  /** Takes the bodies of all streams, as they come; a body may come more than once. */
  @FunctionalInterface
  interface Reader {
    void release(ReleaseId id, byte[] body);
  }

  ReleaseLog(KafkaAccess kafka, String topic) {
    this.kafka = kafka;
    this.topic = topic;
  }

  /**
   * Reads the committed releases.
   *
   * @throws IOException if the topic cannot be read
   */
  void committed(Reader reader) throws IOException {
    try (Consumer<byte[], byte[]> consumer = kafka.consumer()) {
      read(consumer, reader);
    } catch (KafkaException e) {
      throw unread(e);
    }
  }

  /**
   * Reads all releases that anybody may have seen, also those of open and aborted transactions.
   *
   * @throws IOException if the topic cannot be read
   */
  void all(Reader reader) throws IOException {
    try (Consumer<byte[], byte[]> consumer = kafka.uncommittedConsumer()) {
      read(consumer, reader);
    } catch (KafkaException e) {
      throw unread(e);
    }
  }

  /**
   * Returns a partition whose first records were deleted, with the offset of the first that is
   * left; empty if the topic is whole.
   *
   * @throws IOException if the broker does not answer
   */
  Optional<Map.Entry<TopicPartition, Long>> cut() throws IOException {
    try (Consumer<byte[], byte[]> consumer = kafka.consumer()) {
      return consumer.beginningOffsets(Partitions.of(consumer, topic)).entrySet().stream()
          .filter(begin -> begin.getValue() > 0)
          .findFirst();
    } catch (KafkaException e) {
      throw unread(e);
    }
  }

  private IOException unread(KafkaException e) {
    return new IOException(
        "topic "
            + topic
            + " could not be read to compare it with the ledger: "
            + e.getMessage()
            + ". Give the user of kafka.properties the right to read it, or check the broker",
        e);
  }

  private void read(Consumer<byte[], byte[]> consumer, Reader reader) throws IOException {
    List<TopicPartition> partitions = Partitions.of(consumer, topic);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Partitions.readToEnd(consumer, partitions, topic, () -> poll(consumer, reader));
  }

  private static int poll(Consumer<byte[], byte[]> consumer, Reader reader) {
    int records = 0;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      if (record.value() != null) {
        id(record).ifPresent(id -> reader.release(id, record.value()));
      }
      records++;
    }
    return records;
  }

  /** Returns whether a body is this release, and no other program's record under its key. */
  static boolean isRelease(ReleaseId id, byte[] body) {
    try {
      return Release.fromBytes(body).id().equals(id);
    } catch (RuntimeException e) { // no record may stop the reader of the topic
      return false;
    }
  }

  /** Returns the id of a release; empty for a record of another program, which spends nothing. */
  private static Optional<ReleaseId> id(ConsumerRecord<byte[], byte[]> record) {
    try {
      return Optional.of(
          record.key() == null
              ? Release.fromBytes(record.value()).id()
              : ReleaseId.parse(new String(record.key(), UTF_8)));
    } catch (RuntimeException e) { // no record may stop the reader of the topic
      return Optional.empty();
    }
  }
}
