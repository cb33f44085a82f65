package io.gauze.kafka;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/**
 * A reader that emits many records at each call, as far as another reader has them at hand. Between
 * two calls a task looks for barriers, timers and other mail, which takes longer than to emit a
 * record.
 *
 * @param <T> the type of the records
 * @param <S> the type of the splits
 */
final class LogReader<T, S extends SourceSplit> implements SourceReader<T, S> {
  /** The most records at a call: a barrier waits for less than a millisecond. */
  static final int MOST = 256;

  private final SourceReader<T, S> reader;

  /** Wraps a reader. */
  LogReader(SourceReader<T, S> reader) {
    this.reader = reader;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    InputStatus status = reader.pollNext(output);
    for (int i = 1; i < MOST && status == InputStatus.MORE_AVAILABLE; i++) {
      status = reader.pollNext(output);
    }
    return status;
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
