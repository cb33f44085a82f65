package io.gauze.cli.rows;

import io.gauze.topic.KafkaAccess;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;

/** Sends many records to one topic, and keeps the first failure. For one thread. */
public final class TopicSender implements Closeable {
  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  private final List<Header> headers;

  /** Creates a sender as {@link #TopicSender(KafkaAccess, String, List)} does, without headers. */
  public TopicSender(KafkaAccess kafka, String topic) throws IOException {
    this(kafka, topic, List.of());
  }

  /**
   * Creates a sender, which connects when the first record is sent.
   *
   * @param headers of each record
   * @throws IOException if no producer can be created, for instance because no host has that name
   */
  public TopicSender(KafkaAccess kafka, String topic, List<Header> headers) throws IOException {
    this.topic = topic;
    this.headers = List.copyOf(headers);
    try {
      this.producer =
          kafka.producer(
              Map.of(
                  ProducerConfig.LINGER_MS_CONFIG,
                  "20",
                  ProducerConfig.BATCH_SIZE_CONFIG,
                  "262144",
                  // With several requests under way, a broker that has just created the topic may
                  // refuse the first one and take the second one. It then refuses the first one
                  // for its sequence number until delivery.timeout.ms, and the rows are lost.
                  ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                  "1"));
    } catch (KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("could not reach " + kafka + ": " + cause.getMessage(), e);
    }
  }

  /** Returns whether a record was refused, so that sending more is useless. */
  public boolean failed() {
    return failure.get() != null;
  }

  /** Sends a record asynchronously; waits if too many are on their way. */
  public void send(Optional<byte[]> key, Optional<byte[]> value) {
    send(topic, key, value);
  }

  /** Sends a record to another topic, as {@link #send(Optional, Optional)} does. */
  public void send(String other, Optional<byte[]> key, Optional<byte[]> value) {
    Future<RecordMetadata> unused = // the callback keeps the failure
        producer.send(
            new ProducerRecord<>(other, null, key.orElse(null), value.orElse(null), headers),
            (metadata, problem) -> failure.compareAndSet(null, problem));
  }

  /**
   * Waits until the broker has taken all records.
   *
   * @throws IOException if it refused one
   */
  public void flush() throws IOException {
    producer.flush();
    if (failed()) {
      throw new IOException(
          "the broker did not take a row for topic " + topic + ": " + failure.get().getMessage(),
          failure.get());
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
