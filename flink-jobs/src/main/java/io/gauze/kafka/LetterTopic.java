package io.gauze.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * A reader of the letters that {@link DeadLetterSchema} writes: it reads a topic of dead letters or
 * late rows from its beginning. Keeps nothing. Not thread-safe.
 */
public final class LetterTopic implements Closeable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;

  /** A record of the topic. */
  public static final class Letter {
    private static final String NO_REASON = "no reason in the record's headers: not a job's letter";

    /** The parts of a reason that differ from record to record: places and lengths. */
    private static final Pattern PLACE = Pattern.compile("\\b(at byte|at character|namely) \\d+");

    private final ConsumerRecord<byte[], byte[]> record;

    /** Public for tests, too. */
    public Letter(ConsumerRecord<byte[], byte[]> record) {
      this.record = record;
    }

    /** The reason why the row is in no sketch. */
    public String reason() {
      return header("reason").orElse(NO_REASON);
    }

    /**
     * The reason without places and lengths, so that the letters of one fault can be counted
     * together.
     */
    public String kind() {
      return PLACE.matcher(reason()).replaceAll("$1 N");
    }

    /** The time at which the letter was written. */
    public Instant time() {
      return Instant.ofEpochMilli(record.timestamp());
    }

    /** The row's partition in the topic of rows; -1 if the headers do not say. */
    public long partition() {
      return number("partition");
    }

    /** The row's offset in that partition; -1 if the headers do not say. */
    public long offset() {
      return number("offset");
    }

    /**
     * The length of the whole row, which the letter may hold only in part; -1 if the row has no
     * value.
     */
    public long length() {
      return number("length");
    }

    /** The row's key. */
    public Optional<byte[]> key() {
      return Optional.ofNullable(record.key());
    }

    /** The row's value, or its beginning. */
    public Optional<byte[]> value() {
      return Optional.ofNullable(record.value());
    }

    private long number(String name) {
      try {
        return header(name).map(Long::parseLong).orElse(-1L);
      } catch (NumberFormatException e) {
        return -1; // not a letter of this program
      }
    }

    private Optional<String> header(String name) {
      return Optional.ofNullable(record.headers().lastHeader(name))
          .map(Header::value)
          .map(value -> new String(value, UTF_8));
    }
  }

  /**
   * Opens the topic.
   *
   * @throws TopicException.Missing if there is no such topic
   * @throws IOException if the broker does not answer
   */
  public LetterTopic(KafkaAccess kafka, String topic) throws IOException {
    this.topic = topic;
    try (TopicAdmin admin = new TopicAdmin(kafka, Optional.empty())) {
      admin.plain(topic);
    }
    this.consumer = kafka.consumer();
  }

  /**
   * Passes all letters that the topic holds now to {@code taker}, each partition in order.
   *
   * @throws IOException if the broker does not answer
   */
  public void readToEnd(Consumer<Letter> taker) throws IOException {
    try {
      List<TopicPartition> partitions = Partitions.of(consumer, topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Partitions.readToEnd(consumer, partitions, topic, () -> poll(taker));
    } catch (KafkaException e) {
      throw new IOException("topic " + topic + " could not be read: " + e.getMessage(), e);
    }
  }

  private int poll(Consumer<Letter> taker) {
    ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
    records.forEach(record -> taker.accept(new Letter(record)));
    return records.count();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
