package io.gauze.pipeline.read;

import io.gauze.config.EpochSchedule;
import io.gauze.kafka.RowRecord;
import io.gauze.pipeline.ProtocolGuard;
import io.gauze.pipeline.SeriesState;
import io.gauze.row.RowRejectedException;
import io.gauze.stream.LateRowException;
import io.gauze.stream.SketchJobSettings;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;

/**
 * The base of the operators that read records of rows. It holds the state that identifies the
 * config, the guards against settings that would put rows or sums without noise into a checkpoint,
 * and the outputs of dead letters and late rows.
 *
 * @param <R> a type that has one record
 * @param <O> the type of the output
 */
abstract class ReadingOperator<R, O> extends AbstractStreamOperator<O> implements BoundedOneInput {
  private static final long serialVersionUID = 1L;

  private final SketchJobSettings settings;

  private transient SeriesState series;
  private transient DeadLetterOutputs letters;

  ReadingOperator(SketchJobSettings settings) {
    this.settings = settings;
  }

  final SketchJobSettings settings() {
    return settings;
  }

  /** The epochs, counted from the first epoch of the job's first start. */
  final EpochSchedule schedule() {
    return series.schedule();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    series = SeriesState.of(settings, context);
  }

  @Override
  public final void open() throws Exception {
    super.open();
    ProtocolGuard.checkJob(getContainingTask());
    MetricGroup metrics = getMetricGroup().addGroup("gauze");
    letters = new DeadLetterOutputs(output, metrics);
    open(metrics);
  }

  /** Prepares for the first record. */
  abstract void open(MetricGroup metrics) throws Exception;

  /** Reads a record, or makes it a dead letter or a late row. */
  final void process(R value) throws Exception {
    RowRecord record = begin(value);
    try {
      read(value);
    } catch (RowRejectedException e) {
      letters.dead(record, e.getMessage());
    } catch (LateRowException e) {
      letters.late(record, e.getMessage());
    }
    end(record);
  }

  /** Called before a record is read; an exception fails the job. */
  abstract RowRecord begin(R value);

  /**
   * Reads a record.
   *
   * @throws RowRejectedException if it is a dead letter; the reason contains no value of it
   * @throws LateRowException if it is too late for its epoch
   */
  abstract void read(R value) throws Exception;

  /** Called after each record, also after one that became a dead letter. */
  abstract void end(RowRecord record);

  @Override
  public final OperatorSnapshotFutures snapshotState(
      long checkpointId, long timestamp, CheckpointOptions options, CheckpointStreamFactory factory)
      throws Exception {
    ProtocolGuard.checkAligned(options);
    return super.snapshotState(checkpointId, timestamp, options, factory);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    series.snapshot();
  }
}
