package io.gauze.pipeline;

import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.model.TooManyRowsException;
import io.gauze.noise.Entropy;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/**
 * Fits models to the rows of an epoch, as {@link EpochRows} reads them. Equal randomness gives
 * equal models, whether the rows fit into memory or not.
 *
 * <p>Models whose rows are in memory are fitted first. In the room that they leave, those of others
 * are read again. A model whose rows never fit is fitted with one reading for each pass.
 */
final class ModelFitter {
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
  void fit(FitTask task, Consumer<SealedBlock> fitted) throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (Cell cell : task.cells()) {
      if (settings.published().contains(settings.releaseId(cell, task.epoch()).toString())) {
        fitted.accept(SealedBlock.published(cell, task.epoch()));
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
    try (epochRows) {
      fit(task, models, fitted);
    }
  }

  private void fit(FitTask task, List<EpochRows.Model> models, Consumer<SealedBlock> fitted)
      throws IOException {
    epochRows.read(task, models);
    models.sort(Comparator.comparing(model -> !model.isHeld()));
    while (!models.isEmpty()) {
      if (!models.get(0).isHeld()) {
        epochRows.readAgain(task, models);
      }
      settings.probe().reached(FaultInjection.Step.FIT);
      EpochRows.Model model = models.remove(0);
      fitted.accept(sealed(task, model));
      epochRows.fitted(model);
    }
  }

  private SealedBlock sealed(FitTask task, EpochRows.Model model) throws IOException {
    return new SealedBlock(model.cell(), task.epoch(), block(payload(task, model)));
  }

  private static byte[] block(long... payload) {
    return Block.of(payload, 0, payload.length);
  }

  private EpochFitter begin(FitTask task, Cell cell) {
    ReleaseId id = settings.releaseId(cell, task.epoch());
    Entropy entropy = settings.randomness().entropy("model of " + id);
    SecondReadingMechanism mechanism =
        SketchParts.of(settings.plan().sketch(cell.sketch()).mechanism()).ofRows().orElseThrow();
    return mechanism instanceof TrackingMechanism track
        ? track.begin(centres.before(cell, task.epoch()), entropy)
        : mechanism.begin(entropy);
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
