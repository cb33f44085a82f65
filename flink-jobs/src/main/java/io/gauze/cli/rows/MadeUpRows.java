package io.gauze.cli.rows;

import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Tells records that {@code send --synthetic} wrote, which have a header, from all others. */
public final class MadeUpRows {
  /** The headers of a record with a made-up row. */
  public static final List<Header> HEADERS =
      List.of(new RecordHeader("gauze-made-up", new byte[0]));

  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private boolean others;

  private MadeUpRows(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    this.consumer = consumer;
    this.partitions = Partitions.of(consumer, topic);
  }

  /**
   * Returns whether a topic holds a record that is no made-up row. Cost: reads up to the first such
   * record; all records if there is none.
   *
   * @throws IOException if the broker does not answer, or if the user may not read the topic
   */
  public static boolean hasOthers(KafkaAccess kafka, String topic) throws IOException {
    try (KafkaConsumer<byte[], byte[]> consumer = kafka.consumer()) {
      return new MadeUpRows(consumer, topic).find(topic);
    } catch (AuthorizationException e) {
      throw new IOException(
          "whether topic "
              + topic
              + " holds other rows than made-up ones is not known, since the user of"
              + " kafka.properties may not read it: give the right to read it, or send all the same"
              + " with --force",
          e);
    } catch (KafkaException e) {
      throw new IOException("topic " + topic + " could not be read: " + e.getMessage(), e);
    }
  }

  private boolean find(String topic) throws IOException {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Partitions.readToEnd(consumer, partitions, topic, this::poll);
    return others;
  }

  private int poll() {
    ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
    for (ConsumerRecord<byte[], byte[]> record : records) {
      others |= record.headers().lastHeader(HEADERS.get(0).key()) == null;
    }
    if (others) {
      consumer.seekToEnd(partitions); // one is enough
    }
    return records.count();
  }
}
