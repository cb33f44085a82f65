package io.gauze.cli;

import io.gauze.row.EncodedRow;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.solve.ExactMoments;
import io.gauze.source.JsonRowDecoder;
import io.gauze.source.KafkaAccess;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Sends rows to a topic, and keeps their exact moments for the non-private fit that the demo
 * compares with.
 */
final class RowFeed {
  private static final long PROGRESS_EVERY = 50_000;

  private final KafkaAccess kafka;
  private final String topic;
  private final RowSchema schema;
  private final Optional<Alternatives> alternatives;

  /**
   * What was sent.
   *
   * @param rejected rows that cannot be encoded: the job sends them to the dead letters
   */
  record Sent(long rows, long rejected, ExactMoments moments) {}

  /** Is told how many rows are sent, and may stop the feed. */
  interface Progressing {
    void accept(long sent) throws IOException;
  }

  /**
   * @param alternatives that see the same rows
   */
  RowFeed(KafkaAccess kafka, String topic, RowSchema schema, Optional<Alternatives> alternatives) {
    this.kafka = kafka;
    this.topic = topic;
    this.schema = schema;
    this.alternatives = alternatives;
  }

  /** Sends all of {@code rows}; {@code progress} is told how many are sent. */
  Sent send(Iterator<byte[]> rows, Progressing progress) throws IOException {
    ExactMoments moments = ExactMoments.create(schema.dimension(), 1.0 / schema.half(0));
    RowFields fields = RowFields.of(schema, List.of());
    RowImage image = new RowImage(fields);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    EncodedRow encoded = new EncodedRow(schema.dimension());
    double[] scaled = new double[schema.dimension()];
    AtomicReference<Exception> failure = new AtomicReference<>();
    long sent = 0;
    long rejected = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        kafka.producer(
            Map.of(
                ProducerConfig.LINGER_MS_CONFIG,
                "20",
                ProducerConfig.BATCH_SIZE_CONFIG,
                "262144"))) {
      while (rows.hasNext() && failure.get() == null) {
        byte[] row = rows.next();
        Future<RecordMetadata> unused = // the callback tells of failures
            producer.send(
                new ProducerRecord<>(topic, row),
                (metadata, problem) -> failure.compareAndSet(null, problem));
        sent++;
        try {
          decoder.decode(row, image);
          image.scale(scaled);
          moments.add(scaled);
          if (alternatives.isPresent()) {
            image.encode(encoded);
            alternatives.get().add(encoded);
          }
        } catch (RowRejectedException e) {
          rejected++;
        }
        if (sent % PROGRESS_EVERY == 0) {
          progress.accept(sent);
        }
      }
      producer.flush();
    }
    if (failure.get() != null) {
      throw new IOException(
          "the broker did not take a row for topic " + topic + ": " + failure.get().getMessage(),
          failure.get());
    }
    progress.accept(sent);
    return new Sent(sent, rejected, moments);
  }
}
