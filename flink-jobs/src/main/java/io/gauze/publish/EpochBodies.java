package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.ledger.CompletePosition;
import io.gauze.ledger.EpochRecord;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads records of complete epochs from the ledger again, to compare bodies with them: those of
 * releases that an older state holds, and at a start those of the topic of releases. It keeps the
 * records that were used last, up to a number of bytes, and what the last fetch returned beyond the
 * record that was looked for. So releases which come in the order of their epochs read each record
 * once, and small records with few fetches. Not thread-safe.
 */
final class EpochBodies implements AutoCloseable {
  /** The most bytes of records that are kept: those of four million releases in large epochs. */
  private static final int MOST_BYTES = 32 << 20;

  /** What a record takes beside its {@link EpochRecord#bytes}, in maps and headers of objects. */
  static final int OVERHEAD = 192;

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /**
   * Compressed records of 10,000 releases are a bit larger; one record always comes. It is there
   * already, so that no fetch needs to wait for more.
   */
  private static final Map<String, String> SMALL_FETCH =
      Map.of(
          ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
          Integer.toString(64 << 10),
          ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
          "2000",
          ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
          "0");

  private final Supplier<Consumer<byte[], byte[]>> open;
  private final String topic;
  private final int mostBytes;
  private final Map<Place, EpochRecord> kept = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Place, ConsumerRecord<byte[], byte[]>> fetched = new HashMap<>();
  private Optional<Consumer<byte[], byte[]>> consumer = Optional.empty();
  private long bytes;

  private record Place(int partition, long offset) {}

  EpochBodies(KafkaAccess kafka, String topic) {
    this(() -> kafka.strictConsumer(SMALL_FETCH), topic, MOST_BYTES);
  }

  /**
   * Creates a reader.
   *
   * @param open opens the consumer, when the first record is read
   * @param mostBytes the most bytes of records that are kept
   */
  EpochBodies(Supplier<Consumer<byte[], byte[]>> open, String topic, int mostBytes) {
    this.open = open;
    this.topic = topic;
    this.mostBytes = mostBytes;
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
    if (!fetched.containsKey(place)) {
      fetch(place);
    }
    ConsumerRecord<byte[], byte[]> found = fetched.get(place);
    if (found == null) {
      return Optional.empty();
    }
    EpochRecord record =
        epoch.record(new String(found.key(), UTF_8), new String(found.value(), UTF_8));
    keep(place, record);
    return Optional.of(record);
  }

  private void keep(Place place, EpochRecord record) {
    kept.put(place, record);
    bytes += bytes(record);
    Iterator<EpochRecord> oldest = kept.values().iterator();
    while (bytes > mostBytes && kept.size() > 1) {
      bytes -= bytes(oldest.next());
      oldest.remove();
    }
  }

  private static int bytes(EpochRecord record) {
    return OVERHEAD + record.bytes();
  }

  /** Reads a record and some of those behind it; none if the log has nothing there any more. */
  private void fetch(Place place) throws IOException {
    fetched.clear();
    if (consumer.isEmpty()) {
      consumer = Optional.of(open.get());
    }
    TopicPartition partition = new TopicPartition(topic, place.partition());
    consumer.get().assign(List.of(partition));
    consumer.get().seek(partition, place.offset());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (fetched.isEmpty() && consumer.get().position(partition) <= place.offset()) {
        if (System.nanoTime() - deadline > 0) {
          throw new IOException(
              "the ledger topic " + topic + " gave nothing for " + PATIENCE + "; check the broker");
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.get().poll(POLL)) {
          if (record.key() != null && record.value() != null) {
            fetched.put(new Place(record.partition(), record.offset()), record);
          }
        }
      }
    } catch (OffsetOutOfRangeException e) { // the log begins behind the record, or ends before it
      fetched.clear();
    }
  }

  @Override
  public void close() {
    consumer.ifPresent(Consumer::close);
  }
}
