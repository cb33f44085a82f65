package io.gauze.pipeline.read;

import io.gauze.kafka.RowRecord;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;

/**
 * An operator that reads the log of rows. It keeps how far each partition has been read, and
 * refuses to read a record again.
 *
 * @param <O> the type of the output
 */
abstract class LogOperator<O> extends ReadingOperator<RowRecord, O> {
  private static final long serialVersionUID = 1L;

  private transient ReadOffsets offsets;
  private transient Counter beforeFirst;

  LogOperator(SketchJobSettings settings) {
    super(settings);
  }

  /** How far the log has been read. */
  final ReadOffsets offsets() {
    return offsets;
  }

  @Override
  public final void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    offsets = ReadOffsets.of(settings(), context.getOperatorStateStore());
  }

  @Override
  void open(MetricGroup metrics) {
    offsets.register(metrics);
    beforeFirst = metrics.counter("rowsBeforeFirstEpoch");
  }

  @Override
  final RowRecord begin(RowRecord record) {
    settings().probe().reached(FaultInjection.Step.FOLD_ROW);
    offsets.check(record);
    return record;
  }

  // Called last: a flush during the reading of the record must not report the record as read.
  @Override
  final void end(RowRecord record) {
    offsets.passed(record);
  }

  /** Counts a record before the first epoch, which no release will ever contain. */
  final void countBeforeFirst() {
    beforeFirst.inc();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    offsets.snapshot();
  }
}
