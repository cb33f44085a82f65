package io.gauze.pipeline;

import io.gauze.kafka.RowRecord;
import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.Offsets;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Sends each record to the subtask that knows its key, and tells the accumulators how far the rows
 * have been read.
 *
 * <p>Between here and an accumulator there are many ways, so that what is told directly may come
 * before the rows that it speaks of. But a checkpoint that is complete has passed all of them: the
 * accumulator had then received every partial of the rows before it. So what is told is how far the
 * rows had been read at the last complete checkpoint; and at the end of a bounded stream where its
 * rows end, which counts when all ways have ended.
 */
public final class RouteOperator extends AbstractStreamOperator<RoutedRecord>
    implements OneInputStreamOperator<RowRecord, RoutedRecord>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  public static final OutputTag<CellMessage> PROGRESS =
      new OutputTag<>("progress", CellMessage.TYPE);

  private record Reached(long checkpoint, Offsets offsets) {}

  private final SketchJobSettings settings;

  private transient SeriesState series;
  private transient ReadOffsets read;
  private transient ArrayDeque<Reached> unconfirmed;
  private transient RecordKeys keys;
  private transient DeadLetterOutputs letters;
  private transient List<Cell> cells;
  private transient Counter beforeFirst;
  private transient boolean ended;

  public RouteOperator(SketchJobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    series = SeriesState.of(settings, context);
    read = ReadOffsets.of(settings, context.getOperatorStateStore());
  }

  @Override
  public void open() throws Exception {
    super.open();
    ProtocolGuard.checkJob(getContainingTask());
    MetricGroup metrics = getMetricGroup().addGroup("gauze");
    read.register(metrics);
    unconfirmed = new ArrayDeque<>();
    keys = new RecordKeys(settings);
    letters = new DeadLetterOutputs(output, metrics);
    beforeFirst = metrics.counter("rowsBeforeFirstEpoch");
    cells = settings.cells();
  }

  @Override
  public void processElement(StreamRecord<RowRecord> element) {
    RowRecord record = element.getValue();
    settings.probe().reached(FaultInjection.Step.FOLD_ROW);
    read.check(record, read.next(record.partition()));
    try {
      if (isBeforeFirst(record)) {
        beforeFirst.inc();
      } else if (keys.read(record) != Change.NONE) {
        route(record);
      }
    } catch (RowRejectedException e) {
      letters.dead(record, e.getMessage());
    }
    read.put(record.partition(), record.offset() + 1);
  }

  /** Of a table all that came before the first epoch belongs to the first snapshot. */
  private boolean isBeforeFirst(RowRecord record) {
    return !settings.keepsTable() && series.schedule().isBeforeFirst(record);
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
    tell(cell -> CellMessage.progressAtEnd(cell, read.now()));
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
      tell(cell -> CellMessage.progress(cell, confirmed));
    }
  }

  private void tell(Function<Cell, CellMessage> message) {
    for (Cell cell : cells) {
      output.collect(PROGRESS, new StreamRecord<>(message.apply(cell)));
    }
  }

  @Override
  public OperatorSnapshotFutures snapshotState(
      long checkpointId, long timestamp, CheckpointOptions options, CheckpointStreamFactory factory)
      throws Exception {
    ProtocolGuard.checkAligned(options);
    return super.snapshotState(checkpointId, timestamp, options, factory);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    series.snapshot();
    read.snapshot();
    unconfirmed.add(new Reached(context.getCheckpointId(), read.now()));
  }
}
