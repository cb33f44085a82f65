package io.gauze.pipeline.again;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.Partitions;
import io.gauze.topic.VisibleEnds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.ToIntBiFunction;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topic of releases, among committed records. Keeps the numbers of releases that later
 * epochs need, by group, sketch and epoch.
 */
final class PreviousReleases implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PreviousReleases.class);
  private static final Duration POLL = Duration.ofMillis(200);

  private final SketchJobSettings settings;
  private final EpochSchedule schedule;
  private final ToIntBiFunction<ReleaseId, Mechanism> kept;
  private final Map<String, TreeMap<Long, long[]>> numbers = new HashMap<>(); // by place, epoch
  private final List<TopicPartition> partitions = new ArrayList<>();
  private Consumer<byte[], byte[]> consumer;
  private long pruned = Long.MIN_VALUE; // of the epochs before it the newest one is kept

  /**
   * Creates a reader.
   *
   * @param kept says how many of the first numbers of a release are kept; 0: none
   */
  PreviousReleases(
      SketchJobSettings settings,
      EpochSchedule schedule,
      ToIntBiFunction<ReleaseId, Mechanism> kept) {
    this.settings = settings;
    this.schedule = schedule;
    this.kept = kept;
  }

  /**
   * Reads what is published by now. The first call waits for the transactions that are open in the
   * topic, so that it finds all that the ledger called published before.
   *
   * @param since the time in milliseconds before which nothing is needed; the first call decides
   * @throws IOException if the broker does not answer, or transactions stay open
   */
  void read(long since) throws IOException {
    try {
      open(since);
      Partitions.readToEnd(consumer, partitions, settings.topics().releases(), this::poll);
    } catch (KafkaException e) {
      throw new IOException(
          "topic "
              + settings.topics().releases()
              + " could not be read for the model of an epoch: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Keeps of the epochs before {@code epoch} the newest one of each group and sketch only, also of
   * those that are yet to be read.
   */
  void keepNewestBefore(long epoch) {
    pruned = epoch;
    numbers.values().forEach(this::prune);
  }

  private void prune(NavigableMap<Long, long[]> epochs) {
    Long newest = epochs.lowerKey(pruned);
    if (newest != null) {
      epochs.headMap(newest).clear();
    }
  }

  /** Waits a moment for more; what came is read. */
  void await() {
    int unused = poll();
  }

  /** The kept numbers of the releases of a sketch, by their epochs. */
  NavigableMap<Long, long[]> of(Cell cell) {
    return numbers.getOrDefault(place(cell.group(), cell.sketch()), new TreeMap<>());
  }

  private void open(long since) throws IOException {
    if (consumer != null) {
      return;
    }
    // An open transaction, of whatever stream, would hide what is published behind it; and one that
    // has ended in the ledger may still be open here: it ends in the partitions one by one.
    VisibleEnds.now(settings.kafka(), settings.topics().releases());
    consumer = settings.kafka().consumer();
    partitions.addAll(Partitions.of(consumer, settings.topics().releases()));
    consumer.assign(partitions);
    if (since <= 0) {
      consumer.seekToBeginning(partitions);
    } else {
      Partitions.seek(consumer, partitions, since);
    }
  }

  private int poll() {
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
    try {
      ReleaseId id = ReleaseId.parse(new String(record.key(), UTF_8));
      OptionalLong epoch = schedule.epochOf(id.epoch());
      if (!id.stream().equals(settings.plan().stream()) || epoch.isEmpty()) {
        return;
      }
      Release release = Release.fromBytes(record.value());
      if (release.isOf(settings.plan())) {
        keep(release, epoch.getAsLong());
      }
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "The record at offset {} of {}-{} is no release that can be read. Models of epochs do"
              + " without it: {}",
          record.offset(),
          record.topic(),
          record.partition(),
          e.getMessage());
    }
  }

  private void keep(Release release, long epoch) {
    ReleaseId id = release.id();
    int length = kept.applyAsInt(id, settings.plan().sketch(id.sketch()).mechanism());
    if (length > 0) {
      NavigableMap<Long, long[]> epochs =
          numbers.computeIfAbsent(place(id.group(), id.sketch()), place -> new TreeMap<>());
      epochs.put(epoch, Arrays.copyOf(release.numbers(), length));
      prune(epochs);
    }
  }

  private static String place(String group, String sketch) {
    return group + '/' + sketch;
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close();
    }
  }
}
