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
 * Decodes and encodes rows and folds them into partial sketches in memory. It sends the partials,
 * and then how far the rows have been read, downstream before every checkpoint barrier, at the
 * memory limit and at the end of input. So this operator never puts a row or a sum without noise
 * into a checkpoint. Its own state is public: {@link SeriesState} and the offsets that have been
 * read.
 *
 * <p>Where rows are read twice, it also sends the offsets between which the rows of each epoch lie.
 *
 * <p>The secret under which rows are hashed is drawn at every start and never leaves the subtask.
 * On an append-only stream every row is hashed once, so other subtasks need not know it.
 */
public final class FoldOperator extends LogOperator<CellMessage> {
  private static final long serialVersionUID = 4L;

  private transient RecordReader reader;
  private transient Partials partials;
  private transient List<Cell> cells;
  private transient EpochRanges ranges;
  private transient List<Cell> rangeCells; // of the sketches for which rows are read twice
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
    cells = settings.cells();
    ranges = new EpochRanges();
    List<String> readAgain = settings.readAgain().stream().map(SketchPlan::name).toList();
    rangeCells =
        cells.stream()
            .filter(cell -> cell.block() == 0 && readAgain.contains(cell.sketch()))
            .toList();
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
      flush();
    }
    partials.addAt(reader.group(), epoch, record.partition(), record.offset());
    if (!rangeCells.isEmpty()) {
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

  private void flush() {
    settings().probe().reached(FaultInjection.Step.FOLD_FLUSH);
    partials.flush(this::send);
    ranges.flush(
        (epoch, each) -> rangeCells.forEach(cell -> send(CellMessage.range(cell, epoch, each))));
    Offsets progress = offsets().takeAdvanced();
    if (!progress.byPartition().isEmpty()) {
      for (Cell cell : cells) {
        send(CellMessage.progress(cell, progress));
      }
    }
  }

  private void send(CellMessage message) {
    output.collect(outgoing.replace(message));
  }
}
