package io.gauze.pipeline;

import io.gauze.mechanism.EpochFit;
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
   * @throws LastingFaultException if the log has lost rows, if they have changed, or if they are
   *     too many
   * @throws CancellationException if the thread is interrupted
   */
  List<SealedBlock> fit(FitTask task) throws IOException {
    List<SealedBlock> fitted = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    for (Cell cell : task.cells()) {
      if (settings.published().contains(settings.releaseId(cell, task.epoch()).toString())) {
        fitted.add(SealedBlock.published(cell, task.epoch()));
        continue;
      }
      cells.add(cell);
    }
    if (cells.isEmpty()) {
      return fitted;
    }
    centres.await(task, cells);
    List<EpochRows.Model> models = new ArrayList<>();
    cells.forEach(cell -> models.add(new EpochRows.Model(cell, begin(task, cell))));
    try (epochRows) {
      fitted.addAll(fit(task, models));
    }
    return fitted;
  }

  private List<SealedBlock> fit(FitTask task, List<EpochRows.Model> models) throws IOException {
    List<SealedBlock> fitted = new ArrayList<>();
    epochRows.read(task, models);
    models.sort(Comparator.comparing(model -> !model.isHeld()));
    while (!models.isEmpty()) {
      if (!models.get(0).isHeld()) {
        epochRows.readAgain(task, models);
      }
      settings.probe().reached(FaultInjection.Step.FIT);
      EpochRows.Model model = models.remove(0);
      fitted.add(sealed(task, model));
      epochRows.fitted(model);
    }
    return fitted;
  }

  private SealedBlock sealed(FitTask task, EpochRows.Model model) throws IOException {
    return new SealedBlock(model.cell(), task.epoch(), block(payload(task, model)));
  }

  private static byte[] block(long... payload) {
    return Block.of(payload, 0, payload.length);
  }

  private EpochFit begin(FitTask task, Cell cell) {
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
