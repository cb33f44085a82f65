package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.config.EpochSchedule;
import io.gauze.kafka.Partitions;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.release.Release;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * First stages of earlier epochs, as they are published. Nothing that is not published is used,
 * whatever noise it has: after a loss of state, the same rows may get another noise, and only one
 * of both may ever be seen.
 */
interface PublishedStages extends AutoCloseable {
  /** Opens the stages of a stream where the job runs. */
  interface Factory extends Serializable {
    PublishedStages open(EpochSchedule schedule);
  }

  /**
   * Returns the first stages that are published of the epochs before an epoch, as many as the
   * mechanism takes beside that epoch's own; in their order. Waits for no release.
   *
   * @param cell any cell of the group and sketch
   * @throws IOException if the broker does not answer
   */
  List<long[]> before(Cell cell, long epoch, TwoStageMechanism mechanism) throws IOException;

  @Override
  void close();

  /** Follows the topic of releases from the time on at which the first epoch in question ended. */
  final class InTopic implements PublishedStages {
    private static final Logger LOG = LoggerFactory.getLogger(InTopic.class);
    private static final Duration POLL = Duration.ofMillis(200);

    private final SketchJobSettings settings;
    private final EpochSchedule schedule;
    private final Map<String, TreeMap<Long, long[]>> stages = new HashMap<>(); // by place, epoch
    private final List<TopicPartition> partitions = new ArrayList<>();
    private Consumer<byte[], byte[]> consumer;

    InTopic(SketchJobSettings settings, EpochSchedule schedule) {
      this.settings = settings;
      this.schedule = schedule;
    }

    @Override
    public List<long[]> before(Cell cell, long epoch, TwoStageMechanism mechanism)
        throws IOException {
      long first = epoch - mechanism.modelEpochs() + 1;
      try {
        open(first);
        Partitions.readToEnd(consumer, partitions, settings.topics().releases(), this::poll);
      } catch (KafkaException e) {
        throw new IOException(
            "topic "
                + settings.topics().releases()
                + " could not be read for the model of an epoch: "
                + e.getMessage(),
            e);
      }
      TreeMap<Long, long[]> found =
          stages.getOrDefault(place(cell.group(), cell.sketch()), new TreeMap<>());
      found.headMap(first).clear(); // epochs come in order
      return List.copyOf(found.headMap(epoch).values());
    }

    // An epoch is published after it ended, so nothing in question is before that time.
    private void open(long first) {
      if (consumer != null) {
        return;
      }
      consumer = settings.kafka().consumer();
      partitions.addAll(Partitions.of(consumer, settings.topics().releases()));
      consumer.assign(partitions);
      long ended = Math.max(0, schedule.cutMillis(first));
      Map<TopicPartition, Long> times = new HashMap<>();
      partitions.forEach(partition -> times.put(partition, ended));
      consumer.seekToEnd(partitions);
      for (Map.Entry<TopicPartition, OffsetAndTimestamp> since :
          consumer.offsetsForTimes(times).entrySet()) {
        if (since.getValue() != null) { // null: there is nothing since then
          consumer.seek(since.getKey(), since.getValue().offset());
        }
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
        if (release.isOf(settings.plan())
            && settings.plan().sketch(id.sketch()).mechanism() instanceof TwoStageMechanism two
            && two.modelEpochs() > 1) {
          stages
              .computeIfAbsent(place(id.group(), id.sketch()), place -> new TreeMap<>())
              .put(epoch.getAsLong(), Arrays.copyOf(release.numbers(), two.spec().stateLength()));
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
}
