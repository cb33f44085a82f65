package io.gauze.pipeline;

import io.gauze.release.Charge;
import io.gauze.release.LedgerBook;
import io.gauze.release.LedgerEntry;
import io.gauze.release.LedgerLine;
import io.gauze.source.KafkaAccess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the ledger topic: for every release id its last entry, and where the first one stands. Not
 * thread-safe.
 */
public final class Ledger implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private final Admin admin;
  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Collection<TopicPartition> partitions;
  private final Map<String, LedgerLine> lines = new HashMap<>();

  /** Opens {@code topic}; {@link #refresh} reads it. */
  public Ledger(KafkaAccess kafka, String topic) throws IOException {
    this.topic = topic;
    this.admin = kafka.admin();
    try {
      this.consumer = kafka.consumer();
    } catch (KafkaException e) {
      admin.close();
      throw e;
    }
    try {
      this.partitions = partitions(consumer, topic);
    } catch (IOException | KafkaException e) {
      close();
      throw e;
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  private static List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, String topic)
      throws IOException {
    List<TopicPartition> found =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    if (found.isEmpty()) {
      throw new IOException("the ledger topic " + topic + " does not exist");
    }
    return found;
  }

  /**
   * Reads what has come since the last call, up to the topic's end at the time of this call.
   *
   * @throws IOException if that fails, or if the topic has got more partitions, whose entries are
   *     for a new reader
   */
  public void refresh() throws IOException {
    Map<TopicPartition, Long> ends = ends();
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
  }

  /** The last entry of a release, as of the last {@link #refresh}. */
  Optional<LedgerEntry> entry(String id) {
    return Optional.ofNullable(lines.get(id)).map(LedgerLine::entry);
  }

  /** All of it, as of the last {@link #refresh}. */
  LedgerBook book() {
    return LedgerBook.of(lines.values());
  }

  Map<String, LedgerLine> copyOfLines() {
    return new HashMap<>(lines);
  }

  /**
   * The log's own ends. Those of committed records do not do: an open transaction, of another
   * stream's committer, would hide entries of this stream behind it.
   */
  private Map<TopicPartition, Long> ends() throws IOException {
    try {
      int now =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
      if (now != partitions.size()) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "the ledger topic %s had %d partitions and has %d; start again",
                topic,
                partitions.size(),
                now));
      }
      ListOffsetsResult found =
          admin.listOffsets(
              partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())),
              new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED));
      Map<TopicPartition, Long> ends = new HashMap<>();
      for (TopicPartition partition : partitions) {
        ends.put(partition, found.partitionResult(partition).get().offset());
      }
      return ends;
    } catch (ExecutionException e) {
      throw new IOException(
          "the end of the ledger topic "
              + topic
              + " could not be read: "
              + e.getCause().getMessage(),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading the ledger topic " + topic, e);
    }
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
      lines.merge(
          entry.id().toString(),
          new LedgerLine(entry, record.partition(), record.offset()),
          LedgerLine::then);
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

  /**
   * The ledger as it is now.
   *
   * @throws IOException if the topic does not exist, cannot be read or has other records
   */
  public static LedgerBook read(KafkaAccess kafka, String topic) throws IOException {
    try (Ledger ledger = new Ledger(kafka, topic)) {
      ledger.refresh();
      return ledger.book();
    }
  }

  /**
   * Checks that the account covers all streams of one job together, which ask for it one after the
   * other only when each has its first release.
   *
   * @param streams with this ledger
   * @param held what it holds; receives a line for each stream
   * @throws PrivacyConflictException if it does not
   */
  static void checkTogether(List<SketchJobSettings> streams, Map<String, LedgerLine> held) {
    for (SketchJobSettings settings : streams) {
      Charge asked = settings.charge();
      check(LedgerBook.of(held.values()), settings, asked);
      LedgerEntry entry =
          new LedgerEntry(
              settings.firstRelease(),
              LedgerEntry.sha256(new byte[0]),
              LedgerEntry.State.SPENT,
              settings.series(),
              asked.guarantee(),
              Optional.of(asked.terms()));
      // What the stream has there already stays: it has its place.
      held.putIfAbsent(entry.id().toString(), new LedgerLine(entry, 0, Long.MAX_VALUE));
    }
  }

  /**
   * One stream name has one series, since ids would collide; and the account of the rows must cover
   * what is asked.
   *
   * @throws PrivacyConflictException if an entry of the job's stream is of another series, or if
   *     the account refuses
   */
  static void check(LedgerBook book, SketchJobSettings settings, Charge asked) {
    String series = settings.series();
    for (LedgerEntry entry : book.entries(settings.plan().stream())) {
      if (!entry.series().equals(series)) {
        throw PrivacyConflictException.anotherSeries(entry, settings);
      }
    }
    Optional<String> refusal = book.refusal(asked);
    if (refusal.isPresent()) {
      throw PrivacyConflictException.refused(refusal.get(), settings.topics().ledger());
    }
  }

  @Override
  public void close() {
    consumer.close();
    admin.close();
  }
}
