package io.gauze.topic;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds where the rows of a topic end now: per partition, the offset after the last record that a
 * reader of committed records sees, or 0 if it sees none. The broker's own end offset is not
 * suitable: transaction markers and aborted records lie below it, so a reader that waits for a
 * record there would wait forever. The last stable offset is not suitable either: one open
 * transaction would hide the records after it, and so decide which other rows are in an epoch. So
 * this class waits for open transactions to end.
 */
public final class VisibleEnds {
  private static final Logger LOG = LoggerFactory.getLogger(VisibleEnds.class);

  /** By default, brokers end a transaction after at most 15 minutes; this is longer. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private static final Duration POLL = Duration.ofMillis(200);
  private static final long FIRST_STEP = 1;
  private static final long STEP_FACTOR = 32;

  private final Admin admin;
  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final Duration patience;
  private final java.util.function.Consumer<String> said;

  /**
   * Creates a finder.
   *
   * @param consumer reads committed records; used by this object alone during a call
   * @param patience how long one partition may take before an {@link IOException}: longer than
   *     transactions may stay open
   */
  public VisibleEnds(
      Admin admin, Consumer<byte[], byte[]> consumer, String topic, Duration patience) {
    this(admin, consumer, topic, patience, LOG::warn);
  }

  /** Creates a finder that tells {@code said} what it waits for, and not the log. */
  public VisibleEnds(
      Admin admin,
      Consumer<byte[], byte[]> consumer,
      String topic,
      Duration patience,
      java.util.function.Consumer<String> said) {
    this.admin = admin;
    this.consumer = consumer;
    this.topic = topic;
    this.patience = patience;
    this.said = said;
  }

  /**
   * Returns where a topic ends now; opens its own clients.
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
   * Returns the end of every partition that the topic has now, by partition. Cost: one or a few
   * fetches a partition.
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

  private long visibleEnd(TopicPartition partition, long begin, long end)
      throws IOException, InterruptedException {
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

  private long lastBetween(TopicPartition partition, long lower, long upper)
      throws IOException, InterruptedException {
    consumer.assign(List.of(partition));
    consumer.seek(partition, lower);
    long deadline = System.nanoTime() + patience.toNanos();
    OpenTransactions open = new OpenTransactions(admin, said);
    long last = -1;
    while (consumer.position(partition) < upper) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.offset() < upper) {
          last = Math.max(last, record.offset());
        }
      }
      open.waiting(partition, upper);
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
