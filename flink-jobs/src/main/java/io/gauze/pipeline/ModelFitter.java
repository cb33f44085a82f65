package io.gauze.pipeline;

import io.gauze.kafka.RowRecord;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.row.RowRejectedException;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.LateRowException;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;

/**
 * Reads the rows of an epoch into memory and fits models to them. The rows come partition by
 * partition in the order of the log, so that equal randomness gives equal models.
 */
final class ModelFitter {
  private final SketchJobSettings settings;
  private final SecondReadOperator.Clients clients;
  private final EpochCentres centres;
  private final LongConsumer progress;
  private final long memory;

  /**
   * Creates a fitter.
   *
   * @param centres the models with which those of an epoch begin
   * @param progress is told how many rows were read, now and then
   * @param memory the bytes that the rows of one epoch may take
   */
  ModelFitter(
      SketchJobSettings settings,
      SecondReadOperator.Clients clients,
      EpochCentres centres,
      LongConsumer progress,
      long memory) {
    this.settings = settings;
    this.clients = clients;
    this.centres = centres;
    this.progress = progress;
    this.memory = memory;
  }

  /** A model that is to be fitted, with the rows of its epoch and group. */
  private record Open(Cell cell, RowsMechanism mechanism, ModelRows rows) {}

  /**
   * Fits the models of a task. A savepoint that was restored before may hold tasks whose releases
   * are published by now: their models must not get a second noise, and are not fitted.
   *
   * @throws LastingFaultException if the log has lost rows, or if they are too many
   * @throws CancellationException if the thread is interrupted
   */
  List<SealedBlock> fit(FitTask task) throws IOException {
    List<SealedBlock> fitted = new ArrayList<>();
    List<Open> models = new ArrayList<>();
    for (Cell cell : task.cells()) {
      if (settings.published().contains(settings.releaseId(cell, task.epoch()).toString())) {
        fitted.add(SealedBlock.published(cell, task.epoch()));
        continue;
      }
      RowsMechanism mechanism =
          SketchParts.of(settings.plan().sketch(cell.sketch()).mechanism()).ofRows().orElseThrow();
      models.add(new Open(cell, mechanism, mechanism.rows()));
    }
    if (!models.isEmpty()) {
      centres.await(task, models.stream().map(Open::cell).toList());
      read(task, models);
    }
    for (Open model : models) {
      settings.probe().reached(FaultInjection.Step.FIT);
      fitted.add(new SealedBlock(model.cell, task.epoch(), block(payload(task, model))));
    }
    return fitted;
  }

  private static byte[] block(long... payload) {
    return Block.of(payload, 0, payload.length);
  }

  private long[] payload(FitTask task, Open model) throws LastingFaultException {
    ReleaseId id = settings.releaseId(model.cell, task.epoch());
    Entropy entropy = settings.randomness().entropy("model of " + id);
    try {
      return model.mechanism instanceof TrackingMechanism track
          ? track.fit(model.rows, centres.before(model.cell, task.epoch(), track), entropy)
          : model.mechanism.fit(model.rows, entropy);
    } catch (IllegalArgumentException e) {
      throw LastingFaultException.tooManyRows(id.toString(), e.getMessage());
    }
  }

  private void read(FitTask task, List<Open> models) throws IOException {
    Reading reading = new Reading(task, models);
    for (Map.Entry<Integer, RowRanges.Range> each : task.ranges().byPartition().entrySet()) {
      try (RangeReader log = new RangeReader(settings, clients)) {
        log.add(
            new SecondRead(
                task.firstEpoch(), task.epoch(), each.getKey(), each.getValue(), Map.of()));
        while (!log.isDone()) {
          if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("the job ends");
          }
          settings.probe().reached(FaultInjection.Step.SECOND_READ);
          log.poll(reading);
          reading.check();
        }
      }
    }
  }

  /** Puts the rows of an epoch into the lists of the models of their group. */
  private final class Reading implements RangeReader.Rows {
    private final FitTask task;
    private final RecordReader records;
    private final Map<String, List<Open>> byGroup = new LinkedHashMap<>();
    private final double[] scaled = new double[settings.plan().schema().dimension()];
    private long counted;
    private long bytes;

    private Reading(FitTask task, List<Open> models) {
      this.task = task;
      this.records = new RecordReader(settings, settings.schedule().from(task.firstEpoch()));
      for (Open model : models) {
        byGroup.computeIfAbsent(model.cell.group(), any -> new ArrayList<>()).add(model);
      }
    }

    @Override
    public void row(SecondRead read, RowRecord record) {
      try {
        if (records.read(record) == task.epoch()) {
          add(byGroup.getOrDefault(records.group(), List.of()));
        }
      } catch (RowRejectedException | LateRowException e) {
        // It was reported at the first reading.
      }
    }

    private void add(List<Open> models) throws RowRejectedException {
      if (models.isEmpty() || bytes > memory) {
        return;
      }
      records.encoder().scale(scaled);
      for (Open model : models) {
        long before = model.rows.bytes();
        model.mechanism.add(model.rows, scaled);
        bytes += model.rows.bytes() - before;
      }
      counted++;
    }

    @Override
    public void done(SecondRead read) {}

    private void check() throws LastingFaultException {
      progress.accept(counted);
      counted = 0;
      if (bytes > memory) {
        throw LastingFaultException.noRoomForRows(
            settings.plan().stream(), settings.schedule().label(task.epoch()), memory);
      }
    }
  }
}
