package io.gauze.pipeline.again;

import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.model.TooManyRowsException;
import io.gauze.noise.Entropy;
import io.gauze.pipeline.SealedBlock;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes models of the rows of an epoch, as {@link EpochRows} reads them. Equal randomness gives
 * equal results, whether the rows fit into memory or not.
 *
 * <p>Models whose rows are in memory are fitted first. In the room that they leave, those of others
 * are read again. A model whose rows never fit is fitted with one reading for each pass.
 */
final class ModelFitter {
  private static final Logger LOG = LoggerFactory.getLogger(ModelFitter.class);

  /**
   * What a release lacked.
   *
   * @param model the cell of the model
   * @param parts its blocks; without bytes if it is published
   */
  record Fitted(Cell model, List<SealedBlock> parts) {}

  private final SketchJobSettings settings;
  private final EpochCentres centres;
  private final EpochRows epochRows;

  /**
   * Creates a fitter.
   *
   * @param centres the models with which those of an epoch begin
   */
  ModelFitter(SketchJobSettings settings, EpochCentres centres, EpochRows epochRows) {
    this.settings = settings;
    this.centres = centres;
    this.epochRows = epochRows;
  }

  /**
   * Fits the models of a task. A savepoint that was restored before may hold tasks whose releases
   * are published by now: their models must not get a second noise, and are not fitted.
   *
   * @param fitted takes each model as soon as it is fitted
   * @throws LastingFaultException if the log has lost rows, if they have changed, or if they are
   *     too many
   * @throws CancellationException if the thread is interrupted
   */
  void fit(FitTask task, Consumer<Fitted> fitted) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Cell cell : task.cells()) {
      if (settings.isPublished(cell, task.epoch())) {
        fitted.accept(
            new Fitted(
                cell,
                parts(cell).stream()
                    .map(part -> SealedBlock.published(part, task.epoch()))
                    .toList()));
        continue;
      }
      cells.add(cell);
    }
    if (cells.isEmpty()) {
      return;
    }
    centres.await(task, cells);
    List<EpochRows.Model> models = new ArrayList<>();
    cells.forEach(cell -> models.add(new EpochRows.Model(cell, begin(task, cell))));
    try {
      fit(task, models, fitted);
    } finally {
      epochRows.release();
    }
  }

  private void fit(FitTask task, List<EpochRows.Model> models, Consumer<Fitted> fitted)
      throws IOException {
    epochRows.read(task, models);
    models.sort(Comparator.comparing(model -> !model.isHeld()));
    while (!models.isEmpty()) {
      if (!models.get(0).isHeld()) {
        epochRows.readAgain(task, models);
      }
      EpochRows.Model model = models.remove(0);
      settings.probe().reached(Step.FIT);
      fitted.accept(new Fitted(model.cell(), sealed(task, model)));
      epochRows.fitted(model);
    }
  }

  private List<SealedBlock> sealed(FitTask task, EpochRows.Model model) throws IOException {
    long[] payload = payload(task, model);
    centres.made(model.cell(), task.epoch(), payload);
    List<Cell> parts = parts(model.cell());
    return IntStream.range(0, parts.size())
        .mapToObj(block -> sealed(parts.get(block), task.epoch(), block, payload))
        .toList();
  }

  private static SealedBlock sealed(Cell part, long epoch, int block, long... payload) {
    int length = Block.length(block, payload.length);
    return new SealedBlock(part, epoch, Block.of(payload, Block.from(block), length));
  }

  /** Returns the cells of the blocks of a model, whose first one is its own. */
  private List<Cell> parts(Cell model) {
    return IntStream.range(model.block(), sketch(model).count())
        .mapToObj(part -> new Cell(model.group(), model.sketch(), part))
        .toList();
  }

  private SketchParts sketch(Cell cell) {
    return SketchParts.of(settings.plan().sketch(cell.sketch()).mechanism());
  }

  private EpochFitter begin(FitTask task, Cell cell) {
    ReleaseId id = settings.releaseId(cell, task.epoch());
    Entropy entropy = settings.randomness().entropy("model of " + id);
    SecondReadingMechanism mechanism = sketch(cell).ofRows().orElseThrow();
    return mechanism instanceof TrackingMechanism track
        ? begin(track, centres.before(cell, task.epoch()), id, entropy)
        : mechanism.begin(entropy);
  }

  private static EpochFitter begin(
      TrackingMechanism track, Optional<PreviousRelease> before, ReleaseId id, Entropy entropy) {
    try {
      return track.begin(before, entropy);
    } catch (IllegalArgumentException e) {
      LOG.warn("A release with which {} would begin is damaged: it begins without one.", id);
      return track.begin(Optional.empty(), entropy);
    }
  }

  private long[] payload(FitTask task, EpochRows.Model model) throws IOException {
    try {
      return model.fit().numbers();
    } catch (TooManyRowsException e) {
      ReleaseId id = settings.releaseId(model.cell(), task.epoch());
      throw LastingFaultException.tooManyRows(id.toString(), e.getMessage());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (ConcurrentModificationException e) {
      throw epochRows.changed(task);
    }
  }
}
