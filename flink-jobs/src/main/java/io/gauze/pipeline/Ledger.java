package io.gauze.pipeline;

import io.gauze.release.LedgerEntry;
import io.gauze.source.KafkaAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the ledger topic: for every release id its last entry. Not thread-safe. */
public final class Ledger implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Collection<TopicPartition> partitions;
  private final Map<String, LedgerEntry> entries = new HashMap<>();

  /** Opens {@code topic}; {@link #refresh} reads it. */
  public Ledger(KafkaAccess kafka, String topic) {
    this.consumer = kafka.consumer();
    this.topic = topic;
    this.partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .collect(Collectors.toList());
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Reads what has come since the last call, up to the topic's end at the time of this call. */
  public Map<String, LedgerEntry> refresh() throws IOException {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        read(record);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "the ledger topic "
                + topic
                + " could not be read to its end within "
                + PATIENCE
                + "; check the broker");
      }
    }
    return Collections.unmodifiableMap(entries);
  }

  private void read(ConsumerRecord<byte[], byte[]> record) throws IOException {
    if (record.key() == null || record.value() == null) {
      throw new IOException(
          "the ledger topic "
              + topic
              + " has a record without key or value at partition "
              + record.partition()
              + ", offset "
              + record.offset()
              + "; nothing but this program may write to it");
    }
    try {
      LedgerEntry entry = LedgerEntry.fromJson(new String(record.value(), StandardCharsets.UTF_8));
      entries.put(entry.id().toString(), entry);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "the ledger topic "
              + topic
              + " has no entry at partition "
              + record.partition()
              + ", offset "
              + record.offset()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** The ids that the ledger of a stream holds now. */
  public static List<String> ids(KafkaAccess kafka, String topic) throws IOException {
    try (Ledger ledger = new Ledger(kafka, topic)) {
      return List.copyOf(ledger.refresh().keySet());
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
