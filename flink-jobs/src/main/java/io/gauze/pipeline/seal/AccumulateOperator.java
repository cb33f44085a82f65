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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
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
 * Adds the partials of each cell to the sum of their epoch, and seals an epoch in all cells of the
 * subtask when the rows of all partitions have been folded up to the epoch's cut. The stream
 * decides what a sealed block holds: see {@link Accumulation}. The operator is keyed by {@link
 * CellMessage#key}.
 *
 * <p>A subtask without cells seals nothing, and keeps no progress: a savepoint of an earlier
 * version could tell it none, and what it held would not be what the others hold.
 *
 * <p>It refuses a state backend that would keep old versions of a sum, and the state of another
 * config.
 */
public final class AccumulateOperator extends AbstractStreamOperator<SealedBlock>
    implements OneInputStreamOperator<CellMessage, SealedBlock>, BoundedOneInput {
  /** The output of sealed cells for which rows are read again. */
  public static final OutputTag<SealedBlock> FIRST_STAGE =
      new OutputTag<>("first-stage", SealedBlock.TYPE);

  private static final long serialVersionUID = 5L;
  private static final Logger LOG = LoggerFactory.getLogger(AccumulateOperator.class);

  private final SketchJobSettings settings;

  private transient SeriesState series;
  private transient SealProgress progress;
  private transient boolean ofEarlierVersion; // whether each cell holds the progress by itself
  private transient List<Cell> cells; // of this subtask
  private transient CellState state;
  private transient StateSizeGauges gauges;
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
    progress = SealProgress.of(context.getOperatorStateStore());
    ofEarlierVersion = context.isRestored() && !progress.wasHeld();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    series.snapshot();
    if (cells.isEmpty()) {
      progress.snapshotNothing();
    } else {
      progress.snapshot();
    }
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
    gauges = new StateSizeGauges(metrics);
    state = new CellState(getRuntimeContext(), gauges, readsTwice);
    accumulation = Accumulation.of(settings, state, metrics);
    cells = ownCells();
    restore();
  }

  private List<Cell> ownCells() {
    int keyGroups = getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
    KeyGroupRange own = ((AbstractKeyedStateBackend<?>) getKeyedStateBackend()).getKeyGroupRange();
    return settings.cells().stream()
        .filter(
            cell -> own.contains(KeyGroupRangeAssignment.assignToKeyGroup(cell.key(), keyGroups)))
        .toList();
  }

  private void restore() throws Exception {
    if (cells.isEmpty()) {
      return;
    }
    if (ofEarlierVersion) {
      EarlierProgress earlier = new EarlierProgress(getRuntimeContext());
      for (Cell cell : cells) {
        setCurrentKey(cell.key());
        earlier.moveTo(progress);
      }
    }
    for (Cell cell : cells) {
      setCurrentKey(cell.key());
      state.countRestored();
    }
    progress.cuts().forEach(this::countOpen);
  }

  private void countOpen(SealProgress.Cut cut) {
    LongStream.rangeClosed(cut.first(), cut.last()).forEach(gauges::opened);
  }

  @Override
  public void processElement(StreamRecord<CellMessage> element) throws Exception {
    settings.probe().reached(FaultInjection.Step.ACCUMULATE);
    CellMessage message = element.getValue();
    if (cells.isEmpty()) {
      return; // how far the rows are is of no use
    }
    switch (message.kind()) {
      case PARTIAL -> add(message);
      case PROGRESS -> {
        progress.advance(message.offsets().byPartition());
        sealComplete();
      }
      case PROGRESS_AT_END -> progress.advanceAtEnd(message.offsets().byPartition());
      case CUT -> {
        SealProgress.Cut cut =
            new SealProgress.Cut(message.firstEpoch(), message.epoch(), message.offsets());
        progress.cut(cut).ifPresent(this::countOpen);
        sealComplete();
      }
      case RANGE -> addRange(message);
    }
  }

  private void addRange(CellMessage range) throws Exception {
    OptionalLong sealed = progress.sealedThrough();
    if (sealed.isEmpty() || range.epoch() > sealed.getAsLong()) {
      state.addRanges(range.epoch(), range.ranges());
    }
  }

  private void add(CellMessage partial) throws Exception {
    OptionalLong sealed = progress.sealedThrough();
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

  private void sealComplete() throws Exception {
    Optional<SealProgress.Cut> next = progress.complete();
    while (next.isPresent()) {
      seal(next.get());
      progress.seal();
      next = progress.complete();
    }
  }

  private void seal(SealProgress.Cut cut) throws Exception {
    for (Cell cell : cells) {
      setCurrentKey(cell.key());
      Accumulation.Sealing sealing = accumulation.sealing(cell);
      for (long epoch = cut.first(); epoch <= cut.last(); epoch++) {
        seal(cell, epoch, sealing);
      }
    }
    LongStream.rangeClosed(cut.first(), cut.last()).forEach(gauges::closed);
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
      send(SealedBlock.published(cell, epoch, ranges));
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
    if (cells.isEmpty()) {
      return;
    }
    progress.end();
    sealComplete();
    if (settings.bounded() && progress.hasCuts()) {
      throw LastingFaultException.lostRows(settings.topics().rows(), progress.firstUnread());
    }
  }
}
