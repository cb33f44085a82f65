package io.gauze.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the rows of a topic end now: per partition, the offset after its last record that a reader
 * of committed records sees, or 0 if it sees none. The broker's own end offset does not do:
 * transaction markers and aborted records lie below it, and a reader that waits to have read a
 * record there would wait for ever. Nor does the last stable offset: one open transaction would
 * hide the records behind it, and so decide what else is in an epoch. So open transactions are
 * waited for.
 */
public final class VisibleEnds {
  /** Brokers end a transaction after 15 minutes at the latest, unless they are told otherwise. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final long FIRST_STEP = 1;
  private static final long STEP_FACTOR = 32;

  private final Admin admin;
  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Duration patience;

  /**
   * @param consumer reads committed records; used by this object alone while a call lasts
   * @param patience how long one partition may take before an {@link IOException}: longer than
   *     transactions may stay open
   */
  public VisibleEnds(
      Admin admin, Consumer<byte[], byte[]> consumer, String topic, Duration patience) {
    this.admin = admin;
    this.consumer = consumer;
    this.topic = topic;
    this.patience = patience;
  }

  /**
   * Where a topic ends now, by clients that are opened for it.
   *
   * @throws IOException if the broker does not answer, or transactions stay open
   */
  public static Map<Integer, Long> now(KafkaAccess kafka, String topic) throws IOException {
    try (Admin admin = kafka.admin();
        Consumer<byte[], byte[]> consumer = kafka.consumer()) {
      return new VisibleEnds(admin, consumer, topic, PATIENCE).find();
    } catch (ExecutionException e) {
      throw new IOException(
          "the ends of topic " + topic + " could not be read: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading the ends of topic " + topic, e);
    }
  }

  /**
   * Partition to end, for all partitions that the topic has now. Cost: one fetch or a few a
   * partition.
   */
  public Map<Integer, Long> find() throws IOException, InterruptedException, ExecutionException {
    List<TopicPartition> partitions = Partitions.of(consumer, topic);
    if (partitions.isEmpty()) {
      throw new IOException("topic " + topic + " does not exist");
    }
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    ListOffsetsResult ends =
        admin.listOffsets(
            partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())),
            new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED));
    Map<Integer, Long> visible = new TreeMap<>();
    for (TopicPartition partition : partitions) {
      visible.put(
          partition.partition(),
          visibleEnd(
              partition, begins.get(partition), ends.partitionResult(partition).get().offset()));
    }
    return visible;
  }

  private long visibleEnd(TopicPartition partition, long begin, long end) throws IOException {
    long upper = end;
    for (long step = FIRST_STEP; upper > begin; step *= STEP_FACTOR) {
      long lower = Math.max(begin, end - step);
      long last = lastBetween(partition, lower, upper);
      if (last >= 0) {
        return last + 1;
      }
      upper = lower;
    }
    return 0;
  }

  private long lastBetween(TopicPartition partition, long lower, long upper) throws IOException {
    consumer.assign(List.of(partition));
    consumer.seek(partition, lower);
    long deadline = System.nanoTime() + patience.toNanos();
    long last = -1;
    while (consumer.position(partition) < upper) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() < upper) {
          last = Math.max(last, record.offset());
        }
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "the end of partition "
                + partition
                + " could not be read within "
                + patience
                + "; check that the broker is up and that no transaction stays open longer");
      }
    }
    return last;
  }
}
