package io.gauze.pipeline.read;

import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * An operator that reads the log of rows. It keeps how far each partition has been read, and
 * refuses to read a record again.
 *
 * @param <O> the type of the output
 */
abstract class LogOperator<O> extends ReadingOperator<RowRecord, O>
    implements OneInputStreamOperator<RowRecords, O> {
  private static final long serialVersionUID = 1L;

  private transient ReadOffsets offsets;
  private transient Counter beforeFirst;
  private transient Counter received;

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
    received = getMetricGroup().getIOMetricGroup().getNumRecordsInCounter();
  }

  @Override
  public final void processElement(StreamRecord<RowRecords> element) throws Exception {
    RowRecords records = element.getValue();
    for (int i = 0; i < records.size(); i++) {
      process(records.get(i));
    }
    received.inc(records.size() - 1L); // Flink has counted the element
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
