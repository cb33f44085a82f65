package io.gauze.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * Serializes a dead letter: the record's key, unless it is longer than {@value #MAX_BYTES} bytes,
 * at most the first {@value #MAX_BYTES} bytes of its value, and headers {@code reason}, {@code
 * partition}, {@code offset} and {@code length} (of the whole record; -1 for a record without
 * value), all text.
 */
public final class DeadLetterSchema implements KafkaRecordSerializationSchema<DeadLetter> {
  private static final long serialVersionUID = 1L;

  /** The most bytes of a record's key, and of its value, that are kept. */
  public static final int MAX_BYTES = 64 * 1024;

  private final String topic;

  /** Creates a schema for {@code topic}. */
  public DeadLetterSchema(String topic) {
    this.topic = Objects.requireNonNull(topic, "topic");
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      DeadLetter letter, KafkaSinkContext context, Long timestamp) {
    RowRecord row = letter.row();
    byte[] value = row.value().orElse(null);
    int length = value == null ? -1 : value.length;
    byte[] kept = length > MAX_BYTES ? Arrays.copyOf(value, MAX_BYTES) : value;
    byte[] key = row.key().filter(bytes -> bytes.length <= MAX_BYTES).orElse(null);
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, null, null, key, kept);
    header(record.headers(), "reason", letter.reason());
    header(record.headers(), "partition", Integer.toString(row.partition()));
    header(record.headers(), "offset", Long.toString(row.offset()));
    header(record.headers(), "length", Integer.toString(length));
    return record;
  }

  private static void header(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
