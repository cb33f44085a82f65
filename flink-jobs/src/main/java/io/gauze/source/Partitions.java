package io.gauze.source;

import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** What the broker says of a topic's partitions. */
public final class Partitions {
  private Partitions() {}

  /** Those that the topic has now, as far as {@code consumer} knows; none if there is no topic. */
  public static List<TopicPartition> of(Consumer<?, ?> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  /**
   * The offset at which the log of a partition begins now: those before it are gone for good. Cost:
   * a client and a question.
   *
   * @throws org.apache.kafka.common.KafkaException if the broker does not answer
   */
  public static long begin(KafkaAccess kafka, String topic, int partition) {
    TopicPartition place = new TopicPartition(topic, partition);
    try (Consumer<byte[], byte[]> consumer = kafka.consumer()) {
      return consumer.beginningOffsets(List.of(place)).get(place);
    }
  }
}
