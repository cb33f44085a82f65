package io.gauze.pipeline.read;

import io.gauze.kafka.RowRecord;
import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.stream.CellMessage;
import io.gauze.stream.KeyGroups;
import io.gauze.stream.Offsets;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Sends each record to the subtask that holds the state of its key, and tells the accumulators how
 * far the rows have been read.
 *
 * <p>Records take many channels from this operator to an accumulator, so a direct message about
 * progress could overtake the rows that it is about. But when a checkpoint is complete, its barrier
 * has passed all channels: every accumulator has received the partials of all rows before it. So
 * this operator sends how far the rows had been read at the last complete checkpoint. At the end of
 * a bounded stream it sends where the rows end, which counts when all input of the accumulator has
 * ended.
 */
public final class RouteOperator extends LogOperator<RoutedRecord> {
  private static final long serialVersionUID = 3L;

  public static final OutputTag<CellMessage> PROGRESS =
      new OutputTag<>("progress", CellMessage.TYPE);

  private record Reached(long checkpoint, Offsets offsets) {}

  private transient ArrayDeque<Reached> unconfirmed;
  private transient RecordKeys keys;
  private transient List<String> accumulators;
  private transient boolean ended;

  public RouteOperator(SketchJobSettings settings) {
    super(settings);
  }

  @Override
  void open(MetricGroup metrics) {
    super.open(metrics);
    unconfirmed = new ArrayDeque<>();
    keys = new RecordKeys(settings());
    accumulators =
        KeyGroups.keys(getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks());
  }

  @Override
  void read(RowRecord record) throws RowRejectedException {
    if (isBeforeFirst(record)) {
      countBeforeFirst();
    } else if (keys.read(record) != Change.NONE) {
      route(record);
    }
  }

  /**
   * Returns whether no release will contain the record. In a table, the first snapshot contains all
   * changes before the first epoch.
   */
  private boolean isBeforeFirst(RowRecord record) {
    return !settings().keepsTable() && schedule().isBeforeFirst(record);
  }

  private void route(RowRecord record) {
    String before = keys.before();
    String after = keys.after();
    if (before.isEmpty() || after.isEmpty() || before.equals(after)) {
      send(after.isEmpty() ? before : after, RoutedRecord.Part.WHOLE, record);
    } else {
      send(before, RoutedRecord.Part.BEFORE, record);
      send(after, RoutedRecord.Part.AFTER, record);
    }
  }

  private void send(String key, RoutedRecord.Part part, RowRecord record) {
    output.collect(new StreamRecord<>(new RoutedRecord(key, part, record)));
  }

  @Override
  public void endInput() {
    ended = true;
    Offsets end = offsets().now();
    tell(key -> CellMessage.progressAtEnd(key, end));
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    Offsets reached = null;
    while (!unconfirmed.isEmpty() && unconfirmed.peek().checkpoint() <= checkpointId) {
      reached = unconfirmed.remove().offsets();
    }
    if (reached != null && !ended) {
      Offsets confirmed = reached;
      tell(key -> CellMessage.progress(key, confirmed));
    }
  }

  private void tell(Function<String, CellMessage> message) {
    for (String key : accumulators) {
      output.collect(PROGRESS, new StreamRecord<>(message.apply(key)));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    unconfirmed.add(new Reached(context.getCheckpointId(), offsets().now()));
  }
}
