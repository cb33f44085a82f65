package io.gauze.pipeline;

import io.gauze.kafka.RowRecord;
import io.gauze.noise.Entropy;
import io.gauze.publish.PublishedEpochs;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowTag;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LateRowException;
import io.gauze.stream.Partials;
import io.gauze.stream.SketchJobSettings;
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
 * As {@link FoldOperator}, for streams that must know what came before under the same key: the rows
 * of a user, or the row of a key of a table. That state is not private; partial sketches are in
 * memory only, here as well.
 */
public final class KeyedFoldOperator extends AbstractStreamOperator<CellMessage>
    implements OneInputStreamOperator<RoutedRecord, CellMessage>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  private final SketchJobSettings settings;
  private final PublishedEpochs released;

  private transient SeriesState series;
  private transient RecordReader reader;
  private transient DeadLetterOutputs letters;
  private transient RowHasher hasher;
  private transient Partials partials;
  private transient KeyedRowHandler step;
  private transient StreamRecord<CellMessage> outgoing;
  private transient Counter rows;

  public KeyedFoldOperator(SketchJobSettings settings) {
    this(settings, PublishedEpochs.OF_LEDGER);
  }

  /**
   * @param released which epochs are over for good
   */
  public KeyedFoldOperator(SketchJobSettings settings, PublishedEpochs released) {
    this.settings = settings;
    this.released = released;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    series = SeriesState.of(settings, context);
  }

  @Override
  public void open() throws Exception {
    super.open();
    ProtocolGuard.checkJob(getContainingTask());
    ProtocolGuard.checkBackend(getKeyedStateBackend());
    MetricGroup metrics = getMetricGroup().addGroup("gauze");
    Entropy entropy = settings.randomness().entropy("row hashes");
    reader = new RecordReader(settings, series.schedule());
    reader.register(metrics);
    letters = new DeadLetterOutputs(output, metrics);
    hasher = RowHasher.create(entropy::nextLong);
    partials =
        new Partials(settings, metrics, reader.encoder(), batch -> {}); // rows come with their tags
    outgoing = new StreamRecord<>(null);
    rows = metrics.counter("rows");
    step =
        settings.keepsTable()
            ? new ChangelogTable(this, settings, series.schedule(), reader, metrics)
            : new ContributionBound(this, settings, series.schedule(), reader, released, metrics);
  }

  @Override
  public void processElement(StreamRecord<RoutedRecord> element) throws Exception {
    RowRecord record = element.getValue().row();
    try {
      step.apply(element.getValue());
    } catch (RowRejectedException e) {
      letters.dead(record, e.getMessage());
    } catch (LateRowException e) {
      letters.late(record, e.getMessage());
    }
  }

  /** The secret name of the row of a record. */
  void tag(RowRecord record, RowTag tag) {
    hasher.tag(record.partition(), record.offset(), tag);
  }

  /** Adds the row that the reader has read to the sketches of a group and epoch. */
  void fold(String group, long epoch, RowTag tag) {
    makeRoom(group, epoch);
    partials.add(group, epoch, tag);
    rows.inc();
  }

  /** Adds a row to the sketches of a group and epoch, or takes it away. */
  void fold(String group, long epoch, RowTag tag, EncodedRow row, int sign) {
    makeRoom(group, epoch);
    partials.add(group, epoch, tag, row, sign);
    rows.inc();
  }

  private void makeRoom(String group, long epoch) {
    if (!partials.hasRoom(group, epoch)) {
      flush();
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    flush();
    reader.checkRanges();
    step.tidy();
  }

  @Override
  public void endInput() {
    flush();
    reader.checkRanges();
  }

  private void flush() {
    settings.probe().reached(FaultInjection.Step.FOLD_FLUSH);
    partials.flush(message -> output.collect(outgoing.replace(message)));
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
  }
}
