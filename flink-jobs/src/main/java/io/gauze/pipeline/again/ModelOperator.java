package io.gauze.pipeline.again;

import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.pipeline.ProtocolGuard;
import io.gauze.pipeline.SealedBlock;
import io.gauze.pipeline.SeriesState;
import io.gauze.pipeline.seal.AssembleFunction;
import io.gauze.plan.SketchPlan;
import io.gauze.regression.moments.ResidualModel;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * Makes the public models of sealed first stages, and starts the second reading of each epoch, in
 * the order of the epochs. It has one key, that of the stream.
 *
 * <p>The output goes to {@link AssembleFunction}: the first stages as they came, and the models.
 * The side outputs have the tasks of the second reading: {@link #SECOND_STAGES}, and {@link #FITS}
 * for models of the rows themselves. A model is made from a first stage with its noise, which is in
 * the state of a job before this operator has it, and from {@link EarlierStages} if the mechanism
 * takes more than one epoch; so a restored job makes the same model.
 */
public final class ModelOperator extends AbstractStreamOperator<SealedBlock>
    implements OneInputStreamOperator<SealedBlock, SealedBlock> {
  /** The output of tasks to make second stages. */
  public static final OutputTag<FitTask> SECOND_STAGES =
      new OutputTag<>("second-stages", FitTask.TYPE);

  /** The output of tasks to fit models of the rows themselves. */
  public static final OutputTag<FitTask> FITS = new OutputTag<>("fits", FitTask.TYPE);

  private static final long serialVersionUID = 1L;

  // Names and types belong to the savepoint format: never change one, add a -v2.
  private static final ValueStateDescriptor<Long> NEXT =
      new ValueStateDescriptor<>("next-epoch-v1", BasicTypeInfo.LONG_TYPE_INFO);
  private static final MapStateDescriptor<Long, Integer> ARRIVED =
      new MapStateDescriptor<>(
          "arrived-v1", BasicTypeInfo.LONG_TYPE_INFO, BasicTypeInfo.INT_TYPE_INFO);
  private static final MapStateDescriptor<Long, byte[]> RANGES = bytes("row-ranges-v1");
  private static final MapStateDescriptor<String, byte[]> BLOCKS = bytesByText("blocks-v1");
  private static final MapStateDescriptor<String, byte[]> MODELS = bytesByText("models-v1");

  private final SketchJobSettings settings;
  private final PublishedStages.Factory published;

  private transient EarlierStages earlier;
  private transient SeriesState series;
  private transient ValueState<Long> nextEpoch;
  private transient MapState<Long, Integer> arrived;
  private transient MapState<Long, byte[]> ranges;
  private transient MapState<String, byte[]> blocks; // of first stages that are not complete
  private transient MapState<String, byte[]> models;
  private transient Map<String, SketchParts> parts;
  private transient int blocksOfEpoch;

  public ModelOperator(SketchJobSettings settings) {
    this(settings, schedule -> new PublishedStages.InTopic(settings, schedule));
  }

  public ModelOperator(SketchJobSettings settings, PublishedStages.Factory published) {
    this.settings = settings;
    this.published = published;
  }

  private static MapStateDescriptor<Long, byte[]> bytes(String name) {
    return new MapStateDescriptor<>(
        name, BasicTypeInfo.LONG_TYPE_INFO, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
  }

  private static MapStateDescriptor<String, byte[]> bytesByText(String name) {
    return new MapStateDescriptor<>(
        name,
        BasicTypeInfo.STRING_TYPE_INFO,
        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);
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
    blocks = context.getMapState(BLOCKS);
    models = context.getMapState(MODELS);
    parts = new LinkedHashMap<>();
    for (SketchPlan sketch : settings.readAgain()) {
      parts.put(sketch.name(), SketchParts.of(sketch.mechanism()));
    }
    earlier =
        new EarlierStages(
            settings,
            series.schedule(),
            context.getMapState(EarlierStages.STAGES),
            published.open(series.schedule()));
    int blocksOfGroup = parts.values().stream().mapToInt(SketchParts::firstBlocks).sum();
    blocksOfEpoch = settings.input().groups().size() * blocksOfGroup;
    checkEarlier();
  }

  /** Refuses a state at once with which the next epoch could have no model. */
  private void checkEarlier() throws Exception {
    setCurrentKey(settings.plan().stream());
    Long next = nextEpoch.value();
    if (next == null) {
      return; // a new state
    }
    for (String group : settings.input().groups()) {
      for (SketchPlan sketch : settings.twoStageSketches()) {
        TwoStageMechanism mechanism = (TwoStageMechanism) sketch.mechanism();
        List<long[]> unused = earlier.before(new Cell(group, sketch.name(), 0), next, mechanism);
      }
    }
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
    if (sealed.isPublished()) {
      for (int part = sketch.model(); cell.block() == 0 && part < sketch.count(); part++) {
        output.collect(new StreamRecord<>(SealedBlock.published(part(cell, part), sealed.epoch())));
      }
      return;
    }
    if (sketch.ofRows().isPresent()) {
      models.put(key(model(cell), sealed.epoch()), new byte[0]); // one to fit
      return;
    }
    blocks.put(key(cell, sealed.epoch()), sealed.block());
  }

  /** Makes the model of a group and sketch; empty if its release is published. */
  // The epochs come in their order, so the stages of those before are all known.
  private Optional<byte[]> make(Cell first, long epoch, SketchParts sketch) throws Exception {
    TwoStageMechanism mechanism = sketch.twoStage().orElseThrow();
    Map<Integer, byte[]> found = takeBlocks(first, epoch, sketch.firstBlocks());
    Optional<byte[]> model = Optional.empty();
    if (found.size() == sketch.firstBlocks()) {
      settings.probe().reached(FaultInjection.Step.MODEL);
      long[] own = SketchParts.joined(found, 0, mechanism.spec().stateLength());
      model = Optional.of(model(first, epoch, mechanism, own));
    }
    if (mechanism.modelEpochs() > 1) {
      earlier.forget(first, epoch, mechanism);
    }
    return model;
  }

  private byte[] model(Cell first, long epoch, TwoStageMechanism mechanism, long... own)
      throws Exception {
    List<long[]> firsts = new ArrayList<>(List.of(own));
    if (mechanism.modelEpochs() > 1) {
      firsts.addAll(earlier.before(first, epoch, mechanism));
      earlier.keep(first, epoch, Block.of(own, 0, own.length));
    }
    byte[] model = Block.of(ResidualModel.of(mechanism, firsts), 0, mechanism.modelLength());
    output.collect(new StreamRecord<>(new SealedBlock(model(first), epoch, model)));
    return model;
  }

  private Map<Integer, byte[]> takeBlocks(Cell first, long epoch, int number) throws Exception {
    Map<Integer, byte[]> found = new HashMap<>();
    for (int block = 0; block < number; block++) {
      String key = key(part(first, block), epoch);
      byte[] held = blocks.get(key);
      if (held != null) {
        found.put(block, held);
        blocks.remove(key);
      }
    }
    return found;
  }

  @Override
  public void close() throws Exception {
    try {
      if (earlier != null) {
        earlier.close();
      }
    } finally {
      super.close();
    }
  }

  private Cell model(Cell cell) {
    return part(cell, parts.get(cell.sketch()).model());
  }

  private static Cell part(Cell cell, int part) {
    return new Cell(cell.group(), cell.sketch(), part);
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
    FitTask all = new FitTask(first, epoch, ranges(epoch), takeModels(epoch));
    send(SECOND_STAGES, all.of(all.cells().stream().filter(cell -> !isOfRows(cell)).toList()));
    send(FITS, all.of(all.cells().stream().filter(this::isOfRows).toList()));
    ranges.remove(epoch);
    arrived.remove(epoch);
  }

  private void send(OutputTag<FitTask> tag, FitTask task) {
    if (!task.models().isEmpty()) {
      output.collect(tag, new StreamRecord<>(task));
    }
  }

  private boolean isOfRows(Cell cell) {
    return parts.get(cell.sketch()).ofRows().isPresent();
  }

  /**
   * Returns the models of an epoch, but for those of releases that are published. Those that are
   * still to be fitted are empty.
   */
  private Map<Cell, byte[]> takeModels(long epoch) throws Exception {
    Map<Cell, byte[]> found = new LinkedHashMap<>();
    for (String group : settings.input().groups()) {
      for (Map.Entry<String, SketchParts> sketch : parts.entrySet()) {
        Cell first = new Cell(group, sketch.getKey(), 0);
        takeModel(first, epoch, sketch.getValue())
            .ifPresent(model -> found.put(model(first), model));
      }
    }
    return found;
  }

  private Optional<byte[]> takeModel(Cell first, long epoch, SketchParts sketch) throws Exception {
    String key = key(model(first), epoch);
    byte[] held = models.get(key); // of rows; or a model that a job of an older version made
    models.remove(key);
    return held == null && sketch.twoStage().isPresent()
        ? make(first, epoch, sketch)
        : Optional.ofNullable(held);
  }
}
