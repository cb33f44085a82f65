package io.gauze.pipeline.read;

import io.gauze.kafka.RowRecord;
import io.gauze.message.Message;
import io.gauze.stream.JobMessage;
import io.gauze.stream.Offsets;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.Partitions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.MapTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far each partition of the rows topic has been read. Kafka's consumer does not report two
 * faults, which this class finds. If a topic was created anew, its log begins again and rows would
 * count twice: a record before the last one is refused. If the log has lost records that were not
 * read yet, the consumer skips them: that is logged and counted.
 */
final class ReadOffsets {
  private static final Logger LOG = LoggerFactory.getLogger(ReadOffsets.class);

  private static final TypeInformation<Map<Integer, Long>> OFFSETS =
      new MapTypeInfo<>(BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);

  /**
   * Union state: after a change of the parallelism, any subtask may read any partition, so each
   * restores the offsets of all.
   */
  private static final ListStateDescriptor<Map<Integer, Long>> READ =
      new ListStateDescriptor<>("read-v1", OFFSETS);

  private static final int NO_PARTITION = -1;

  private final SketchJobSettings settings;
  private final ListState<Map<Integer, Long>> state;
  private final Map<Integer, Long> read = new TreeMap<>(); // without the partition of the last row
  private final Map<Integer, Long> advanced = new TreeMap<>(); // since the last takeAdvanced
  private final Map<Integer, Long> harmless = new TreeMap<>(); // the largest gap without a loss
  private Counter lost = new SimpleCounter();
  private int partition = NO_PARTITION; // of the last row
  private long next;

  private ReadOffsets(SketchJobSettings settings, ListState<Map<Integer, Long>> state) {
    this.settings = settings;
    this.state = state;
  }

  /** Returns the offsets of the restored state; none in a new job. */
  static ReadOffsets of(SketchJobSettings settings, OperatorStateStore store) throws Exception {
    ReadOffsets offsets = new ReadOffsets(settings, store.getUnionListState(READ));
    for (Map<Integer, Long> each : offsets.state.get()) {
      each.forEach((partition, next) -> offsets.read.merge(partition, next, Math::max));
    }
    return offsets;
  }

  /** Registers the counter of offsets that the log lost before they were read. */
  void register(MetricGroup metrics) {
    lost = metrics.counter("lostOffsets");
  }

  /**
   * Refuses a record that was read before, and checks whether the log has lost records before it.
   *
   * @throws PrivacyConflictException if the record's offset is lower than the next one
   * @throws org.apache.kafka.common.KafkaException if the broker cannot tell where the log begins
   */
  void check(RowRecord record) {
    if (record.partition() != partition) {
      store();
      partition = record.partition();
      next = read.getOrDefault(partition, 0L);
    }
    if (record.offset() < next) {
      throw PrivacyConflictException.readAgain(settings, record, next);
    }
    // Ends of transactions and compaction also leave gaps, without a loss, and each gap would cost
    // a request to Kafka. Retention removes whole segments, so a gap is checked if it is larger
    // than all those of its partition that were harmless. Where a partition is read first, its log
    // may begin anywhere.
    long gap = record.offset() - next;
    if (gap > 0 && (next > 0 || read.containsKey(partition))) {
      checkGap(gap);
    }
  }

  private void checkGap(long gap) {
    if (gap > harmless.getOrDefault(partition, 0L)) {
      countLost(gap);
    }
  }

  private void countLost(long gap) {
    String topic = settings.topics().rows();
    long begin = Partitions.begin(settings.kafka(), topic, partition);
    if (begin <= next) {
      harmless.put(partition, gap);
      return;
    }
    lost.inc(begin - next);
    TopicPartition log = new TopicPartition(topic, partition);
    LOG.error("{}", lostRows(settings.plan().stream(), log, next, begin).line());
  }

  /** Says that a log, which was read up to an offset, begins at a later one. */
  static Message lostRows(String stream, TopicPartition log, long read, long begin) {
    return JobMessage.SKIPPEDROWS
        .of(stream, log.partition(), read, begin)
        .with("The topic is " + log.topic() + ".");
  }

  /** Marks the record as read, after everything that follows from it is done. */
  void passed(RowRecord record) {
    partition = record.partition();
    next = record.offset() + 1;
  }

  private void store() {
    if (partition != NO_PARTITION) {
      read.put(partition, next);
      advanced.put(partition, next);
    }
  }

  /** Returns how far all partitions have been read. */
  Offsets now() {
    store();
    return Offsets.of(read);
  }

  /** Returns how far the partitions with new records since the last call have been read. */
  Offsets takeAdvanced() {
    store();
    partition = NO_PARTITION;
    Offsets all = Offsets.of(advanced);
    advanced.clear();
    return all;
  }

  void snapshot() throws Exception {
    store();
    state.update(List.of(new TreeMap<>(read)));
  }
}
