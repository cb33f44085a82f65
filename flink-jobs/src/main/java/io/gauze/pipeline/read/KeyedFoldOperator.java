package io.gauze.pipeline.read;

import io.gauze.kafka.RowRecord;
import io.gauze.noise.Entropy;
import io.gauze.pipeline.ProtocolGuard;
import io.gauze.publish.PublishedEpochs;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowHasher;
import io.gauze.row.RowTag;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.Partials;
import io.gauze.stream.SketchJobSettings;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Folds rows into partial sketches in memory, as {@link FoldOperator} does, for streams that must
 * know the earlier records of the same key: the rows of a user, or the current row of a key of a
 * table. That keyed state is not private. Partial sketches are never in a checkpoint.
 */
public final class KeyedFoldOperator extends ReadingOperator<RoutedRecord, CellMessage>
    implements OneInputStreamOperator<RoutedRecord, CellMessage> {
  private static final long serialVersionUID = 2L;

  private final PublishedEpochs released;

  private transient RecordReader reader;
  private transient RowHasher hasher;
  private transient Partials partials;
  private transient KeyedRowHandler handler;
  private transient StreamRecord<CellMessage> outgoing;
  private transient Counter rows;

  public KeyedFoldOperator(SketchJobSettings settings) {
    this(settings, PublishedEpochs.OF_LEDGER);
  }

  /**
   * Creates the operator.
   *
   * @param released tells which epochs are published, and so get no more rows
   */
  public KeyedFoldOperator(SketchJobSettings settings, PublishedEpochs released) {
    super(settings);
    this.released = released;
  }

  @Override
  void open(MetricGroup metrics) {
    ProtocolGuard.checkBackend(getKeyedStateBackend());
    SketchJobSettings settings = settings();
    Entropy entropy = settings.randomness().entropy("row hashes");
    reader = new RecordReader(settings, schedule());
    reader.register(metrics);
    hasher = RowHasher.create(entropy::nextLong);
    partials = new Partials(settings, metrics, reader.encoder(), Optional.empty());
    outgoing = new StreamRecord<>(null);
    rows = metrics.counter("rows");
    handler =
        settings.keepsTable()
            ? new ChangelogTable(this, settings, schedule(), reader, metrics)
            : new ContributionBound(this, settings, schedule(), reader, released, metrics);
  }

  @Override
  public void processElement(StreamRecord<RoutedRecord> element) throws Exception {
    process(element.getValue());
  }

  @Override
  RowRecord begin(RoutedRecord routed) {
    return routed.row();
  }

  @Override
  void read(RoutedRecord routed) throws Exception {
    handler.apply(routed);
  }

  @Override
  void end(RowRecord record) {}

  /** Computes the secret tag of the row of a record. */
  void tag(RowRecord record, RowTag tag) {
    hasher.tag(record.partition(), record.offset(), tag);
  }

  /** Adds the row that the reader has read to the sketches of a group and epoch. */
  void fold(String group, long epoch, RowTag tag) {
    makeRoom(group, epoch);
    partials.add(group, epoch, tag);
    rows.inc();
  }

  /** Adds a row to the sketches of a group and epoch if {@code sign} is 1, or removes it if -1. */
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
    handler.tidy();
  }

  @Override
  public void endInput() {
    flush();
    reader.checkRanges();
  }

  private void flush() {
    settings().probe().reached(FaultInjection.Step.FOLD_FLUSH);
    partials.flush(message -> output.collect(outgoing.replace(message)));
  }
}
