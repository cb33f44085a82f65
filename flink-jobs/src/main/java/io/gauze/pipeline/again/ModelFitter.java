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
import io.gauze.stream.SecondStage;
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
 * Makes models and second stages of the rows of an epoch, as {@link EpochRows} reads them. Equal
 * randomness gives equal results, whether the rows fit into memory or not.
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
   * @param parts the model, or the blocks of the second stage; without bytes if it is published
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

  private SketchParts sketch(Cell cell) {
    return SketchParts.of(settings.plan().sketch(cell.sketch()).mechanism());
  }

  /** Returns the cells of the parts that are made of the rows. */
  private List<Cell> parts(Cell model) {
    SketchParts sketch = sketch(model);
    return sketch.ofRows().isPresent()
        ? List.of(model)
        : IntStream.range(model.block() + 1, sketch.count())
            .mapToObj(part -> new Cell(model.group(), model.sketch(), part))
            .toList();
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
      boolean ofRows = sketch(model.cell()).ofRows().isPresent();
      settings.probe().reached(ofRows ? Step.FIT : Step.SECOND_FLUSH);
      fitted.accept(new Fitted(model.cell(), sealed(task, model)));
      epochRows.fitted(model);
    }
  }

  private List<SealedBlock> sealed(FitTask task, EpochRows.Model model) throws IOException {
    long[] payload = payload(task, model);
    List<Cell> parts = parts(model.cell());
    if (sketch(model.cell()).ofRows().isPresent()) {
      centres.made(model.cell(), task.epoch(), payload);
      return List.of(
          new SealedBlock(model.cell(), task.epoch(), Block.of(payload, 0, payload.length)));
    }
    return IntStream.range(0, parts.size())
        .mapToObj(block -> second(parts.get(block), task.epoch(), block, payload))
        .toList();
  }

  private static SealedBlock second(Cell part, long epoch, int block, long... state) {
    int length = Block.length(block, state.length);
    return new SealedBlock(part, epoch, Block.of(state, Block.from(block), length));
  }

  private EpochFitter begin(FitTask task, Cell cell) {
    ReleaseId id = settings.releaseId(cell, task.epoch());
    SketchParts sketch = sketch(cell);
    if (sketch.twoStage().isPresent()) {
      return new SecondStage(
          sketch.twoStage().get(),
          settings.plan().schema(),
          task.models().get(cell),
          id,
          settings.randomness());
    }
    Entropy entropy = settings.randomness().entropy("model of " + id);
    SecondReadingMechanism mechanism = sketch.ofRows().orElseThrow();
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
