package io.gauze.pipeline;

import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.SketchJobSettings;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.TimestampedCollector;

/**
 * The accumulators' operator: refuses a state backend that would keep old versions of a sum, and
 * the state of another config.
 */
public final class AccumulateOperator extends KeyedProcessOperator<String, CellMessage, SealedBlock>
    implements BoundedOneInput {
  private static final long serialVersionUID = 2L;

  private final AccumulateFunction function;
  private final SketchJobSettings settings;

  private transient SeriesState series;

  public AccumulateOperator(SketchJobSettings settings) {
    this(new AccumulateFunction(settings), settings);
  }

  private AccumulateOperator(AccumulateFunction function, SketchJobSettings settings) {
    super(function);
    this.function = function;
    this.settings = settings;
  }

  // Not left to the operators before this one: those of another unit of privacy are other ones.
  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    series = SeriesState.of(settings, context);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    series.snapshot();
  }

  @Override
  public void open() throws Exception {
    ProtocolGuard.checkBackend(getKeyedStateBackend());
    super.open();
    forEachCell(cell -> function.countRestored());
  }

  @Override
  public void endInput() throws Exception {
    TimestampedCollector<SealedBlock> out = new TimestampedCollector<>(output);
    forEachCell(cell -> function.end(cell, out));
  }

  /** What is done under the key of a cell. */
  @FunctionalInterface
  private interface CellStep {
    void apply(Cell cell) throws Exception;
  }

  /** For the cells of this subtask. */
  private void forEachCell(CellStep step) throws Exception {
    AbstractKeyedStateBackend<?> backend = (AbstractKeyedStateBackend<?>) getKeyedStateBackend();
    for (Cell cell : settings.cells()) {
      int keyGroup =
          KeyGroupRangeAssignment.assignToKeyGroup(
              cell.key(), getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks());
      if (backend.getKeyGroupRange().contains(keyGroup)) {
        setCurrentKey(cell.key());
        step.apply(cell);
      }
    }
  }
}
