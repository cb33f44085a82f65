package io.gauze.pipeline.read;

import io.gauze.kafka.RowRecord;
import io.gauze.noise.Entropy;
import io.gauze.pipeline.SeriesState;
import io.gauze.plan.SketchPlan;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.KeyGroups;
import io.gauze.stream.LateRowException;
import io.gauze.stream.Offsets;
import io.gauze.stream.Partials;
import io.gauze.stream.SketchJobSettings;
import java.util.List;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Decodes and encodes rows and folds them into partial sketches in memory. It sends the partials
 * downstream before every checkpoint barrier, at the memory limit and at the end of input. So this
 * operator never puts a row or a sum without noise into a checkpoint. Before a barrier and at the
 * end of input it also sends how far the rows have been read: once for each key group, on the same
 * channels, so that it comes behind the partials of these rows. Its own state is public: {@link
 * SeriesState} and the offsets that have been read.
 *
 * <p>Where rows are read twice, it also sends the offsets between which the rows of each epoch lie.
 *
 * <p>The secret under which rows are hashed is drawn at every start and never leaves the subtask.
 * On an append-only stream every row is hashed once, so other subtasks need not know it.
 */
public final class FoldOperator extends LogOperator<CellMessage> {
  private static final long serialVersionUID = 5L;

  private transient RecordReader reader;
  private transient Partials partials;
  private transient List<String> accumulators;
  private transient EpochRanges ranges;
  private transient Optional<Cell> rangeCell; // if rows are read twice
  private transient StreamRecord<CellMessage> outgoing;
  private transient Counter rows;
  private transient Counter afterLast;

  public FoldOperator(SketchJobSettings settings) {
    super(settings);
  }

  @Override
  void open(MetricGroup metrics) {
    super.open(metrics);
    SketchJobSettings settings = settings();
    Entropy entropy = settings.randomness().entropy("row hashes");
    reader = new RecordReader(settings, schedule());
    reader.register(metrics);
    partials =
        new Partials(
            settings,
            metrics,
            reader.encoder(),
            Optional.of(RowHasher.create(entropy::nextLong).ofBatches()));
    accumulators =
        KeyGroups.keys(getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks());
    ranges = new EpochRanges();
    // The ranges of an epoch are those of all of its cells, and one of them carries them on.
    List<String> readAgain = settings.readAgain().stream().map(SketchPlan::name).toList();
    rangeCell =
        settings.cells().stream().filter(cell -> readAgain.contains(cell.sketch())).findFirst();
    outgoing = new StreamRecord<>(null);
    rows = metrics.counter("rows");
    afterLast = metrics.counter("rowsAfterLastRelease");
  }

  @Override
  void read(RowRecord record) throws RowRejectedException, LateRowException {
    if (schedule().isBeforeFirst(record)) {
      countBeforeFirst();
    } else {
      fold(record, reader.read(record));
    }
  }

  private void fold(RowRecord record, long epoch) {
    if (epoch < schedule().firstEpoch()) {
      countBeforeFirst();
      return;
    }
    if (epoch > settings().lastRelease(schedule())) {
      afterLast.inc(); // no release will ever contain it
      return;
    }
    if (!partials.hasRoom(reader.group(), epoch)) {
      sendPartials();
    }
    partials.addAt(reader.group(), epoch, record.partition(), record.offset());
    if (rangeCell.isPresent()) {
      ranges.add(epoch, record.partition(), record.offset());
    }
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

  // Only here: releases leave with the next checkpoint, however early their epoch is sealed.
  private void flush() {
    sendPartials();
    ranges.flush((epoch, each) -> send(CellMessage.range(rangeCell.orElseThrow(), epoch, each)));
    Offsets progress = offsets().takeAdvanced();
    if (!progress.byPartition().isEmpty()) {
      accumulators.forEach(key -> send(CellMessage.progress(key, progress)));
    }
  }

  private void sendPartials() {
    settings().probe().reached(FaultInjection.Step.FOLD_FLUSH);
    partials.flush(this::send);
  }

  private void send(CellMessage message) {
    output.collect(outgoing.replace(message));
  }
}
