package io.gauze.stream;

import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.plan.SketchPlan;
import io.gauze.row.BatchHasher;
import io.gauze.row.RowEncoder;
import io.gauze.sketch.SketchSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.metrics.MetricGroup;

/** Creates the partials of the second stages, whose shapes follow from public models. */
public final class SecondPartials implements Partials.Kind {
  /** The models of the epochs that are read. */
  @FunctionalInterface
  public interface Models {
    /** Returns a model; empty if the release is published, so that accumulators drop partials. */
    Optional<long[]> find(String group, String sketch, long epoch);
  }

  private final SketchJobSettings settings;
  private final RowEncoder encoder;
  private final BatchHasher hasher;
  private final Models models;
  private final Map<String, SketchParts> parts = new LinkedHashMap<>();

  private SecondPartials(
      SketchJobSettings settings, RowEncoder encoder, BatchHasher hasher, Models models) {
    this.settings = settings;
    this.encoder = encoder;
    this.hasher = hasher;
    this.models = models;
    for (SketchPlan sketch : settings.twoStageSketches()) {
      parts.put(sketch.name(), SketchParts.of(sketch.mechanism()));
    }
  }

  /**
   * Returns partials without rows.
   *
   * @param encoder the encoder that has accepted the rows that are added
   * @param hasher computes the tags of rows
   */
  public static Partials of(
      SketchJobSettings settings,
      MetricGroup metrics,
      RowEncoder encoder,
      BatchHasher hasher,
      Models models) {
    return new Partials(
        settings.secondCells(), metrics, new SecondPartials(settings, encoder, hasher, models));
  }

  @Override
  public PartialEpoch empty(String group, long epoch) {
    Map<String, SketchSpec> specs = specs(name -> models.find(group, name, epoch));
    return new PartialEpoch(settings.plan(), specs, encoder, Optional.of(hasher));
  }

  @Override
  public long bytes() {
    return PartialEpoch.bytes(settings.plan(), specs(name -> Optional.empty()));
  }

  @Override
  public byte[] block(PartialEpoch partial, Cell cell) {
    return partial.block(cell.sketch(), parts.get(cell.sketch()).block(cell.block()));
  }

  private Map<String, SketchSpec> specs(Function<String, Optional<long[]>> byName) {
    Map<String, SketchSpec> specs = new LinkedHashMap<>();
    parts.forEach(
        (name, each) -> {
          TwoStageMechanism mechanism = each.twoStage().orElseThrow();
          long[] model = byName.apply(name).orElseGet(() -> new long[mechanism.modelLength()]);
          specs.put(name, mechanism.second(model));
        });
    return specs;
  }
}
