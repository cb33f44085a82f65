package io.gauze.pipeline.seal;

import io.gauze.pipeline.SealedBlock;
import io.gauze.plan.SketchPlan;
import io.gauze.publish.ReleaseCommittable;
import io.gauze.release.Release;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.NoiseInjection;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Joins the sealed blocks of one sketch and epoch into the bytes of its release, and adds the noise
 * that mechanisms add at release. Where rows are read twice, the parts of both stages and the model
 * between them are joined. Keyed by {@link SealedBlock#releaseKey}.
 */
public final class AssembleFunction
    extends KeyedProcessFunction<String, SealedBlock, ReleaseCommittable> {
  private static final long serialVersionUID = 1L;

  /** Name and type belong to the savepoint format: never change them, add a -v2. */
  static final MapStateDescriptor<Integer, byte[]> PARTS =
      new MapStateDescriptor<>(
          "parts-v1",
          BasicTypeInfo.INT_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final SketchJobSettings settings;

  private transient MapState<Integer, byte[]> parts;

  public AssembleFunction(SketchJobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    parts = getRuntimeContext().getMapState(PARTS);
  }

  @Override
  public void processElement(SealedBlock sealed, Context context, Collector<ReleaseCommittable> out)
      throws Exception {
    settings.probe().reached(FaultInjection.Step.ASSEMBLE);
    parts.put(sealed.cell().block(), sealed.block());
    SketchPlan plan = settings.plan().sketch(sealed.cell().sketch());
    SketchParts all = SketchParts.of(plan.mechanism());
    Map<Integer, byte[]> found = new HashMap<>();
    boolean published = false;
    for (Map.Entry<Integer, byte[]> part : parts.entries()) {
      found.put(part.getKey(), part.getValue());
      published |= part.getValue().length == 0;
    }
    if (found.size() < all.count()) {
      return;
    }
    parts.clear();
    if (!published) {
      send(sealed, all.join(found), out);
    }
  }

  private void send(SealedBlock sealed, long[] state, Collector<ReleaseCommittable> out) {
    Release release = NoiseInjection.release(settings, sealed.cell(), sealed.epoch(), state);
    out.collect(
        new ReleaseCommittable(
            release.id().toString(),
            settings.topics().rows(),
            System.currentTimeMillis(),
            release.toBytes()));
  }
}
