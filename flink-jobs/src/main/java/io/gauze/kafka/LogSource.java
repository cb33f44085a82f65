package io.gauze.kafka;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A Kafka source that hands over many records at a time, see {@link LogReader}, and that also ends
 * after a restore if it is bounded. Kafka's own source (5.0.0) signals its readers that no more
 * partitions follow only after it has assigned a new one. A restored job has no new partition, so
 * its readers would wait forever. The state is that of Kafka's own source.
 */
public final class LogSource
    implements Source<RowRecords, KafkaPartitionSplit, KafkaSourceEnumState> {
  private static final long serialVersionUID = 1L;

  private final KafkaSource<RowRecord> source;

  /** Wraps a source. */
  public LogSource(KafkaSource<RowRecord> source) {
    this.source = source;
  }

  @Override
  public Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public SourceReader<RowRecords, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    return new LogReader<>(
        source.createReader(context),
        context.metricGroup().getIOMetricGroup().getNumRecordsOutCounter());
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return source.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws IOException {
    SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restored =
        source.restoreEnumerator(context, state);
    // Before the first discovery all partitions are new, and Kafka's enumerator ends its readers.
    boolean mayWait = getBoundedness() == Boundedness.BOUNDED && state.initialDiscoveryFinished();
    return mayWait ? new Restored(restored, context) : restored;
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return source.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  /** Assigns each reader its remaining partitions, if any, and signals that no more follow. */
  private static final class Restored
      implements SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> {
    private final SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> kafkas;
    private final SplitEnumeratorContext<KafkaPartitionSplit> context;

    Restored(
        SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> kafkas,
        SplitEnumeratorContext<KafkaPartitionSplit> context) {
      this.kafkas = kafkas;
      this.context = context;
    }

    @Override
    public void start() {
      kafkas.start();
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
      kafkas.handleSplitRequest(subtask, host);
    }

    @Override
    public void addSplitsBack(List<KafkaPartitionSplit> splits, int subtask) {
      kafkas.addSplitsBack(splits, subtask);
    }

    @Override
    public void addReader(int subtask) {
      kafkas.addReader(subtask);
      context.signalNoMoreSplits(subtask);
    }

    @Override
    public KafkaSourceEnumState snapshotState(long checkpointId) throws Exception {
      return kafkas.snapshotState(checkpointId);
    }

    @Override
    public void close() throws IOException {
      kafkas.close();
    }
  }
}
