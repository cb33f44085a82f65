package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * A log in memory, and the methods of its reader that a second reading calls. Offsets that were
 * skipped when records were added stand for ends of transactions.
 */
public final class FakeLog {
  private final String topic;
  private final int batch;
  private final Map<Integer, TreeMap<Long, ConsumerRecord<byte[], byte[]>>> partitions =
      new HashMap<>();
  private long begin;

  /**
   * Creates an empty log.
   *
   * @param batch the most records of a partition that one poll returns
   */
  public FakeLog(String topic, int batch) {
    this.topic = topic;
    this.batch = batch;
  }

  public FakeLog add(int partition, long offset, long timestamp, String value) {
    partitions
        .computeIfAbsent(partition, any -> new TreeMap<>())
        .put(
            offset,
            new ConsumerRecord<>(
                topic,
                partition,
                offset,
                timestamp,
                TimestampType.LOG_APPEND_TIME,
                -1,
                -1,
                null,
                value.getBytes(UTF_8),
                new RecordHeaders(),
                Optional.empty()));
    return this;
  }

  /** Loses all records before an offset, of each partition. */
  public void deleteBefore(long offset) {
    begin = offset;
  }

  /** A reader with positions of its own. */
  @SuppressWarnings("unchecked")
  public Consumer<byte[], byte[]> open() {
    Map<TopicPartition, Long> positions = new HashMap<>();
    return (Consumer<byte[], byte[]>)
        Proxy.newProxyInstance(
            FakeLog.class.getClassLoader(),
            new Class<?>[] {Consumer.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "assign" ->
                      positions.keySet().retainAll((Collection<TopicPartition>) arguments[0]);
                  case "seek" -> positions.put((TopicPartition) arguments[0], (Long) arguments[1]);
                  case "position" -> positions.get((TopicPartition) arguments[0]);
                  case "poll" -> poll(positions);
                  case "beginningOffsets" ->
                      Map.of(((List<TopicPartition>) arguments[0]).get(0), begin);
                  case "close" -> null;
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  private ConsumerRecords<byte[], byte[]> poll(Map<TopicPartition, Long> positions) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found = new HashMap<>();
    for (Map.Entry<TopicPartition, Long> each : positions.entrySet()) {
      TopicPartition partition = each.getKey();
      long position = each.getValue();
      if (position < begin) {
        throw new OffsetOutOfRangeException(Map.of(partition, position));
      }
      var rest = partitions.get(partition.partition()).tailMap(position);
      List<ConsumerRecord<byte[], byte[]>> records =
          new ArrayList<>(rest.values().stream().limit(batch).toList());
      long next = records.isEmpty() ? position : records.get(records.size() - 1).offset() + 1;
      Long following = partitions.get(partition.partition()).ceilingKey(next);
      each.setValue(following == null ? next : following);
      found.put(partition, records);
    }
    return new ConsumerRecords<>(found, Map.of());
  }
}
