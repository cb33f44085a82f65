package io.gauze.answer;

import io.gauze.release.Release;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads single releases of a topic by their places. Not thread-safe. */
public final class ReleaseBodies implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The most numbers of the releases that are read at once: 8 MiB. */
  static final long WINDOW_NUMBERS = 1L << 20;

  /**
   * At the end of the log the broker would hold the next fetch back, and the seek of the next place
   * would wait for it. All places are there already.
   */
  private static final Map<String, String> AT_ONCE =
      Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "0");

  private final String topic;
  private final long windowNumbers;
  private final KafkaConsumer<byte[], byte[]> consumer;

  public ReleaseBodies(KafkaAccess kafka, String topic, long windowNumbers) {
    this.topic = topic;
    this.windowNumbers = windowNumbers;
    this.consumer = kafka.consumer(AT_ONCE);
  }

  /**
   * Passes the releases that the topic still holds to {@code taker}, in the order of {@code
   * places}. Cost: one or two milliseconds for a release; adjacent ones cost little more. Holds the
   * releases of one window: {@link #WINDOW_NUMBERS} numbers, or a single larger release.
   *
   * @throws IOException if the broker does not answer
   */
  public void read(List<ReleaseTopic.Place> places, Consumer<Release> taker) throws IOException {
    int next = 0;
    while (next < places.size()) {
      int end = windowEnd(places, next);
      List<ReleaseTopic.Place> window = places.subList(next, end);
      Map<ReleaseTopic.Place, Release> found = found(window);
      for (ReleaseTopic.Place place : window) {
        Optional.ofNullable(found.remove(place)).ifPresent(taker);
      }
      next = end;
    }
  }

  /** Returns the index after the last place of the window that begins here. */
  private int windowEnd(List<ReleaseTopic.Place> places, int first) {
    long numbers = places.get(first).numbers();
    int end = first + 1;
    while (end < places.size() && numbers + places.get(end).numbers() <= windowNumbers) {
      numbers += places.get(end).numbers();
      end++;
    }
    return end;
  }

  /** Reads places in the order of the topic, whatever the order of the argument. */
  private Map<ReleaseTopic.Place, Release> found(List<ReleaseTopic.Place> places)
      throws IOException {
    List<ReleaseTopic.Place> sorted = new ArrayList<>(places);
    sorted.sort(
        Comparator.comparingInt(ReleaseTopic.Place::partition)
            .thenComparingLong(ReleaseTopic.Place::offset));
    Map<ReleaseTopic.Place, Release> found = new HashMap<>();
    int next = 0;
    while (next < sorted.size()) {
      next = readFrom(sorted, next, found);
    }
    return found;
  }

  /**
   * Seeks place {@code first} and reads what one fetch returns; returns the index of the next place
   * to seek.
   */
  private int readFrom(
      List<ReleaseTopic.Place> sorted, int first, Map<ReleaseTopic.Place, Release> found)
      throws IOException {
    TopicPartition partition = new TopicPartition(topic, sorted.get(first).partition());
    consumer.assign(List.of(partition));
    consumer.seek(partition, sorted.get(first).offset());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    int next = first;
    // A place that the consumer's position has passed was deleted from the topic.
    while (next == first && System.nanoTime() - deadline < 0) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        next = passed(sorted, next, record.partition(), record.offset());
        if (next < sorted.size() && isAt(sorted.get(next), record)) {
          found.put(sorted.get(next), Release.fromBytes(record.value()));
          next++;
        }
      }
      next = passed(sorted, next, partition.partition(), consumer.position(partition));
    }
    if (next == first) {
      throw new IOException(
          "topic " + topic + " gave nothing for " + PATIENCE + "; check the broker");
    }
    return next;
  }

  private static boolean isAt(ReleaseTopic.Place place, ConsumerRecord<byte[], byte[]> record) {
    return place.partition() == record.partition() && place.offset() == record.offset();
  }

  /** Returns the index of the first place from {@code next} on that is not before this offset. */
  private static int passed(List<ReleaseTopic.Place> sorted, int next, int partition, long offset) {
    int index = next;
    while (index < sorted.size()
        && sorted.get(index).partition() == partition
        && sorted.get(index).offset() < offset) {
      index++;
    }
    return index;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
