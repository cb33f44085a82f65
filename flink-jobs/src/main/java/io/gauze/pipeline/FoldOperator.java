package io.gauze.pipeline;

import io.gauze.kafka.RowRecord;
import io.gauze.noise.Entropy;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowTag;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LateRowException;
import io.gauze.stream.Offsets;
import io.gauze.stream.Partials;
import io.gauze.stream.SketchJobSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

/**
 * Decodes and encodes rows and folds them into partial sketches in memory. The partials, then how
 * far the rows have been read, go downstream before every checkpoint barrier, at the memory limit
 * and at the end of input, so no row and no un-noised sum is ever in a checkpoint. The state is
 * public: {@link SeriesState}, and how far the rows have been read.
 *
 * <p>The secret under which rows are hashed is drawn at every start and lives here alone: on an
 * append-only stream every row is hashed once, so other subtasks need not know it.
 */
public final class FoldOperator extends AbstractStreamOperator<CellMessage>
    implements OneInputStreamOperator<RowRecord, CellMessage>, BoundedOneInput {
  private static final long serialVersionUID = 3L;

  private static final int NO_PARTITION = -1;

  private final SketchJobSettings settings;

  private transient SeriesState series;
  private transient ReadOffsets read; // but for the partition of the last row
  private transient RecordReader reader;
  private transient DeadLetterOutputs letters;
  private transient RowTag place; // of the last row: its tag is made of it when it is folded
  private transient Partials partials;
  private transient Map<Integer, Long> next; // but for the partition of the last row
  private transient int partition;
  private transient long nextOffset;
  private transient List<Cell> cells;
  private transient StreamRecord<CellMessage> outgoing;
  private transient Counter rows;
  private transient Counter afterLast;
  private transient Counter beforeFirst;

  public FoldOperator(SketchJobSettings settings) {
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
    Entropy entropy = settings.randomness().entropy("row hashes");
    reader = new RecordReader(settings, series.schedule());
    reader.register(metrics);
    letters = new DeadLetterOutputs(output, metrics);
    place = new RowTag();
    partials =
        new Partials(
            settings,
            metrics,
            reader.encoder(),
            RowHasher.create(entropy::nextLong).ofBatches()::tag);
    next = new TreeMap<>();
    partition = NO_PARTITION;
    cells = settings.cells();
    outgoing = new StreamRecord<>(null);
    rows = metrics.counter("rows");
    afterLast = metrics.counter("rowsAfterLastRelease");
    beforeFirst = metrics.counter("rowsBeforeFirstEpoch");
  }

  @Override
  public void processElement(StreamRecord<RowRecord> element) {
    RowRecord record = element.getValue();
    settings.probe().reached(FaultInjection.Step.FOLD_ROW);
    if (record.partition() != partition) {
      rememberNext();
      partition = record.partition();
      nextOffset = read.next(partition);
    }
    read.check(record, nextOffset);
    try {
      if (series.schedule().isBeforeFirst(record)) {
        beforeFirst.inc();
      } else {
        fold(record, reader.read(record));
      }
    } catch (RowRejectedException e) {
      letters.dead(record, e.getMessage());
    } catch (LateRowException e) {
      letters.late(record, e.getMessage());
    }
    // Last: a flush at the memory limit, on the way, must not say that this row has been sent.
    partition = record.partition();
    nextOffset = record.offset() + 1;
  }

  private void rememberNext() {
    if (partition != NO_PARTITION) {
      next.put(partition, nextOffset);
      read.put(partition, nextOffset);
    }
  }

  private void fold(RowRecord record, long epoch) {
    if (epoch < series.schedule().firstEpoch()) {
      beforeFirst.inc();
      return;
    }
    if (epoch > settings.lastRelease(series.schedule())) {
      afterLast.inc(); // no release will ever hold it
      return;
    }
    if (!partials.hasRoom(reader.group(), epoch)) {
      flush();
    }
    place.set(record.partition(), record.offset());
    partials.add(reader.group(), epoch, place);
    rows.inc();
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    flush();
    reader.checkRanges();
  }

  @Override
  public void endInput() {
    flush();
    reader.checkRanges();
  }

  private void flush() {
    settings.probe().reached(FaultInjection.Step.FOLD_FLUSH);
    partials.flush(this::send);
    rememberNext();
    partition = NO_PARTITION;
    if (!next.isEmpty()) {
      Offsets progress = Offsets.of(next);
      next.clear();
      for (Cell cell : cells) {
        send(CellMessage.progress(cell, progress));
      }
    }
  }

  private void send(CellMessage message) {
    output.collect(outgoing.replace(message));
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
  }
}
