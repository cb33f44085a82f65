package io.gauze.demo;

import io.gauze.cli.TopicSender;
import io.gauze.regression.ExactMoments;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowCounts;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.JsonRowDecoder;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Sends rows to a topic, and keeps their exact moments for the non-private fit of the demo. */
final class RowFeed {
  private static final long PROGRESS_EVERY = 50_000;

  private final KafkaAccess kafka;
  private final String topic;
  private final RowSchema schema;
  private final Optional<Alternatives> alternatives;

  /**
   * The outcome.
   *
   * @param rejected rows that cannot be encoded, which the job sends to the dead letters
   * @param counts the values outside of the ranges
   */
  record Sent(long rows, long rejected, ExactMoments moments, RowCounts counts) {}

  /** Receives the number of sent rows; an exception stops the feed. */
  interface Progressing {
    void accept(long sent) throws IOException;
  }

  /**
   * Creates a feed.
   *
   * @param alternatives other sketches of the same rows
   */
  RowFeed(KafkaAccess kafka, String topic, RowSchema schema, Optional<Alternatives> alternatives) {
    this.kafka = kafka;
    this.topic = topic;
    this.schema = schema;
    this.alternatives = alternatives;
  }

  /** Sends all of {@code rows}, and reports their number to {@code progress}. */
  Sent send(Iterator<byte[]> rows, Progressing progress) throws IOException {
    ExactMoments moments = ExactMoments.create(schema.dimension(), 1.0 / schema.half(0));
    RowFields fields = RowFields.of(schema, List.of());
    RowEncoder encoder = new RowEncoder(schema);
    RowImage image = new RowImage(fields, encoder);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    EncodedRow encoded = new EncodedRow(schema.dimension());
    double[] scaled = new double[schema.dimension()];
    long sent = 0;
    long rejected = 0;
    try (TopicSender sender = new TopicSender(kafka, topic)) {
      while (rows.hasNext() && !sender.failed()) {
        byte[] row = rows.next();
        sender.send(Optional.empty(), Optional.of(row));
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
      sender.flush();
    }
    progress.accept(sent);
    return new Sent(sent, rejected, moments, encoder.counts());
  }
}
