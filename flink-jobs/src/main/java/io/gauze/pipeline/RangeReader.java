package io.gauze.pipeline;

import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecordSchema;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.SketchJobSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads ranges of the log of rows: of each partition one after the other, of all partitions in
 * turns. Not thread-safe.
 */
final class RangeReader implements AutoCloseable {
  /** How long one call waits for records: short, since checkpoints wait for the call. */
  private static final Duration POLL = Duration.ofMillis(20);

  /** Takes what is read. */
  interface Rows {
    /** Takes a record of the task's range. */
    void row(SecondRead read, RowRecord record);

    /** Takes a task that has been read to the end of its range. */
    void done(SecondRead read);
  }

  /** The tasks of a partition, of which the first one is being read. */
  private static final class Lane {
    private final Deque<SecondRead> tasks = new ArrayDeque<>();
    private long next; // the next offset of the first task

    /** Ends the tasks that lie before an offset, as far as the log has been read for them. */
    private void finish(long offset, Rows out) {
      long passed = next;
      while (!tasks.isEmpty() && next >= passed && offset >= tasks.element().range().to()) {
        out.done(tasks.remove());
        next = tasks.isEmpty() ? next : tasks.element().range().from();
      }
    }

    /** Reads records, and returns whether it has taken all of them. */
    private boolean read(List<ConsumerRecord<byte[], byte[]>> records, Rows out) {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        long passed = next;
        finish(record.offset(), out);
        if (tasks.isEmpty() || next < passed) {
          return false; // rows of the next epoch lie between those of this one
        }
        if (record.offset() >= next) {
          out.row(tasks.element(), RowRecordSchema.row(record));
          next = record.offset() + 1;
        }
      }
      return true;
    }
  }

  private final SketchJobSettings settings;
  private final Supplier<Consumer<byte[], byte[]>> clients;
  private final Map<Integer, Lane> lanes = new TreeMap<>(); // those with tasks
  private final Set<TopicPartition> assigned = new HashSet<>(); // all of them have a lane
  private Consumer<byte[], byte[]> client;

  /**
   * Creates a reader.
   *
   * @param clients opens a client when there is the first task; it must fail at offsets that the
   *     log does not hold
   */
  RangeReader(SketchJobSettings settings, Supplier<Consumer<byte[], byte[]>> clients) {
    this.settings = settings;
    this.clients = clients;
  }

  void add(SecondRead read) {
    Lane lane = lanes.computeIfAbsent(read.partition(), any -> new Lane());
    if (lane.tasks.isEmpty()) {
      lane.next = read.range().from();
    }
    lane.tasks.add(read);
  }

  boolean isDone() {
    return lanes.isEmpty();
  }

  /** Returns what is left of each task. */
  List<SecondRead> rest() {
    List<SecondRead> rest = new ArrayList<>();
    for (Lane lane : lanes.values()) {
      rest.add(lane.tasks.element().from(lane.next));
      lane.tasks.stream().skip(1).forEach(rest::add);
    }
    return rest;
  }

  /**
   * Reads some more records, and waits for them for a moment.
   *
   * @throws LastingFaultException if the log has lost the next record of a task
   */
  void poll(Rows out) throws LastingFaultException {
    assign();
    ConsumerRecords<byte[], byte[]> records = records();
    for (TopicPartition partition : List.copyOf(assigned)) {
      Lane lane = lanes.get(partition.partition());
      if (lane.read(records.records(partition), out)) {
        // The log may go on behind the last record, with ends of transactions.
        lane.next = Math.max(lane.next, client.position(partition));
        lane.finish(lane.next, out);
      }
      if (lane.tasks.isEmpty()) {
        lanes.remove(partition.partition());
        assigned.remove(partition);
      } else if (client.position(partition) != lane.next) {
        client.seek(partition, lane.next);
      }
    }
  }

  private void assign() {
    if (client == null) {
      client = clients.get();
    }
    Set<TopicPartition> wanted = new HashSet<>();
    String topic = settings.topics().rows();
    lanes.keySet().forEach(partition -> wanted.add(new TopicPartition(topic, partition)));
    if (wanted.equals(assigned)) {
      return;
    }
    client.assign(wanted);
    for (TopicPartition partition : wanted) {
      if (assigned.add(partition)) {
        client.seek(partition, lanes.get(partition.partition()).next);
      }
    }
  }

  private ConsumerRecords<byte[], byte[]> records() throws LastingFaultException {
    try {
      return client.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      throw lost(e.partitions().iterator().next());
    }
  }

  private LastingFaultException lost(TopicPartition partition) {
    Lane lane = lanes.get(partition.partition());
    SecondRead read = lane.tasks.element();
    return LastingFaultException.lostBeforeSecondReading(
        settings.plan().stream(),
        settings.schedule().label(read.epoch()),
        "Partition "
            + partition.partition()
            + " of topic "
            + partition.topic()
            + " begins at offset "
            + client.beginningOffsets(List.of(partition)).get(partition)
            + " now, and rows from offset "
            + lane.next
            + " to "
            + (read.range().to() - 1)
            + " are still to be read");
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
