package io.gauze.pipeline;

import io.gauze.privacy.Entropy;
import io.gauze.row.Column;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.source.DeadLetter;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RecordFormat;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.RowRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
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
 * Decodes and encodes rows and folds them into partial sketches in memory. The partials, then how
 * far the rows have been read, go downstream before every checkpoint barrier, at the memory limit
 * and at the end of input, so no row and no un-noised sum is ever in a checkpoint. The state is
 * public: the number of the first epoch, and the config and topic that all of the job's state is
 * of.
 *
 * <p>The secret under which rows are hashed is drawn at every start and lives here alone: on an
 * append-only stream every row is hashed once, so other subtasks need not know it.
 */
final class FoldOperator extends AbstractStreamOperator<CellMessage>
    implements OneInputStreamOperator<RowRecord, CellMessage>, BoundedOneInput {
  private static final long serialVersionUID = 2L;

  static final OutputTag<DeadLetter> DEAD = new OutputTag<>("dead-letters", DeadLetter.TYPE);
  static final OutputTag<DeadLetter> LATE = new OutputTag<>("late", DeadLetter.TYPE);

  /** Partials are sent on when they take more than this; with them at most one epoch's more. */
  static final long MEMORY_LIMIT = 64L << 20;

  private static final ListStateDescriptor<Long> FIRST_EPOCH =
      new ListStateDescriptor<>("first-epoch-v1", BasicTypeInfo.LONG_TYPE_INFO);

  private static final ListStateDescriptor<String> SERIES =
      new ListStateDescriptor<>("series-v1", BasicTypeInfo.STRING_TYPE_INFO);

  private static final ListStateDescriptor<String> ORIGIN =
      new ListStateDescriptor<>("origin-v1", BasicTypeInfo.STRING_TYPE_INFO);

  private final SketchJobSettings settings;

  private transient ListState<Long> firstEpochState;
  private transient ListState<String> seriesState;
  private transient ListState<String> originState;
  private transient EpochSchedule schedule;
  private transient RecordDecoder decoder;
  private transient RowEncoder encoder;
  private transient RowImage before;
  private transient RowImage after;
  private transient EncodedRow row;
  private transient RowHasher hasher;
  private transient RowTag tag;
  private transient Map<Long, PartialEpoch> open;
  private transient PartialEpoch current;
  private transient Map<Integer, Long> next;
  private transient List<Cell> cells;
  private transient StreamRecord<CellMessage> outgoing;
  private transient Counter rows;
  private transient Counter dead;
  private transient Counter late;

  FoldOperator(SketchJobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    firstEpochState = context.getOperatorStateStore().getUnionListState(FIRST_EPOCH);
    seriesState = context.getOperatorStateStore().getUnionListState(SERIES);
    originState = context.getOperatorStateStore().getUnionListState(ORIGIN);
    checkSame(seriesState, settings.series());
    checkSame(originState, settings.origin());
    schedule = settings.schedule();
    if (context.isRestored() && !schedule.explicitFirst()) {
      for (Long first : firstEpochState.get()) {
        schedule = schedule.from(first);
      }
    }
  }

  private void checkSame(ListState<String> state, String wanted) throws Exception {
    for (String held : state.get()) {
      if (!held.equals(wanted)) {
        throw PrivacyConflictException.anotherState(settings.plan().stream());
      }
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    ProtocolGuard.checkJob(getContainingTask());
    RowSchema schema = settings.plan().schema();
    Entropy entropy = settings.randomness().entropy("row hashes");
    RowFields fields = RowFields.of(schema, List.of());
    decoder = new RecordFormat.Json().decoder(fields);
    encoder = new RowEncoder(schema);
    before = new RowImage(fields);
    after = new RowImage(fields, encoder);
    row = new EncodedRow(schema.dimension());
    tag = new RowTag();
    hasher = RowHasher.create(entropy::nextLong);
    open = new TreeMap<>();
    next = new TreeMap<>();
    cells = settings.cells();
    outgoing = new StreamRecord<>(null);
    registerMetrics(getMetricGroup().addGroup("gauze"), schema);
  }

  private void registerMetrics(MetricGroup group, RowSchema schema) {
    rows = group.counter("rows");
    dead = group.counter("deadLetters");
    late = group.counter("lateRows");
    RowEncoder counts = encoder;
    group.gauge("clippedRows", counts::clipped);
    for (int i = 0; i < schema.columns().size(); i++) {
      Column column = schema.columns().get(i);
      int index = i;
      group.addGroup("column", column.name()).gauge("clampedRows", () -> counts.clamped(index));
    }
  }

  @Override
  public void processElement(StreamRecord<RowRecord> element) {
    RowRecord record = element.getValue();
    settings.probe().reached(Probe.Step.FOLD_ROW);
    fold(record);
    // Last: a flush at the memory limit, on the way, must not say that this row has been sent.
    next.put(record.partition(), record.offset() + 1);
  }

  private void fold(RowRecord record) {
    if (!schedule.isAll() && !record.appendTime()) {
      bury(
          record,
          "the record has no append time; set message.timestamp.type=LogAppendTime on the rows topic");
      return;
    }
    long epoch = schedule.epochOf(record.timestamp());
    if (epoch < schedule.firstEpoch()) {
      late.inc();
      output.collect(
          LATE,
          new StreamRecord<>(
              new DeadLetter(
                  "before the first epoch, " + schedule.label(schedule.firstEpoch()), record)));
      return;
    }
    try {
      byte[] value = record.value().orElse(null);
      if (value == null) {
        throw new RowRejectedException(
            "no value; a deletion has no meaning on an append-only stream");
      }
      decoder.decode(value, before, after);
      after.encode(row);
    } catch (RowRejectedException e) {
      bury(record, e.getMessage());
      return;
    }
    hasher.tag(record.partition(), record.offset(), tag);
    partial(epoch).add(tag, row);
    rows.inc();
  }

  private void bury(RowRecord record, String reason) {
    dead.inc();
    output.collect(DEAD, new StreamRecord<>(new DeadLetter(reason, record)));
  }

  private PartialEpoch partial(long epoch) {
    if (current != null && current.epoch() == epoch) {
      return current;
    }
    PartialEpoch found = open.get(epoch);
    if (found == null) {
      found = new PartialEpoch(epoch, settings.plan());
      if (!open.isEmpty() && (open.size() + 1) * found.bytes() > MEMORY_LIMIT) {
        flush();
      }
      open.put(epoch, found);
    }
    current = found;
    return found;
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    flush();
  }

  @Override
  public void endInput() {
    flush();
  }

  private void flush() {
    settings.probe().reached(Probe.Step.FOLD_FLUSH);
    for (PartialEpoch partial : open.values()) {
      for (Cell cell : cells) {
        send(CellMessage.partial(cell, partial.epoch(), partial.block(cell)));
      }
    }
    open.clear();
    current = null;
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
    firstEpochState.update(List.of(schedule.firstEpoch()));
    seriesState.update(List.of(settings.series()));
    originState.update(List.of(settings.origin()));
  }
}
