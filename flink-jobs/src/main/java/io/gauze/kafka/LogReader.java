package io.gauze.kafka;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;

/**
 * A reader that hands over many records in one element, as far as another reader has them at hand.
 * It keeps none between two calls, so its state is that of the other reader: a checkpoint is never
 * between the records of an element.
 *
 * @param <S> the type of the splits
 */
final class LogReader<S extends SourceSplit> implements SourceReader<RowRecords, S> {
  /** The most records of an element, for which a barrier waits. */
  static final int MOST = 256;

  /** The bytes of values from which on an element is full, since wide rows take longer. */
  static final int MOST_BYTES = 1 << 16;

  private final SourceReader<RowRecord, S> reader;
  private final Counter emitted;
  private final Batch batch = new Batch();

  /**
   * Wraps a reader.
   *
   * @param emitted counts the elements that the source emits; it is made to count records
   */
  LogReader(SourceReader<RowRecord, S> reader, Counter emitted) {
    this.reader = reader;
    this.emitted = emitted;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<RowRecords> output) throws Exception {
    batch.output = output;
    InputStatus status = reader.pollNext(batch);
    for (int i = 1; i < MOST && status == InputStatus.MORE_AVAILABLE && !batch.isFull(); i++) {
      status = reader.pollNext(batch);
    }
    if (batch.size > 0) {
      emitted.inc(batch.size - 1L);
      RowRecords rows = RowRecords.ofArray(Arrays.copyOf(batch.records, batch.size));
      output.collect(rows, batch.timestamp); // Flink's metrics tell the lag by it
      batch.clear();
    }
    return status;
  }

  /**
   * The records of one call. The other reader emits at most one at each poll, and no watermarks.
   */
  private static final class Batch implements ReaderOutput<RowRecord> {
    private final RowRecord[] records = new RowRecord[MOST];
    private int size;
    private int bytes;
    private long timestamp;
    private ReaderOutput<RowRecords> output;

    boolean isFull() {
      return bytes >= MOST_BYTES;
    }

    void clear() {
      Arrays.fill(records, 0, size, null);
      size = 0;
      bytes = 0;
    }

    @Override
    public void collect(RowRecord row) {
      collect(row, row.timestamp());
    }

    @Override
    public void collect(RowRecord row, long time) {
      records[size++] = row;
      bytes += row.length();
      timestamp = time;
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      throw new IllegalStateException("the log has no watermarks");
    }

    @Override
    public void markIdle() {}

    @Override
    public void markActive() {}

    @Override
    public SourceOutput<RowRecord> createOutputForSplit(String split) {
      output.createOutputForSplit(split);
      return this;
    }

    @Override
    public void releaseOutputForSplit(String split) {
      output.releaseOutputForSplit(split);
    }
  }

  @Override
  public void start() {
    reader.start();
  }

  @Override
  public List<S> snapshotState(long checkpointId) {
    return reader.snapshotState(checkpointId);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return reader.isAvailable();
  }

  @Override
  public void addSplits(List<S> splits) {
    reader.addSplits(splits);
  }

  @Override
  public void notifyNoMoreSplits() {
    reader.notifyNoMoreSplits();
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    reader.handleSourceEvents(event);
  }

  @Override
  public void pauseOrResumeSplits(Collection<String> paused, Collection<String> resumed) {
    reader.pauseOrResumeSplits(paused, resumed);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    reader.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    reader.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void close() throws Exception {
    reader.close();
  }
}
