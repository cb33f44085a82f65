package io.gauze.solver;

import io.gauze.release.Release;
import io.gauze.source.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads single releases of a topic by their places. Not thread-safe. */
final class ReleaseBodies implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String topic;
  private final Consumer<byte[], byte[]> consumer;

  ReleaseBodies(KafkaAccess kafka, String topic) {
    this.topic = topic;
    this.consumer = kafka.consumer();
  }

  /**
   * The releases that are still there, in the order of {@code places}. A millisecond or two for
   * one; neighbours cost little more.
   *
   * @throws IOException if the broker does not answer
   */
  List<Release> read(List<ReleaseTopic.Place> places) throws IOException {
    List<ReleaseTopic.Place> sorted = new ArrayList<>(places);
    sorted.sort(
        Comparator.comparingInt(ReleaseTopic.Place::partition)
            .thenComparingLong(ReleaseTopic.Place::offset));
    Map<ReleaseTopic.Place, Release> found = new HashMap<>();
    int next = 0;
    while (next < sorted.size()) {
      next = readFrom(sorted, next, found);
    }
    return places.stream().filter(found::containsKey).map(found::get).toList();
  }

  /** Seeks place {@code first} and takes what comes with it; the index of the next one to seek. */
  private int readFrom(
      List<ReleaseTopic.Place> sorted, int first, Map<ReleaseTopic.Place, Release> found)
      throws IOException {
    TopicPartition partition = new TopicPartition(topic, sorted.get(first).partition());
    consumer.assign(List.of(partition));
    consumer.seek(partition, sorted.get(first).offset());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    int next = first;
    // A place that the log has moved past is no longer there: its record was deleted.
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

  /** The index of the first place from {@code next} on that is not before this offset. */
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
