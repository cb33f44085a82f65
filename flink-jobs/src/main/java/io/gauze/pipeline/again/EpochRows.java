package io.gauze.pipeline.again;

import io.gauze.config.ModelMemory;
import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import io.gauze.model.ModelRows;
import io.gauze.stream.Cell;
import io.gauze.stream.FitMemory;
import io.gauze.stream.FitRoom;
import io.gauze.stream.LastingFaultException;
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
 * Reads the rows of epochs for the models that are fitted to them. The rows come in the order of
 * {@link EpochReader}, each time in the same one.
 *
 * <p>Those that are needed several times are kept in memory up to a limit. Beyond it the largest
 * list is let go of: its rows are read from the log once more for each pass of its fit, unless they
 * are read into memory again.
 */
final class EpochRows implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EpochRows.class);

  /** A model that is to be made of the rows of its epoch and group. */
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
  private final EpochReader reader;
  private final LongConsumer progress;
  private final FitRoom room;
  private final FitMemory inMemory;

  /**
   * Creates rows of no epoch.
   *
   * @param reader used by these rows alone, which close it
   * @param progress is told how many rows were read, now and then
   * @param room for the rows in memory, which other streams may share
   */
  EpochRows(SketchJobSettings settings, EpochReader reader, LongConsumer progress, FitRoom room) {
    this.settings = settings;
    this.reader = reader;
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
    reader.read(task, new Reading(task, models));
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

  /** Gives back all memory, once an epoch is done or has failed. */
  void release() {
    inMemory.close();
  }

  /** Closes the reader. */
  @Override
  public void close() {
    reader.close();
  }

  private String label(FitTask task) {
    return settings.schedule().label(task.epoch());
  }

  /** Puts the rows of an epoch into the lists of the models of their group. */
  private final class Reading implements EpochReader.Rows {
    private final FitTask task;
    private final List<Model> models;
    private final Map<String, List<Model>> byGroup = new LinkedHashMap<>();
    private String groupOfLast = ""; // as most rows have the group of the one before
    private List<Model> ofLast = List.of();
    private Optional<Model> full = Optional.empty();
    private long counted;

    private Reading(FitTask task, List<Model> models) {
      this.task = task;
      this.models = models;
      for (Model model : models) {
        byGroup.computeIfAbsent(model.cell.group(), any -> new ArrayList<>()).add(model);
      }
    }

    @Override
    public boolean takes(String group) {
      return byGroup.containsKey(group);
    }

    @Override
    public void add(String group, double[] scaled) {
      if (ofLast.isEmpty() || !groupOfLast.equals(group)) {
        groupOfLast = group;
        ofLast = byGroup.getOrDefault(group, List.of());
        if (ofLast.isEmpty()) {
          return;
        }
      }
      for (Model model : ofLast) {
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
    public void passed() throws LastingFaultException {
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
