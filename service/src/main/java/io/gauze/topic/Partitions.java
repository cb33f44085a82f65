package io.gauze.topic;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Finds and reads the partitions of a topic. */
public final class Partitions {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Partitions() {}

  /**
   * Returns the partitions of the topic now, as far as {@code consumer} knows; none if there is no
   * topic.
   */
  public static List<TopicPartition> of(Consumer<?, ?> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  /**
   * Returns the offset at which the log of a partition begins now; earlier records are deleted.
   * Cost: one client and one request.
   *
   * @throws org.apache.kafka.common.KafkaException if the broker does not answer
   */
  public static long begin(KafkaAccess kafka, String topic, int partition) {
    TopicPartition place = new TopicPartition(topic, partition);
    try (Consumer<byte[], byte[]> consumer = kafka.consumer()) {
      return consumer.beginningOffsets(List.of(place)).get(place);
    }
  }

  /**
   * Moves a consumer to the first record since a time in each partition; to the end where there is
   * none.
   *
   * @param millis since the epoch of Unix, at least 0
   */
  public static void seek(
      Consumer<?, ?> consumer, Collection<TopicPartition> partitions, long millis) {
    Map<TopicPartition, Long> times = new HashMap<>();
    partitions.forEach(partition -> times.put(partition, millis));
    consumer.seekToEnd(partitions);
    consumer
        .offsetsForTimes(times)
        .forEach(
            (partition, from) -> {
              if (from != null) { // null: there is nothing since then
                consumer.seek(partition, from.offset());
              }
            });
  }

  /**
   * Reads all records that the partitions hold at the time of the call and {@code consumer} may
   * see.
   *
   * @param poll reads some more records and returns how many
   * @throws IOException if no record comes for a minute before the end
   * @throws org.apache.kafka.common.KafkaException if the broker does not answer
   */
  public static void readToEnd(
      Consumer<?, ?> consumer,
      Collection<TopicPartition> partitions,
      String topic,
      IntSupplier poll)
      throws IOException {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      if (poll.getAsInt() > 0) {
        deadline = System.nanoTime() + PATIENCE.toNanos();
      } else if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "topic " + topic + " gave nothing for " + PATIENCE + "; check the broker");
      }
    }
  }
}
