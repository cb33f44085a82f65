package io.gauze.benchmarks;

import io.gauze.topic.KafkaAccess;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** One scenario: sends by the clock, notes when answers come. */
final class LoadRun {
  static final String HEADER =
      "| requests | sent a second | answered a second | p50, ms | p99, ms | longest, ms | errors |"
          + " solver's CPU, ms a request | load average |\n|---|---|---|---|---|---|---|---|---|";

  /** Warms up at a fraction of the rate, so that a cold solver has no backlog to begin with. */
  private static final int SLOWER = 4;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger NEXT = new AtomicInteger();

  private final KafkaAccess kafka;
  private final LoadQuestions questions;
  private final ChildProcess solver;
  private volatile Duration processorTime = Duration.ZERO;
  private final String prefix = "load" + NEXT.incrementAndGet() + "-";

  LoadRun(KafkaAccess kafka, LoadQuestions questions, ChildProcess solver) {
    this.kafka = kafka;
    this.questions = questions;
    this.solver = solver;
  }

  /** A line of the table. */
  String run(int warmUpSeconds, int seconds) throws Exception {
    int skipped = warmUpSeconds * questions.rate() / SLOWER;
    int count = skipped + seconds * questions.rate();
    AtomicLongArray due = new AtomicLongArray(count);
    AtomicLongArray done = new AtomicLongArray(count);
    AtomicIntegerArray errors = new AtomicIntegerArray(1);
    try (KafkaConsumer<byte[], byte[]> consumer = atTheEnd();
        KafkaProducer<byte[], byte[]> producer = kafka.producer(Map.of("linger.ms", "0"))) {
      Thread sender = new Thread(() -> send(producer, due, skipped), "sender");
      sender.start();
      receive(consumer, done, errors);
      sender.join();
    }
    return line(skipped, due, done, errors.get(0));
  }

  private KafkaConsumer<byte[], byte[]> atTheEnd() {
    KafkaConsumer<byte[], byte[]> consumer = kafka.consumer();
    List<TopicPartition> partitions =
        consumer.partitionsFor(SolverLoad.ANSWERS).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    return consumer;
  }

  private void send(KafkaProducer<byte[], byte[]> producer, AtomicLongArray due, int skipped) {
    long start = System.nanoTime();
    for (int i = 0; i < due.length(); i++) {
      long turns = i < skipped ? (long) SLOWER * i : (long) (SLOWER - 1) * skipped + i;
      long at = start + (long) (turns * (1e9 / questions.rate()));
      while (System.nanoTime() < at) {
        LockSupport.parkNanos(at - System.nanoTime());
      }
      due.set(i, at);
      if (i == skipped) {
        processorTime = solver.processorTime();
      }
      var unused =
          producer.send(
              new ProducerRecord<>(
                  SolverLoad.REQUESTS,
                  (prefix + i).getBytes(StandardCharsets.UTF_8),
                  questions.request().apply(i).getBytes(StandardCharsets.UTF_8)));
    }
  }

  private void receive(
      KafkaConsumer<byte[], byte[]> consumer, AtomicLongArray done, AtomicIntegerArray errors) {
    int missing = done.length();
    long last = System.nanoTime();
    while (missing > 0 && System.nanoTime() - last < PATIENCE.toNanos()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
        String id = new String(record.key(), StandardCharsets.UTF_8);
        if (id.startsWith(prefix)) {
          int i = Integer.parseInt(id.substring(prefix.length()));
          last = System.nanoTime();
          missing -= done.compareAndSet(i, 0, last) ? 1 : 0;
          String body = new String(record.value(), StandardCharsets.UTF_8);
          if (body.contains("\"error\":{") && errors.getAndIncrement(0) == 0) {
            System.err.println(body);
          }
        }
      }
    }
  }

  private String line(int skipped, AtomicLongArray due, AtomicLongArray done, int errors) {
    int count = due.length() - skipped;
    double[] millis = new double[count];
    long end = 0;
    int lost = 0;
    for (int i = 0; i < count; i++) {
      long answered = done.get(skipped + i);
      lost += answered == 0 ? 1 : 0;
      millis[i] =
          answered == 0 ? Double.POSITIVE_INFINITY : (answered - due.get(skipped + i)) / 1e6;
      end = Math.max(end, answered);
    }
    Arrays.sort(millis);
    double seconds = (end - due.get(skipped)) / 1e9;
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,.0f | %.1f | %.1f | %.1f | %d | %.2f | %.1f |",
        questions.name(),
        questions.rate(),
        (count - lost) / seconds,
        millis[count / 2],
        millis[(int) (0.99 * count)],
        millis[count - 1],
        errors,
        solver.processorTime().minus(processorTime).toNanos() / 1e6 / count,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
