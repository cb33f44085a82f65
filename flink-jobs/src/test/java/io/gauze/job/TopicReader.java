package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.testing.SharedCluster;
import io.gauze.topic.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the records of topics up to their ends. */
public final class TopicReader {
  private TopicReader() {}

  /** Every record of a topic up to its end now, uncommitted ones too. */
  public static List<ConsumerRecord<byte[], byte[]>> all(String topic) {
    return all(SharedCluster.broker().bootstrapServers(), topic, "read_uncommitted");
  }

  public static List<ConsumerRecord<byte[], byte[]>> all(
      String bootstrap, String topic, String isolation) {
    try (KafkaConsumer<byte[], byte[]> consumer = reader(bootstrap, isolation)) {
      return read(consumer, consumer.endOffsets(partitions(consumer, topic)));
    }
  }

  /**
   * The key of each committed record up to the topic's end now, which waits for transactions that
   * are open: a record that is there twice has its key there twice.
   */
  public static List<String> committedKeys(String bootstrap, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = reader(bootstrap, "read_committed")) {
      return read(consumer, ends(bootstrap, topic)).stream()
          .map(record -> new String(record.key(), UTF_8))
          .toList();
    }
  }

  /** Where the log of each partition ends, with all that is not committed. */
  public static Map<TopicPartition, Long> ends(String bootstrap, String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer = reader(bootstrap, "read_uncommitted")) {
      return consumer.endOffsets(partitions(consumer, topic));
    }
  }

  private static KafkaConsumer<byte[], byte[]> reader(String bootstrap, String isolation) {
    Properties properties = new KafkaAccess(bootstrap, Map.of()).properties();
    properties.setProperty("isolation.level", isolation);
    properties.setProperty("auto.offset.reset", "earliest");
    properties.setProperty("fetch.max.wait.ms", "20"); // closing waits for the last fetch
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(
      KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    consumer.assign(ends.keySet());
    consumer.seekToBeginning(ends.keySet());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      consumer.poll(Duration.ofMillis(100)).forEach(records::add);
    }
    return records;
  }

  static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }
}
