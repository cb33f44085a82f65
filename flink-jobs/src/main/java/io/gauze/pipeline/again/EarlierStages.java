package io.gauze.pipeline.again;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;

/**
 * The first stages of the epochs before an epoch, with their noise, from which its model is made,
 * too. They are a function of the releases of these epochs: those of this job are taken from its
 * state, whether they are published by then or not, and those of earlier jobs as they are
 * published.
 *
 * <p>A stage in the state is published later, or is lost in a crash together with all that was made
 * of it. So nothing waits for a commit, and of a release that is lost nobody sees a trace.
 */
final class EarlierStages implements AutoCloseable {
  /**
   * First stages by epoch and cell, of as many epochs as a model takes. Name and type belong to the
   * savepoint format: never change them, add a -v2.
   */
  static final MapStateDescriptor<String, byte[]> STAGES =
      new MapStateDescriptor<>(
          "first-stages-v1",
          BasicTypeInfo.STRING_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final SketchJobSettings settings;
  private final MapState<String, byte[]> stages;
  private final PublishedStages published;
  private final long firstEpoch;
  private final int mostEpochs;

  /**
   * Creates the stages of a stream.
   *
   * @param schedule with the first epoch of the job's first start
   * @param stages the state of {@link #STAGES}
   */
  EarlierStages(
      SketchJobSettings settings,
      EpochSchedule schedule,
      MapState<String, byte[]> stages,
      PublishedStages published) {
    this.settings = settings;
    this.stages = stages;
    this.published = published;
    this.firstEpoch = schedule.firstEpoch();
    this.mostEpochs =
        settings.twoStageSketches().stream()
            .mapToInt(sketch -> ((TwoStageMechanism) sketch.mechanism()).modelEpochs())
            .max()
            .orElse(1);
  }

  /**
   * Returns the stages of the epochs before an epoch, as many as the mechanism takes beside that
   * epoch's own, in their order. One that does not exist is left out: it is before the stream's
   * first epoch, or was charged and lost with the state of an earlier job.
   *
   * @param cell the first cell of the group and sketch
   * @throws PrivacyConflictException if the state lacks one of a release that is still to come, as
   *     one does that was made with fewer epochs: whether it enters would depend on when the job
   *     was stopped
   * @throws IOException if the broker does not answer
   */
  List<long[]> before(Cell cell, long epoch, TwoStageMechanism mechanism) throws Exception {
    List<long[]> found = new ArrayList<>();
    for (long each = epoch - mechanism.modelEpochs() + 1; each < epoch; each++) {
      stage(cell, each, epoch - mostEpochs + 1).ifPresent(found::add);
    }
    return found;
  }

  private Optional<long[]> stage(Cell cell, long epoch, long oldest) throws Exception {
    Optional<long[]> before = published.stage(cell, epoch, oldest);
    byte[] held = stages.get(key(cell, epoch));
    if (before.isPresent() || held != null) {
      return before.isPresent() ? before : Optional.of(Block.longs(held));
    }
    if (epoch >= firstEpoch && !isCharged(cell, epoch)) {
      throw PrivacyConflictException.lackingStage(settings.releaseId(cell, epoch), settings);
    }
    return Optional.empty();
  }

  /** Whether a release was charged before this job was started. */
  private boolean isCharged(Cell cell, long epoch) {
    return settings.isPublished(cell, epoch);
  }

  /**
   * Keeps the stage of an epoch for the models of later ones, unless its release was charged before
   * this job was started. This job then makes no release of it.
   */
  void keep(Cell cell, long epoch, byte[] stage) throws Exception {
    if (!isCharged(cell, epoch)) {
      stages.put(key(cell, epoch), stage);
    }
  }

  /** Forgets the oldest stage that the model of an epoch is made of, as no later one is. */
  void forget(Cell cell, long epoch, TwoStageMechanism mechanism) throws Exception {
    stages.remove(key(cell, epoch - mechanism.modelEpochs() + 1));
  }

  private static String key(Cell cell, long epoch) {
    return epoch + "/" + cell.key();
  }

  @Override
  public void close() {
    published.close();
  }
}
