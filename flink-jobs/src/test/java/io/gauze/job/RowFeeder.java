package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.TestTopics;
import io.gauze.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Makes a stream's topics and sends rows, some 2,000 a second, until it is closed; every third
 * transaction is aborted. A broker that is away for a while is waited for.
 */
final class RowFeeder implements AutoCloseable {
  private static final int BATCH = 200;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final SketchJobSettings settings;
  private final AtomicInteger failures = new AtomicInteger();
  private final CompletableFuture<Void> done;
  private volatile boolean closed;

  private RowFeeder(SketchJobSettings settings) {
    this.settings = settings;
    done = CompletableFuture.runAsync(this::feed, feed -> new Thread(feed, "row-feeder").start());
  }

  static RowFeeder start(SketchJobSettings settings) throws Exception {
    Topics topics = settings.topics();
    try (Admin admin = settings.kafka().admin()) {
      List<NewTopic> all = new ArrayList<>();
      all.add(topic(topics.rows(), 4, Map.of("message.timestamp.type", "LogAppendTime")));
      all.add(
          topic(
              topics.releases(), 1, Map.of("max.message.bytes", "8000000", "retention.ms", "-1")));
      all.add(topic(topics.ledger(), 1, Map.of("cleanup.policy", "compact")));
      all.add(topic(topics.deadLetters(), 1, Map.of()));
      all.add(topic(topics.late(), 1, Map.of()));
      TestTopics.make(admin, all.toArray(new NewTopic[0]));
    }
    return new RowFeeder(settings);
  }

  private static NewTopic topic(String name, int partitions, Map<String, String> configs) {
    return new NewTopic(name, Optional.of(partitions), Optional.<Short>empty()).configs(configs);
  }

  /** How many transactions failed because the broker was away. */
  int failures() {
    return failures.get();
  }

  private void feed() {
    SplittableRandom random = new SplittableRandom(5);
    while (!closed) {
      try (KafkaProducer<byte[], byte[]> producer =
          settings.kafka().producer(Map.of("transactional.id", "feeder"))) {
        producer.initTransactions();
        for (int i = 0; !closed; i++) {
          send(producer, random, i % 3 == 2);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      } catch (KafkaException e) {
        failures.incrementAndGet(); // a new producer ends what this one has left open
      }
    }
  }

  private void send(
      KafkaProducer<byte[], byte[]> producer, SplittableRandom random, boolean abort) {
    producer.beginTransaction();
    for (int i = 0; i < BATCH; i++) {
      byte[] row = StreamFixture.row(random).getBytes(UTF_8);
      var unused = // what fails here fails the transaction
          producer.send(
              new ProducerRecord<>(settings.topics().rows(), random.nextInt(4), null, row));
    }
    if (abort) {
      producer.flush(); // so that the log has what is aborted
      producer.abortTransaction();
    } else {
      producer.commitTransaction();
    }
  }

  /**
   * Returns when the last transaction is over.
   *
   * @throws IllegalStateException if the rows ended before, with what ended them as its cause
   */
  @Override
  public void close() {
    closed = true;
    try {
      done.join();
    } catch (CompletionException e) {
      throw new IllegalStateException("the rows ended before they were to", e.getCause());
    }
  }
}
