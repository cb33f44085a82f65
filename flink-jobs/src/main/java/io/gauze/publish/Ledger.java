package io.gauze.publish;

import io.gauze.ledger.ChargedRelease;
import io.gauze.ledger.CompletePosition;
import io.gauze.ledger.EpochRecord;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerPosition;
import io.gauze.ledger.LedgerRequest;
import io.gauze.ledger.StreamStart;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.OpenTransactions;
import io.gauze.topic.Partitions;
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
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of the ledger topic: it keeps the complete epochs without their bodies, the last entry
 * of every other release id, and the place of its first entry. Not thread-safe.
 */
public final class Ledger implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private final Admin admin;
  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Collection<TopicPartition> partitions;
  private final LedgerBook book = LedgerBook.of(List.of());
  private final EpochBodies bodies;
  private Optional<Uuid> topicId = Optional.empty();

  /**
   * Opens {@code topic}; {@link #refresh} reads it.
   *
   * @throws IOException if the topic does not exist
   */
  public Ledger(KafkaAccess kafka, String topic) throws IOException {
    this.topic = topic;
    this.bodies = new EpochBodies(kafka, topic);
    this.admin = kafka.admin();
    try {
      this.consumer = kafka.strictConsumer(Map.of());
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
    List<TopicPartition> found = Partitions.of(consumer, topic);
    if (found.isEmpty()) {
      throw new IOException("the ledger topic " + topic + " does not exist");
    }
    return found;
  }

  /**
   * Reads the records since the last call, up to the topic's end at the time of this call.
   *
   * @throws LastingFaultException if the topic has a record that is no entry
   * @throws IOException if the topic cannot be read, has more partitions than when it was opened,
   *     was made anew, or has lost records that were read or come next; a new reader can read it
   *     then
   */
  public void refresh() throws IOException {
    try {
      readTo(ends());
    } catch (OffsetOutOfRangeException e) {
      IOException lost = lostRecords(); // entries behind the gap would be read without those in it
      lost.initCause(e);
      throw lost;
    }
  }

  private void readTo(Map<TopicPartition, Long> ends) throws IOException {
    // What others write in place of the lost records would never be read.
    if (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) > end.getValue())) {
      throw lostRecords();
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    OpenTransactions open = new OpenTransactions(admin, LOG::warn);
    Optional<TopicPartition> unread = unread(ends);
    while (unread.isPresent()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        read(record);
      }
      sayWaiting(open, unread.get(), ends);
      unread = unread(ends);
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

  private IOException lostRecords() {
    return new IOException(
        "the ledger topic " + topic + " has lost records since it was opened; start again");
  }

  private Optional<TopicPartition> unread(Map<TopicPartition, Long> ends) {
    return ends.keySet().stream()
        .filter(each -> consumer.position(each) < ends.get(each))
        .findFirst();
  }

  private void sayWaiting(
      OpenTransactions open, TopicPartition partition, Map<TopicPartition, Long> ends)
      throws IOException {
    try {
      open.waiting(partition, ends.get(partition));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading the ledger topic " + topic, e);
    }
  }

  /** The number of the topic's partitions. */
  int partitions() {
    return partitions.size();
  }

  /** All entries up to the last {@link #refresh}; the next one adds to the same book. */
  public LedgerBook book() {
    return book;
  }

  /**
   * Returns whether a release is charged and has this body. Reads the record of its epoch again if
   * the epoch is complete.
   *
   * @throws LastingFaultException if that record is not there any more
   * @throws IOException if the topic cannot be read
   */
  boolean holds(ReleaseId id, String sha256) throws IOException {
    Optional<CompletePosition> complete = book.complete(id);
    if (complete.isEmpty()) {
      return book.entry(id).filter(entry -> entry.sha256().equals(sha256)).isPresent();
    }
    return record(id, complete.get()).holds(id, sha256);
  }

  private EpochRecord record(ReleaseId id, CompletePosition known) throws IOException {
    try {
      Optional<EpochRecord> found = bodies.at(known);
      if (found.isPresent()) {
        return found.get();
      }
      refresh(); // a copy may have come, and Kafka has then deleted the one before it
      CompletePosition now = book.complete(id).orElseThrow();
      return bodies.at(now).orElseThrow(() -> lost(now));
    } catch (IllegalArgumentException e) { // its message has words of the record
      throw lost(known);
    }
  }

  private LastingFaultException lost(CompletePosition record) {
    return LastingFaultException.lostRecord(topic, record.partition(), record.offset());
  }

  /**
   * Looks up the ends of the log. The ends of the committed records are not enough: an open
   * transaction of another stream's committer would hide entries of this stream behind it.
   */
  private Map<TopicPartition, Long> ends() throws IOException {
    try {
      TopicDescription described =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
      checkSame(described.topicId());
      int now = described.partitions().size();
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

  /** Refuses another topic of the same name, whose records have the same offsets. */
  private void checkSame(Uuid id) throws IOException {
    if (!topicId.orElse(id).equals(id)) {
      throw new IOException(
          "the ledger topic " + topic + " was made anew since it was opened; start again");
    }
    topicId = Optional.of(id);
  }

  private void read(ConsumerRecord<byte[], byte[]> record) throws LastingFaultException {
    if (record.key() == null) {
      throw LastingFaultException.foreignRecord(topic, record.partition(), record.offset());
    }
    try {
      book.add(
          new String(record.key(), StandardCharsets.UTF_8),
          Optional.ofNullable(record.value())
              .map(value -> new String(value, StandardCharsets.UTF_8)),
          record.partition(),
          record.offset());
    } catch (IllegalArgumentException e) { // its message has words of the record
      throw LastingFaultException.foreignRecord(topic, record.partition(), record.offset());
    }
  }

  /**
   * Reads the ledger as it is now.
   *
   * @throws LastingFaultException if the topic has a record that is no entry
   * @throws IOException if the topic does not exist or cannot be read
   */
  public static LedgerBook read(KafkaAccess kafka, String topic) throws IOException {
    try (Ledger ledger = new Ledger(kafka, topic)) {
      ledger.refresh();
      return ledger.book();
    }
  }

  /**
   * Writes where a stream begins. Does not use the transactional id of the stream's releases, which
   * would fence a running job.
   *
   * @throws IOException if the broker does not take the record
   */
  static void write(KafkaAccess kafka, String topic, StreamStart begin) throws IOException {
    byte[] key = begin.key().getBytes(StandardCharsets.UTF_8);
    byte[] value = begin.toJson().getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer = kafka.producer(Map.of())) {
      producer.send(new ProducerRecord<>(topic, key, value)).get();
    } catch (ExecutionException e) {
      throw unwritten(topic, e.getCause());
    } catch (KafkaException e) {
      throw unwritten(topic, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while writing to the ledger topic " + topic, e);
    }
  }

  private static IOException unwritten(String topic, Throwable reason) {
    return new IOException(
        "the first epoch could not be written to the ledger topic "
            + topic
            + ": "
            + reason.getMessage(),
        reason);
  }

  /**
   * Checks that the account covers all streams of one job together. Each stream alone asks the
   * account only when it has its first release.
   *
   * @param streams the streams with this ledger
   * @param held the ledger's book; receives an entry for each stream
   * @throws PrivacyConflictException if the account does not cover them
   */
  public static void checkTogether(List<SketchJobSettings> streams, LedgerBook held) {
    for (SketchJobSettings settings : streams) {
      LedgerRequest asked = settings.charge();
      check(held, settings, asked);
      LedgerEntry entry =
          new LedgerEntry(
              settings.firstRelease(),
              LedgerEntry.sha256(new byte[0]),
              LedgerEntry.State.SPENT,
              settings.series(),
              asked.guarantee(),
              asked.terms());
      // A stream that has an entry of this id already keeps its place in the order.
      if (!held.holds(entry.id())) {
        held.add(new LedgerPosition(entry, 0, Long.MAX_VALUE));
      }
    }
  }

  /**
   * Checks that the ledger holds no other series of the stream, nor one of another topic's rows,
   * whose release ids would be the same, and that the account of the rows covers the request.
   *
   * @throws PrivacyConflictException if an entry of the job's stream belongs to another series or
   *     another account, or if the account refuses
   */
  public static void check(LedgerBook book, SketchJobSettings settings, LedgerRequest asked) {
    check(book, settings, settings.series(), asked);
  }

  /**
   * Checks as {@link #check(LedgerBook, SketchJobSettings, LedgerRequest)} does.
   *
   * @param series of {@code settings}, which takes time with the groups to compute
   */
  static void check(
      LedgerBook book, SketchJobSettings settings, String series, LedgerRequest asked) {
    checkSeries(book, settings, series);
    Optional<Message> refusal = book.refusal(asked);
    if (refusal.isPresent()) {
      throw PrivacyConflictException.refused(refusal.get(), settings.topics().ledger());
    }
  }

  /**
   * Checks that all entries of the job's stream are of its series and of its account.
   *
   * @throws PrivacyConflictException if one is not
   */
  static void checkSeries(LedgerBook book, SketchJobSettings settings) {
    checkSeries(book, settings, settings.series());
  }

  private static void checkSeries(LedgerBook book, SketchJobSettings settings, String series) {
    String stream = settings.plan().stream();
    Optional<ChargedRelease> other = book.ofAnotherSeries(stream, series);
    if (other.isPresent()) {
      throw PrivacyConflictException.anotherSeries(other.get(), settings);
    }
    Optional<ChargedRelease> elsewhere = book.ofAnotherAccount(stream, settings.terms().account());
    if (elsewhere.isPresent()) {
      throw PrivacyConflictException.anotherAccount(elsewhere.get(), settings);
    }
  }

  @Override
  public void close() {
    try {
      bodies.close();
    } finally { // an interrupted thread closes no consumer without an exception
      try {
        consumer.close();
      } finally {
        admin.close();
      }
    }
  }
}
