package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.stream.RangePhase;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.Partitions;
import io.gauze.topic.VisibleEnds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The counts of a stream's calibration epochs. */
public final class CountedRanges {
  private static final Duration POLL = Duration.ofMillis(200);

  private final SketchJobSettings settings;
  private final List<LedgerEntry> entries;
  private final Map<ReleaseId, String> wanted; // the hash of each body
  private final Map<ReleaseId, Release> found = new HashMap<>();

  private CountedRanges(SketchJobSettings settings, List<LedgerEntry> entries) {
    this.settings = settings;
    this.entries = entries;
    this.wanted =
        entries.stream()
            .filter(entry -> entry.state() == LedgerEntry.State.PUBLISHED)
            .collect(Collectors.toMap(LedgerEntry::id, LedgerEntry::sha256));
  }

  /**
   * Reads the counts that the ledger holds.
   *
   * @param settings of a job of the stream, whose topics exist
   * @throws IOException if the broker does not answer, or if the topic lacks a release that is
   *     published according to the ledger
   */
  public static CountedRanges read(SketchJobSettings settings) throws IOException {
    LedgerBook book = Ledger.read(settings.kafka(), settings.topics().ledger());
    List<LedgerEntry> entries =
        book.entries(settings.plan().stream()).stream()
            .filter(entry -> isOf(entry, settings))
            .toList();
    CountedRanges counts = new CountedRanges(settings, entries);
    if (!counts.wanted.isEmpty()) {
      // A transaction ends in the partitions of its topics one by one: wait for the releases'.
      VisibleEnds.now(settings.kafka(), settings.topics().releases());
      counts.read();
      counts.requireAll();
    }
    return counts;
  }

  /**
   * Returns the published counts, the latest epoch first. A start that reads them again gets the
   * same ones at the same place, since no epoch is counted after one whose counts are of use.
   */
  public List<Release> latestFirst() {
    List<Release> all = new ArrayList<>(found.values());
    all.sort(Comparator.comparing(Release::id, Comparator.comparing(this::epoch)).reversed());
    return all;
  }

  /**
   * Returns the latest epoch whose counts were charged, published or not; empty if there is none.
   * The rows of epochs up to it must be in no sketch.
   */
  public OptionalLong lastEpoch() {
    return entries.stream().map(LedgerEntry::id).mapToLong(this::epoch).max();
  }

  /** Returns whether an entry is that of counts of this series of the stream. */
  private static boolean isOf(LedgerEntry entry, SketchJobSettings settings) {
    return entry.id().sketch().equals(RangePhase.SKETCH)
        && entry.series().equals(settings.series())
        && settings.schedule().epochOf(entry.id().epoch()).isPresent();
  }

  private long epoch(ReleaseId id) {
    return settings.schedule().epochOf(id.epoch()).orElseThrow();
  }

  private void read() throws IOException {
    String topic = settings.topics().releases();
    try (Consumer<byte[], byte[]> consumer = settings.kafka().consumer()) {
      List<TopicPartition> partitions = Partitions.of(consumer, topic);
      consumer.assign(partitions);
      seek(consumer, partitions);
      Partitions.readToEnd(consumer, partitions, topic, () -> poll(consumer));
    } catch (KafkaException e) {
      throw new IOException(
          "topic " + topic + " could not be read for the chosen ranges: " + e.getMessage(), e);
    }
  }

  /** Starts where the first of the epochs began: its counts were published later. */
  private void seek(Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    OptionalLong first = wanted.keySet().stream().mapToLong(this::epoch).min();
    long since = first.getAsLong() * settings.schedule().lengthMillis();
    Partitions.seek(consumer, partitions, Math.max(0, since));
  }

  private int poll(Consumer<byte[], byte[]> consumer) {
    int records = 0;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      take(record);
      records++;
    }
    return records;
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null || record.value() == null) {
      return; // not a release: a deleted one, or another program's record
    }
    String key = new String(record.key(), UTF_8);
    for (Map.Entry<ReleaseId, String> each : wanted.entrySet()) {
      if (each.getKey().toString().equals(key)
          && each.getValue().equals(LedgerEntry.sha256(record.value()))) {
        found.put(each.getKey(), Release.fromBytes(record.value()));
      }
    }
  }

  private void requireAll() throws IOException {
    for (ReleaseId id : wanted.keySet()) {
      if (!found.containsKey(id)) {
        throw new IOException(
            "topic "
                + settings.topics().releases()
                + " must hold "
                + id
                + ", which is published according to the ledger: the ranges of the stream come from"
                + " it, and its rows cannot be counted again. Restore the topic from its backup");
      }
    }
  }
}
