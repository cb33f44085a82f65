package io.gauze.publish;

import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * The transactional producer of a stream. Opening another producer of the same stream fences this
 * one and aborts its open transaction.
 */
public final class ReleaseProducer implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<Sent> underway = new ArrayList<>();

  private record Sent(String topic, Future<RecordMetadata> acknowledged) {}

  private ReleaseProducer(KafkaProducer<byte[], byte[]> producer) {
    this.producer = producer;
  }

  /**
   * Opens the producer of a stream. When this returns, the last transaction of every earlier
   * producer is committed or aborted, and none of them can begin another.
   */
  static ReleaseProducer open(SketchJobSettings settings) {
    int largest = maxRequestSize(settings);
    Map<String, String> ours =
        new HashMap<>(KafkaAccess.transactional(LiveJobs.group(settings.plan().stream())));
    ours.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
    ours.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(largest));
    ours.put(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        Long.toString(Math.max(KafkaAccess.BUFFER_BYTES, 2L * largest)));
    ReleaseProducer opened = new ReleaseProducer(settings.kafka().producer(ours));
    try {
      opened.producer.initTransactions();
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
    return opened;
  }

  /** The largest request of the producer, in bytes, which it counts before compression. */
  private static int maxRequestSize(SketchJobSettings settings) {
    return Math.max(1 << 20, largestRecord(settings.plan()));
  }

  /**
   * The largest record that the releases topic must take, in bytes: the largest release of any
   * data, its key, and the few bytes that compression adds to data that cannot be compressed.
   */
  public static int largestRecord(StreamPlan plan) {
    long largest = 0;
    for (SketchPlan sketch : plan.sketches()) {
      largest = Math.max(largest, Release.largestSize(plan, sketch));
    }
    return Math.toIntExact(largest + (64 << 10)); // fits: 2^27 numbers of at most 10 bytes
  }

  void begin() {
    producer.beginTransaction();
  }

  void send(String topic, byte[] key, byte[] value) {
    underway.add(new Sent(topic, producer.send(new ProducerRecord<>(topic, key, value))));
  }

  /**
   * Sends a record to the first partition of a topic, whatever its key, so that it is behind those
   * that were sent there before.
   *
   * @param value empty for a tombstone, after which Kafka may delete all records of the key there
   */
  void sendInOrder(String topic, byte[] key, Optional<byte[]> value) {
    underway.add(
        new Sent(topic, producer.send(new ProducerRecord<>(topic, 0, key, value.orElse(null)))));
  }

  /**
   * Waits until the broker has all records so far. Readers of committed records do not see them
   * yet.
   *
   * @throws IOException if the broker does not take a record
   */
  void awaitAcknowledged() throws IOException, InterruptedException {
    for (Sent record : underway) {
      try {
        record.acknowledged().get();
      } catch (ExecutionException e) {
        throw new IOException(
            "the broker did not take a record for topic "
                + record.topic()
                + ": "
                + e.getCause().getMessage(),
            e);
      }
    }
    underway.clear();
  }

  /** Commits the transaction, which makes all its records visible at once. */
  void commit() {
    producer.commitTransaction();
  }

  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
