package io.gauze.pipeline;

import io.gauze.config.ModelMemory;
import io.gauze.kafka.RowRecord;
import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import io.gauze.model.ModelRows;
import io.gauze.row.RowRejectedException;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.FitMemory;
import io.gauze.stream.FitRoom;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.LateRowException;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rows of epochs for the models that are fitted to them. The rows come partition by
 * partition in the order of the log, each time in the same order.
 *
 * <p>They are kept in memory up to a limit. Beyond it the largest list is let go of: its rows are
 * read from the log once more for each pass of its fit, unless they are read into memory again.
 */
final class EpochRows implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EpochRows.class);

  /** A model that is to be fitted to the rows of its epoch and group. */
  record Model(Cell cell, EpochFitter fit) {
    /** Whether all that it needs of the rows is in memory. */
    boolean isHeld() {
      return FitMemory.isHeld(fit);
    }

    private ModelRows rows() {
      return held().rows();
    }

    private BufferedEpochFit held() {
      return fit.held().orElseThrow();
    }
  }

  private final SketchJobSettings settings;
  private final SecondReadOperator.Clients clients;
  private final LongConsumer progress;
  private final FitRoom room;
  private final FitMemory inMemory;
  private Optional<RangeReader> log = Optional.empty(); // open for all passes over an epoch

  /**
   * Creates a reader.
   *
   * @param progress is told how many rows were read, now and then
   * @param room for the rows in memory, which other streams may share
   */
  EpochRows(
      SketchJobSettings settings,
      SecondReadOperator.Clients clients,
      LongConsumer progress,
      FitRoom room) {
    this.settings = settings;
    this.clients = clients;
    this.progress = progress;
    this.room = room;
    this.inMemory = new FitMemory(room);
  }

  /**
   * Adds the rows of an epoch to the lists of models, as far as they fit into memory.
   *
   * @throws LastingFaultException if the log has lost rows, or there are too many
   * @throws CancellationException if the thread is interrupted
   */
  void read(FitTask task, List<Model> models) throws IOException {
    Reading reading = new Reading(task, models);
    if (log.isEmpty()) {
      log = Optional.of(new RangeReader(settings, clients));
    }
    for (Map.Entry<Integer, RowRanges.Range> each : task.ranges().byPartition().entrySet()) {
      read(
          log.get(),
          new SecondRead(task.firstEpoch(), task.epoch(), each.getKey(), each.getValue(), Map.of()),
          reading);
    }
  }

  private void read(RangeReader reader, SecondRead partition, Reading reading) throws IOException {
    reader.add(partition);
    while (!reader.isDone()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("the job ends");
      }
      settings.probe().reached(FaultInjection.Step.SECOND_READ);
      reader.poll(reading);
      reading.check();
    }
  }

  /**
   * Reads the rows of models again that were let go of, as many as fit into memory now: all of a
   * model or none.
   *
   * @param models none of which is in memory; those that are read are replaced, and come first
   * @throws LastingFaultException as {@link #read}, or if the rows have changed
   * @throws CancellationException if the thread is interrupted
   */
  void readAgain(FitTask task, List<Model> models) throws IOException {
    List<Model> fitting = inMemory.fitting(models, Model::held);
    if (fitting.isEmpty()) {
      return;
    }
    models.removeAll(fitting);
    models.addAll(0, fitting);
    List<Model> again =
        fitting.stream().map(model -> new Model(model.cell, model.held().again())).toList();
    read(task, again);
    for (int i = 0; i < again.size(); i++) {
      if (again.get(i).rows().size() != models.get(i).rows().size()) {
        throw changed(task);
      }
      models.set(i, again.get(i));
    }
  }

  /** Says that a reading of an epoch found other rows than the one before. */
  LastingFaultException changed(FitTask task) {
    return LastingFaultException.changedRows(settings.plan().stream(), label(task));
  }

  /** Reads the rows of a model for one pass. */
  private void pass(FitTask task, Model model) {
    try {
      read(task, List.of(model));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says that a model is fitted: its rows are needed no more. */
  void fitted(Model model) {
    inMemory.done(model.fit);
  }

  /** Closes the client, which the next reading opens again, and gives back all memory. */
  @Override
  public void close() {
    inMemory.close();
    log.ifPresent(RangeReader::close);
    log = Optional.empty();
  }

  private String label(FitTask task) {
    return settings.schedule().label(task.epoch());
  }

  /** Puts the rows of an epoch into the lists of the models of their group. */
  private final class Reading implements RangeReader.Rows {
    private final FitTask task;
    private final List<Model> models;
    private final RecordReader records;
    private final Map<String, List<Model>> byGroup = new LinkedHashMap<>();
    private final double[] scaled = new double[settings.plan().schema().dimension()];
    private Optional<Model> full = Optional.empty();
    private long counted;

    private Reading(FitTask task, List<Model> models) {
      this.task = task;
      this.models = models;
      this.records = new RecordReader(settings, settings.schedule().from(task.firstEpoch()));
      for (Model model : models) {
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

    private void add(List<Model> ofGroup) throws RowRejectedException {
      if (ofGroup.isEmpty()) {
        return;
      }
      records.encoder().scale(scaled);
      for (Model model : ofGroup) {
        if (isFull(model)) {
          full = Optional.of(model);
          return;
        }
        inMemory.add(model.fit, scaled);
      }
      counted++;
      if (inMemory.isFull()) {
        inMemory.beyond(models, Model::fit).forEach(this::letGo);
      }
    }

    private boolean isFull(Model model) {
      return model.fit instanceof BufferedEpochFit held
          && held.rows().size() == ModelRows.MOST_ROWS;
    }

    private void letGo(Model model) {
      LOG.info(
          "Stream {}: the rows of epoch {} for model {} are read from the log several times, since"
              + " there is no room for them; {} is {} bytes",
          settings.plan().stream(),
          label(task),
          model.cell.sketch(),
          ModelMemory.LIMIT.key(),
          room.limit());
      model.rows().letGo(again -> pass(task, new Model(model.cell, model.held().with(again))));
    }

    @Override
    public void done(SecondRead read) {}

    private void check() throws LastingFaultException {
      progress.accept(counted);
      counted = 0;
      if (full.isPresent()) {
        throw LastingFaultException.tooManyRows(
            settings.releaseId(full.get().cell, task.epoch()).toString(),
            "rows must be at most " + ModelRows.MOST_ROWS);
      }
    }
  }
}
