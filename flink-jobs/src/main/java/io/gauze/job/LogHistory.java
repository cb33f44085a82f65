package io.gauze.job;

import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.message.Message;
import io.gauze.stream.JobMessage;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.LogCompaction;
import io.gauze.topic.Partitions;
import io.gauze.topic.TopicAdmin;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Checks whether the log still holds all rows of the releases to come, for a job that begins
 * without state. Where retention cuts a log depends on the sizes of all earlier records, so one row
 * more could remove many others of an epoch. The noise does not cover such a change. The settings
 * of the topic do not tell: they may have been others, and records are also deleted by hand. So the
 * log itself counts: a partition that has lost records must hold one of before the epoch.
 */
final class LogHistory {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SketchJobSettings settings;
  private final long now;
  private final long next;

  private LogHistory(SketchJobSettings settings, long now, long next) {
    this.settings = settings;
    this.now = now;
    this.next = next;
  }

  /**
   * Returns why the next release could lack rows; empty if nothing indicates it. With producers'
   * timestamps nothing can be said, and the result is empty.
   *
   * @param settings the settings with the published releases
   * @param bounded whether the job releases only epochs that are over now
   * @param now in milliseconds since 1970 UTC
   * @throws IOException if the broker does not answer
   */
  static Optional<Message> gap(SketchJobSettings settings, boolean bounded, long now)
      throws IOException {
    EpochSchedule schedule = settings.schedule();
    if (schedule.isAll() || schedule.time().kind() == RowTime.Kind.PRODUCER) {
      return Optional.empty();
    }
    long last = Math.min(schedule.lastCuttable(now), settings.lastRelease(schedule));
    long next = schedule.firstEpoch();
    while (next <= last && settings.isPublished(next)) {
      next++;
    }
    if (next > (bounded ? last : settings.lastRelease(schedule))) {
      return Optional.empty(); // nothing is left to release
    }
    LogHistory history = new LogHistory(settings, now, next);
    return (settings.keepsTable() ? history.ofTable() : history.cut())
        .map(where -> JobMessage.LOSTROWS.of(history.epoch()).with(where + "."));
  }

  private Optional<String> ofTable() throws IOException {
    LogCompaction kept;
    try (TopicAdmin admin =
        TopicAdmin.readOnly(settings.kafka(), Optional.empty(), Optional.empty())) {
      kept = admin.compaction(settings.topics().rows());
    }
    Optional<String> compacted = compacted(kept);
    return compacted.isPresent() ? compacted : deleted();
  }

  private String epoch() {
    return settings.schedule().label(next);
  }

  private long end() {
    return (next + 1) * settings.schedule().lengthMillis();
  }

  /**
   * Checks compaction: a key's row at the end of an epoch may be gone when a later change of the
   * key is older than the compaction lag.
   */
  private Optional<String> compacted(LogCompaction kept) {
    return kept.compacted() && end() < now - kept.lagMillis()
        ? Optional.of(
            "Topic "
                + settings.topics().rows()
                + " was compacted after its end (min.compaction.lag.ms "
                + kept.lagMillis()
                + ")")
        : Optional.empty();
  }

  /** Checks deletion: a table needs the last change of every key, however old. */
  private Optional<String> deleted() throws IOException {
    return look((consumer, partition, begin) -> missing(partition, begin));
  }

  private Optional<String> cut() throws IOException {
    EpochSchedule schedule = settings.schedule();
    long first = next * schedule.lengthMillis() - schedule.time().maxClockSkewMillis();
    if (first > now) {
      return Optional.empty();
    }
    return look(
        (consumer, partition, begin) -> {
          OptionalLong time = firstTime(consumer, partition, begin);
          boolean lost = time.isEmpty() || time.getAsLong() >= first;
          return lost ? missing(partition, begin) : "";
        });
  }

  /**
   * A check of a partition whose log begins at an offset above 0; returns what is wrong, or an
   * empty text.
   */
  @FunctionalInterface
  private interface Look {
    String at(Consumer<byte[], byte[]> consumer, TopicPartition partition, long begin)
        throws IOException;
  }

  private Optional<String> look(Look look) throws IOException {
    String topic = settings.topics().rows();
    try (Consumer<byte[], byte[]> consumer = settings.kafka().consumer()) {
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(Partitions.of(consumer, topic));
      for (Map.Entry<TopicPartition, Long> begin : begins.entrySet()) {
        String wrong =
            begin.getValue() > 0 ? look.at(consumer, begin.getKey(), begin.getValue()) : "";
        if (!wrong.isEmpty()) {
          return Optional.of(wrong);
        }
      }
      return Optional.empty();
    } catch (KafkaException e) {
      throw new IOException(
          "could not look up where topic " + topic + " begins: " + e.getMessage(), e);
    }
  }

  private String missing(TopicPartition partition, long begin) {
    return "Partition "
        + partition.partition()
        + " of topic "
        + partition.topic()
        + " has lost its records before offset "
        + begin;
  }

  /** Returns the timestamp of the first visible record, if there is one. */
  private static OptionalLong firstTime(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long begin) throws IOException {
    consumer.assign(List.of(partition));
    consumer.seek(partition, begin);
    long end = consumer.endOffsets(List.of(partition)).get(partition);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        return OptionalLong.of(record.timestamp());
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "the beginning of partition " + partition + " could not be read within " + PATIENCE);
      }
    }
    return OptionalLong.empty();
  }
}
