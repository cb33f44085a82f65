package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.ledger.CompletePosition;
import io.gauze.ledger.EpochRecord;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads records of complete epochs from the ledger again, to compare bodies with them. A job needs
 * this only for releases that an older state holds. It keeps the records that were used last, up to
 * a number of bytes, so that releases which come in the order of their epochs read each record
 * once. Not thread-safe.
 */
final class EpochBodies implements AutoCloseable {
  /** The most bytes of records that are kept: those of four million releases. */
  static final int MOST_BYTES = 32 << 20;

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /**
   * Compressed records of 10,000 releases are a bit larger; one record always comes. It is there
   * already, so that no fetch needs to wait for more.
   */
  private static final Map<String, String> ONE_RECORD =
      Map.of(
          ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
          Integer.toString(64 << 10),
          ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
          "0");

  private final KafkaAccess kafka;
  private final String topic;
  private final Map<Place, EpochRecord> kept = new LinkedHashMap<>(16, 0.75f, true);
  private Optional<Consumer<byte[], byte[]>> consumer = Optional.empty();
  private long bytes;

  private record Place(int partition, long offset) {}

  EpochBodies(KafkaAccess kafka, String topic) {
    this.kafka = kafka;
    this.topic = topic;
  }

  /**
   * Returns the record of a complete epoch; empty if it is not at this place any more.
   *
   * @throws IllegalArgumentException if another record is there
   * @throws IOException if the topic cannot be read
   */
  Optional<EpochRecord> at(CompletePosition epoch) throws IOException {
    Place place = new Place(epoch.partition(), epoch.offset());
    EpochRecord known = kept.get(place);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<ConsumerRecord<byte[], byte[]>> found = read(place);
    if (found.isEmpty() || found.get().key() == null || found.get().value() == null) {
      return Optional.empty();
    }
    String key = new String(found.get().key(), UTF_8);
    EpochRecord record = epoch.record(key, new String(found.get().value(), UTF_8));
    keep(place, record);
    return Optional.of(record);
  }

  private void keep(Place place, EpochRecord record) {
    kept.put(place, record);
    bytes += record.bytes();
    Iterator<EpochRecord> oldest = kept.values().iterator();
    while (bytes > MOST_BYTES && kept.size() > 1) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }

  private Optional<ConsumerRecord<byte[], byte[]>> read(Place place) throws IOException {
    if (consumer.isEmpty()) {
      consumer = Optional.of(kafka.strictConsumer(ONE_RECORD));
    }
    TopicPartition partition = new TopicPartition(topic, place.partition());
    consumer.get().assign(List.of(partition));
    consumer.get().seek(partition, place.offset());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (consumer.get().position(partition) <= place.offset()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.get().poll(POLL)) {
          return Optional.of(record).filter(first -> first.offset() == place.offset());
        }
        if (System.nanoTime() - deadline > 0) {
          throw new IOException(
              "the ledger topic " + topic + " gave nothing for " + PATIENCE + "; check the broker");
        }
      }
    } catch (OffsetOutOfRangeException e) { // the log begins behind the record, or ends before it
      return Optional.empty();
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    consumer.ifPresent(Consumer::close);
  }
}
