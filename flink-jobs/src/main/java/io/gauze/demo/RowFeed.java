package io.gauze.demo;

import io.gauze.cli.rows.TopicSender;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowCounts;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.file.CsvRows;
import io.gauze.source.json.JsonRowDecoder;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Sends rows to the topics of the sites in turn, and keeps the exact moments of all of them for the
 * non-private fit of the demo.
 */
final class RowFeed {
  private static final long PROGRESS_EVERY = 50_000;

  private final KafkaAccess kafka;
  private final List<String> topics;
  private final RowSchema schema;
  private final Optional<Alternatives> alternatives;

  /**
   * The outcome.
   *
   * @param rejected rows that cannot be read, which are not sent, or encoded, which the job sends
   *     to the dead letters
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
   * @param topics of rows, one for each site
   * @param alternatives other sketches of the same rows
   */
  RowFeed(
      KafkaAccess kafka,
      List<String> topics,
      RowSchema schema,
      Optional<Alternatives> alternatives) {
    this.kafka = kafka;
    this.topics = List.copyOf(topics);
    this.schema = schema;
    this.alternatives = alternatives;
  }

  /** Rows as JSON objects. */
  interface Rows {
    /** Returns whether there is a further row. */
    boolean hasNext() throws IOException;

    /**
     * Returns the next row.
     *
     * @throws RowRejectedException if it cannot be read; the next one can be
     */
    byte[] next() throws IOException, RowRejectedException;

    /** Returns rows that can all be read. */
    static Rows of(Iterator<byte[]> rows) {
      return new Rows() {
        @Override
        public boolean hasNext() {
          return rows.hasNext();
        }

        @Override
        public byte[] next() {
          return rows.next();
        }
      };
    }

    /** Returns the rows of a file. */
    static Rows of(CsvRows rows) {
      return new Rows() {
        @Override
        public boolean hasNext() throws IOException {
          return rows.hasNext();
        }

        @Override
        public byte[] next() throws IOException, RowRejectedException {
          return rows.next();
        }
      };
    }
  }

  /** Sends all of {@code rows}, and reports their number to {@code progress}. */
  Sent send(Rows rows, Progressing progress) throws IOException {
    ExactMoments moments = ExactMoments.create(schema.dimension(), 1.0 / schema.half(0));
    RowFields fields = RowFields.of(schema, List.of());
    RowEncoder encoder = new RowEncoder(schema);
    RowImage image = new RowImage(fields, encoder);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    EncodedRow encoded = new EncodedRow(schema.dimension());
    double[] scaled = new double[schema.dimension()];
    long sent = 0;
    long rejected = 0;
    try (TopicSender sender = new TopicSender(kafka, topics.get(0))) {
      while (rows.hasNext() && !sender.failed()) {
        try {
          byte[] row = rows.next();
          String topic = topics.get((int) (sent % topics.size()));
          sender.send(topic, Optional.empty(), Optional.of(row));
          sent++;
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
