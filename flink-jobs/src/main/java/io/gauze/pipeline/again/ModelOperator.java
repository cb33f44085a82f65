package io.gauze.pipeline.again;

import io.gauze.pipeline.ProtocolGuard;
import io.gauze.pipeline.SealedBlock;
import io.gauze.pipeline.SeriesState;
import io.gauze.pipeline.seal.AssembleFunction;
import io.gauze.plan.SketchPlan;
import io.gauze.stream.Cell;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Starts the second reading of each sealed epoch, in the order of the epochs. It has one key, that
 * of the stream.
 *
 * <p>The output goes to {@link AssembleFunction}: the empty sketches of sealed cells as they came.
 * The side output has the tasks of the second reading, {@link #FITS}.
 */
public final class ModelOperator extends AbstractStreamOperator<SealedBlock>
    implements OneInputStreamOperator<SealedBlock, SealedBlock> {
  /** The output of tasks to fit models of the rows themselves. */
  public static final OutputTag<FitTask> FITS = new OutputTag<>("fits", FitTask.TYPE);

  private static final long serialVersionUID = 1L;

  // Names and types belong to the savepoint format: never change one, add a -v2.
  private static final ValueStateDescriptor<Long> NEXT =
      new ValueStateDescriptor<>("next-epoch-v1", BasicTypeInfo.LONG_TYPE_INFO);
  private static final MapStateDescriptor<Long, Integer> ARRIVED =
      new MapStateDescriptor<>(
          "arrived-v1", BasicTypeInfo.LONG_TYPE_INFO, BasicTypeInfo.INT_TYPE_INFO);
  private static final MapStateDescriptor<Long, byte[]> RANGES =
      new MapStateDescriptor<>(
          "row-ranges-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
  private static final MapStateDescriptor<String, byte[]> MODELS =
      new MapStateDescriptor<>(
          "models-v1",
          BasicTypeInfo.STRING_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final SketchJobSettings settings;

  private transient SeriesState series;
  private transient ValueState<Long> nextEpoch;
  private transient MapState<Long, Integer> arrived;
  private transient MapState<Long, byte[]> ranges;
  private transient MapState<String, byte[]> models; // that are to be fitted, without bytes
  private transient Map<String, SketchParts> parts;
  private transient int blocksOfEpoch;

  public ModelOperator(SketchJobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    series = SeriesState.of(settings, context);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    series.snapshot();
  }

  @Override
  public void open() throws Exception {
    ProtocolGuard.checkBackend(getKeyedStateBackend());
    super.open();
    RuntimeContext context = getRuntimeContext();
    nextEpoch = context.getState(NEXT);
    arrived = context.getMapState(ARRIVED);
    ranges = context.getMapState(RANGES);
    models = context.getMapState(MODELS);
    parts = new LinkedHashMap<>();
    for (SketchPlan sketch : settings.readAgain()) {
      parts.put(sketch.name(), SketchParts.of(sketch.mechanism()));
    }
    int blocksOfGroup = parts.values().stream().mapToInt(SketchParts::firstBlocks).sum();
    blocksOfEpoch = settings.input().groups().size() * blocksOfGroup;
  }

  @Override
  public void processElement(StreamRecord<SealedBlock> element) throws Exception {
    SealedBlock sealed = element.getValue();
    long epoch = sealed.epoch();
    output.collect(new StreamRecord<>(sealed.withoutRanges()));
    if (!sealed.ranges().isEmpty()) {
      ranges.put(epoch, ranges(epoch).and(sealed.ranges()).toBytes());
    }
    add(sealed);
    Integer before = arrived.get(epoch);
    arrived.put(epoch, before == null ? 1 : before + 1);
    startComplete();
  }

  private RowRanges ranges(long epoch) throws Exception {
    byte[] held = ranges.get(epoch);
    return held == null ? RowRanges.NONE : RowRanges.fromBytes(held);
  }

  private void add(SealedBlock sealed) throws Exception {
    Cell cell = sealed.cell();
    SketchParts sketch = parts.get(cell.sketch());
    if (!sealed.isPublished()) {
      models.put(key(model(cell), sealed.epoch()), new byte[0]); // one to fit
      return;
    }
    for (int part = sketch.model(); cell.block() == 0 && part < sketch.count(); part++) {
      Cell made = new Cell(cell.group(), cell.sketch(), part);
      output.collect(new StreamRecord<>(SealedBlock.published(made, sealed.epoch())));
    }
  }

  private Cell model(Cell cell) {
    return new Cell(cell.group(), cell.sketch(), parts.get(cell.sketch()).model());
  }

  private static String key(Cell cell, long epoch) {
    return epoch + "/" + cell.key();
  }

  private void startComplete() throws Exception {
    long first = series.schedule().firstEpoch();
    Long held = nextEpoch.value();
    long next = held == null ? first : held;
    while (isComplete(next)) {
      start(first, next);
      next++;
      nextEpoch.update(next);
    }
  }

  private boolean isComplete(long epoch) throws Exception {
    Integer all = arrived.get(epoch);
    return all != null && all == blocksOfEpoch;
  }

  private void start(long first, long epoch) throws Exception {
    FitTask task = new FitTask(first, epoch, ranges(epoch), takeModels(epoch));
    if (!task.models().isEmpty()) {
      output.collect(FITS, new StreamRecord<>(task));
    }
    ranges.remove(epoch);
    arrived.remove(epoch);
  }

  /**
   * Returns the models of an epoch that are to be fitted: those whose releases are not published.
   */
  private Map<Cell, byte[]> takeModels(long epoch) throws Exception {
    Map<Cell, byte[]> found = new LinkedHashMap<>();
    for (String group : settings.input().groups()) {
      for (String sketch : parts.keySet()) {
        Cell model = model(new Cell(group, sketch, 0));
        byte[] held = models.get(key(model, epoch));
        if (held != null) {
          models.remove(key(model, epoch));
          found.put(model, held);
        }
      }
    }
    return found;
  }
}
