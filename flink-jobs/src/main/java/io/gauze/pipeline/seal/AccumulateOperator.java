package io.gauze.pipeline.seal;

import io.gauze.pipeline.ProtocolGuard;
import io.gauze.pipeline.RateLimiter;
import io.gauze.pipeline.SealedBlock;
import io.gauze.pipeline.SeriesState;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import io.gauze.stream.StateSizeGauges;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the partials of each cell to the sum of their epoch, and seals an epoch when the rows of all
 * partitions have been folded up to the epoch's cut. The stream decides what a sealed block holds:
 * see {@link Accumulation}. The operator is keyed by {@link Cell#key}.
 *
 * <p>It refuses a state backend that would keep old versions of a sum, and the state of another
 * config.
 */
public final class AccumulateOperator extends AbstractStreamOperator<SealedBlock>
    implements OneInputStreamOperator<CellMessage, SealedBlock>, BoundedOneInput {
  /** The output of sealed cells for which rows are read again. */
  public static final OutputTag<SealedBlock> FIRST_STAGE =
      new OutputTag<>("first-stage", SealedBlock.TYPE);

  private static final long serialVersionUID = 4L;
  private static final Logger LOG = LoggerFactory.getLogger(AccumulateOperator.class);

  private final SketchJobSettings settings;

  private transient SeriesState series;
  private transient CellState state;
  private transient Accumulation accumulation;
  private transient Counter lateBlocks;
  private transient Counter sealedBlocks;
  private transient RateLimiter lateLog;
  private transient Map<String, SketchParts> parts;

  public AccumulateOperator(SketchJobSettings settings) {
    this.settings = settings;
  }

  // The restored state is checked here as well as in the operators upstream: under another unit of
  // privacy those are other operators, which find no state to check.
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
    MetricGroup metrics = getMetricGroup().addGroup("gauze");
    lateBlocks = metrics.counter("lateBlocks");
    sealedBlocks = metrics.counter("sealedBlocks");
    lateLog = new RateLimiter();
    parts = new HashMap<>();
    settings
        .plan()
        .sketches()
        .forEach(sketch -> parts.put(sketch.name(), SketchParts.of(sketch.mechanism())));
    boolean readsTwice = !settings.readAgain().isEmpty();
    state = new CellState(getRuntimeContext(), new StateSizeGauges(metrics), readsTwice);
    accumulation = Accumulation.of(settings, state, metrics);
    forEachCell(cell -> state.countRestored());
  }

  @Override
  public void processElement(StreamRecord<CellMessage> element) throws Exception {
    settings.probe().reached(FaultInjection.Step.ACCUMULATE);
    CellMessage message = element.getValue();
    switch (message.kind()) {
      case PARTIAL -> add(message);
      case PROGRESS -> {
        state.advance(message.offsets());
        sealComplete(message.cell());
      }
      case PROGRESS_AT_END -> state.advanceAtEnd(message.offsets());
      case CUT -> {
        state.cut(message.epoch(), message.offsets());
        sealComplete(message.cell());
      }
      case RANGE -> addRange(message);
    }
  }

  private void addRange(CellMessage range) throws Exception {
    OptionalLong sealed = state.sealedThrough();
    if (sealed.isEmpty() || range.epoch() > sealed.getAsLong()) {
      state.addRanges(range.epoch(), range.ranges());
    }
  }

  private void add(CellMessage partial) throws Exception {
    OptionalLong sealed = state.sealedThrough();
    if (sealed.isEmpty() || partial.epoch() > sealed.getAsLong()) {
      accumulation.add(partial);
      return;
    }
    lateBlocks.inc();
    if (lateLog.isDue(getProcessingTimeService().getCurrentProcessingTime())) {
      LOG.error(lateRows(settings, partial.epoch(), sealed.getAsLong()));
    }
    accumulation.addLate(partial, sealed.getAsLong() + 1);
  }

  /** Returns the log line about rows that arrived after their epoch was sealed. */
  public static String lateRows(SketchJobSettings settings, long epoch, long sealed) {
    String one = settings.keepsTable() ? "snapshot" : "release";
    String where = "no " + one + ", since it was the last";
    if (!settings.keepsTable() && !settings.isCumulative()) {
      where = "no release of it";
    } else if (sealed < settings.lastRelease(settings.schedule())) {
      where = "the next " + one;
    }
    return "Rows came for epoch "
        + settings.schedule().label(epoch)
        + " after it was sealed, so they are in "
        + where
        + ": a clock that sets the rows' timestamps is behind by more than epochs.sealDelay. Raise"
        + " it, since the guarantee assumes it; the counter lateBlocks counts all.";
  }

  // Cuts come in the order of the epochs, without gaps, and the ends of the partitions never
  // decrease. So epochs are also sealed in order.
  private void sealComplete(Cell cell) throws Exception {
    Accumulation.Sealing sealing = accumulation.sealing(cell);
    OptionalLong next = state.nextComplete();
    while (next.isPresent()) {
      seal(cell, next.getAsLong(), sealing);
      next = state.nextComplete();
    }
  }

  private void seal(Cell cell, long epoch, Accumulation.Sealing sealing) throws Exception {
    settings.probe().reached(FaultInjection.Step.SEAL);
    Optional<byte[]> block = sealing.block(epoch);
    RowRanges ranges = state.ranges(epoch);
    state.seal(epoch);
    if (block.isPresent()) {
      sealedBlocks.inc();
      send(new SealedBlock(cell, epoch, block.get(), ranges));
    } else if (isReadAgain(cell)) {
      send(SealedBlock.published(cell, epoch));
    }
  }

  private boolean isReadAgain(Cell cell) {
    return parts.get(cell.sketch()).ofRows().isPresent();
  }

  private void send(SealedBlock sealed) {
    if (isReadAgain(sealed.cell())) {
      output.collect(FIRST_STAGE, new StreamRecord<>(sealed));
    } else {
      output.collect(new StreamRecord<>(sealed));
    }
  }

  @Override
  public void endInput() throws Exception {
    forEachCell(this::end);
  }

  private void end(Cell cell) throws Exception {
    state.end();
    sealComplete(cell);
    if (settings.bounded() && state.hasCuts()) {
      throw LastingFaultException.lostRows(settings.topics().rows(), state.firstUnread());
    }
  }

  /** An action on a cell, called while the cell's key is the current key. */
  @FunctionalInterface
  private interface CellStep {
    void apply(Cell cell) throws Exception;
  }

  /** Applies a step to each cell whose key belongs to this subtask. */
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
