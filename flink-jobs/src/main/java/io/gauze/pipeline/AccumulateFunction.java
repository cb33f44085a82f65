package io.gauze.pipeline;

import io.gauze.mechanism.SketchPlan;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.NoiseInjection;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StateSizeGauges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.java.typeutils.MapTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sums of one cell, epoch by epoch. A block is created with its noise in it, by the first
 * partial or by the cut, and then only ever added to, so whatever a checkpoint holds is a private
 * sketch; not so for mechanisms that are not born, whose blocks are exact sums. It is sealed when
 * the rows of all partitions have been folded up to the cut.
 *
 * <p>Of a table the blocks are exact changes, and what is sealed is their sum so far, with fresh
 * noise each time. So it is with cumulative releases, whose noise is one series, drawn release by
 * release and kept until the last; then all of the cell is erased.
 */
final class AccumulateFunction extends KeyedProcessFunction<String, CellMessage, SealedBlock> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(AccumulateFunction.class);

  /** Names and types belong to the savepoint format: never change one, add a -v2. */
  static final MapStateDescriptor<Long, byte[]> BLOCKS =
      new MapStateDescriptor<>(
          "blocks-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  static final MapStateDescriptor<Integer, Long> PROGRESS =
      new MapStateDescriptor<>(
          "progress-v1", BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);
  private static final MapStateDescriptor<Long, Map<Integer, Long>> CUTS =
      new MapStateDescriptor<>(
          "cuts-v1",
          BasicTypeInfo.LONG_TYPE_INFO,
          new MapTypeInfo<>(BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO));
  private static final ValueStateDescriptor<Long> SEALED =
      new ValueStateDescriptor<>("sealed-through-v1", BasicTypeInfo.LONG_TYPE_INFO);

  private static final ValueStateDescriptor<Long> OLDEST_CUT =
      new ValueStateDescriptor<>("oldest-cut-v1", BasicTypeInfo.LONG_TYPE_INFO);

  static final MapStateDescriptor<Integer, Long> PROGRESS_AT_END =
      new MapStateDescriptor<>(
          "progress-at-end-v1", BasicTypeInfo.INT_TYPE_INFO, BasicTypeInfo.LONG_TYPE_INFO);

  static final ValueStateDescriptor<byte[]> TOTAL =
      new ValueStateDescriptor<>("total-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final SketchJobSettings settings;

  private transient MapState<Long, byte[]> blocks;
  private transient MapState<Integer, Long> progress;
  private transient MapState<Integer, Long> progressAtEnd;
  private transient ValueState<byte[]> total;
  private transient CumulativeReleases.State series;
  private transient MapState<Long, Map<Integer, Long>> cuts;
  private transient ValueState<Long> sealedThrough;
  private transient ValueState<Long> oldestCut;
  private transient Map<String, SketchPlan> plans;
  private transient Counter lateBlocks;
  private transient Counter skippedBlocks;
  private transient Counter sealedBlocks;
  private transient StateSizeGauges held;
  private transient RateLimiter late;

  AccumulateFunction(SketchJobSettings settings) {
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    blocks = getRuntimeContext().getMapState(BLOCKS);
    progress = getRuntimeContext().getMapState(PROGRESS);
    progressAtEnd = getRuntimeContext().getMapState(PROGRESS_AT_END);
    total = getRuntimeContext().getState(TOTAL);
    cuts = getRuntimeContext().getMapState(CUTS);
    sealedThrough = getRuntimeContext().getState(SEALED);
    oldestCut = getRuntimeContext().getState(OLDEST_CUT);
    plans = new HashMap<>();
    settings.plan().sketches().forEach(plan -> plans.put(plan.name(), plan));
    MetricGroup group = getRuntimeContext().getMetricGroup().addGroup("gauze");
    lateBlocks = group.counter("lateBlocks");
    skippedBlocks = group.counter("skippedBlocks");
    sealedBlocks = group.counter("sealedBlocks");
    late = new RateLimiter();
    held = new StateSizeGauges(group);
    series = new CumulativeReleases.State(getRuntimeContext(), total, held);
  }

  /** Counts what a restored state holds of the current key. */
  void countRestored() throws Exception {
    held.restored(blocks);
    held.restored(total);
    series.countRestored();
    for (Long epoch : blocks.keys()) {
      held.opened(epoch);
    }
    for (Long epoch : cuts.keys()) {
      if (!blocks.contains(epoch)) {
        held.opened(epoch);
      }
    }
  }

  @Override
  public void processElement(CellMessage message, Context context, Collector<SealedBlock> out)
      throws Exception {
    settings.probe().reached(FaultInjection.Step.ACCUMULATE);
    switch (message.kind()) {
      case PARTIAL -> add(message, context.timerService().currentProcessingTime());
      case PROGRESS -> {
        raise(progress, message.offsets().byPartition());
        sealComplete(message.cell(), out);
      }
      case PROGRESS_AT_END -> raise(progressAtEnd, message.offsets().byPartition());
      case CUT -> {
        open(message.epoch());
        cuts.put(message.epoch(), new HashMap<>(message.offsets().byPartition()));
        if (oldestCut.value() == null) {
          oldestCut.update(message.epoch());
          sealComplete(message.cell(), out);
        }
      }
    }
  }

  /** What was true stays true, whoever repeats less. */
  private static void raise(MapState<Integer, Long> reached, Map<Integer, Long> next)
      throws Exception {
    for (Map.Entry<Integer, Long> each : next.entrySet()) {
      Long before = reached.get(each.getKey());
      if (before == null || before < each.getValue()) {
        reached.put(each.getKey(), each.getValue());
      }
    }
  }

  /** All input has ended: what was to count from then on, counts. */
  void end(Cell cell, Collector<SealedBlock> out) throws Exception {
    Map<Integer, Long> reached = new HashMap<>();
    for (Map.Entry<Integer, Long> each : progressAtEnd.entries()) {
      reached.put(each.getKey(), each.getValue());
    }
    if (!reached.isEmpty()) {
      raise(progress, reached);
      sealComplete(cell, out);
    }
    if (settings.bounded() && !cuts.isEmpty()) {
      throw LastingFaultException.lostRows(settings.topics().rows(), firstUnread());
    }
  }

  /** Of the partitions that were not read up to a cut the first, and how far. */
  private String firstUnread() throws Exception {
    SortedMap<Integer, Long> ends = new TreeMap<>();
    for (Map<Integer, Long> each : cuts.values()) {
      each.forEach((partition, end) -> ends.merge(partition, end, Math::max));
    }
    for (Map.Entry<Integer, Long> end : ends.entrySet()) {
      Long next = progress.get(end.getKey());
      long reached = next == null ? 0 : next;
      if (reached < end.getValue()) {
        return String.format(
            Locale.ROOT,
            "partition %d was read up to offset %d of %d",
            end.getKey(),
            reached,
            end.getValue());
      }
    }
    return "no partition is behind";
  }

  private void add(CellMessage partial, long now) throws Exception {
    Long sealed = sealedThrough.value();
    boolean isLate = sealed != null && partial.epoch() <= sealed;
    if (isLate) {
      lateBlocks.inc();
      if (late.isDue(now)) {
        LOG.error(lateRows(settings, partial.epoch(), sealed));
      }
    }
    if (isRunning(settings)) {
      addChange(isLate ? sealed + 1 : partial.epoch(), partial.block());
      return;
    }
    Optional<byte[]> sum = isLate ? Optional.empty() : find(partial.cell(), partial.epoch());
    if (sum.isPresent()) {
      put(partial.epoch(), Block.sum(sum.get(), partial.block()));
    }
  }

  private void put(long epoch, byte[] block) throws Exception {
    open(epoch);
    held.put(blocks, epoch, block);
  }

  /** To be called before an epoch gets a block or a cut: it is open while it has one of them. */
  private void open(long epoch) throws Exception {
    if (!blocks.contains(epoch) && !cuts.contains(epoch)) {
      held.opened(epoch);
    }
  }

  /** What the operator of the job should know of rows that come after the seal of their epoch. */
  static String lateRows(SketchJobSettings settings, long epoch, long sealed) {
    String one = settings.keepsTable() ? "snapshot" : "release";
    String where = "no " + one + ", since it was the last";
    if (!isRunning(settings)) {
      where = "no release of it";
    } else if (sealed < settings.lastRelease(settings.schedule())) {
      where = "the next " + one;
    }
    return "Rows came for epoch "
        + settings.schedule().label(epoch)
        + " after it was sealed, so they are in "
        + where
        + ": a clock that sets the rows' timestamps is behind by more than epochs.grace. The guarantee assumed otherwise; raise"
        + " epochs.grace. The counter lateBlocks has all of them; this line comes at most once a minute.";
  }

  /** Whether a release holds what those before it do, and more. */
  private static boolean isRunning(SketchJobSettings settings) {
    return settings.keepsTable() || settings.isCumulative();
  }

  /** Later releases must not lose a change: one that comes late is in the next, if there is one. */
  private void addChange(long epoch, byte[] change) throws Exception {
    if (epoch > settings.lastRelease(settings.schedule())) {
      return;
    }
    byte[] before = blocks.get(epoch);
    put(epoch, before == null ? change : Block.sum(before, change));
  }

  /**
   * The epoch's block, created with its noise if it is new; none if the epoch was published before
   * this job began.
   */
  private Optional<byte[]> find(Cell cell, long epoch) throws Exception {
    byte[] block = blocks.get(epoch);
    if (block != null) {
      return Optional.of(block);
    }
    return isPublished(cell, epoch) ? Optional.empty() : Optional.of(newBlock(cell, epoch));
  }

  private boolean isPublished(Cell cell, long epoch) {
    boolean published = settings.published().contains(settings.releaseId(cell, epoch).toString());
    if (published) {
      skippedBlocks.inc();
    }
    return published;
  }

  private byte[] newBlock(Cell cell, long epoch) {
    return NoiseInjection.newBlock(
        plans.get(cell.sketch()),
        cell.block(),
        settings.releaseId(cell, epoch),
        settings.randomness());
  }

  // Cuts come in the order of the epochs, without gaps, and ends never go back: so do seals.
  private void sealComplete(Cell cell, Collector<SealedBlock> out) throws Exception {
    Sealing sealing = sealing(cell);
    Long oldest = oldestCut.value();
    while (oldest != null) {
      Map<Integer, Long> ends = cuts.get(oldest);
      if (ends == null) {
        oldestCut.clear();
        return;
      }
      if (!reached(ends)) {
        return;
      }
      seal(cell, oldest, sealing, out);
      oldest++;
      oldestCut.update(oldest);
    }
  }

  /** What the block of an epoch is when it is sealed. */
  @FunctionalInterface
  private interface Sealing {
    Optional<byte[]> block(long epoch) throws Exception;
  }

  /** For the seals of one call: that of a cumulative series keeps what was drawn. */
  private Sealing sealing(Cell cell) {
    if (settings.isCumulative()) {
      CumulativeReleases turns = new CumulativeReleases(settings, cell, series);
      return epoch -> Optional.of(cumulative(turns, epoch));
    }
    return settings.keepsTable() ? epoch -> snapshot(cell, epoch) : epoch -> find(cell, epoch);
  }

  private boolean reached(Map<Integer, Long> ends) throws Exception {
    for (Map.Entry<Integer, Long> end : ends.entrySet()) {
      Long next = progress.get(end.getKey());
      if (end.getValue() > 0 && (next == null || next < end.getValue())) {
        return false;
      }
    }
    return true;
  }

  private void seal(Cell cell, long epoch, Sealing sealing, Collector<SealedBlock> out)
      throws Exception {
    settings.probe().reached(FaultInjection.Step.SEAL);
    Optional<byte[]> block = sealing.block(epoch);
    held.remove(blocks, epoch);
    cuts.remove(epoch);
    held.closed(epoch);
    sealedThrough.update(epoch);
    if (block.isPresent()) {
      sealedBlocks.inc();
      out.collect(new SealedBlock(cell, epoch, block.get()));
    }
  }

  /** The table up to the epoch's end, with noise that nothing else has. */
  private Optional<byte[]> snapshot(Cell cell, long epoch) throws Exception {
    addUp(epoch);
    if (isPublished(cell, epoch)) {
      return Optional.empty();
    }
    byte[] fresh = newBlock(cell, epoch);
    byte[] table = total.value();
    return Optional.of(table == null ? fresh : Block.sum(fresh, table));
  }

  private void addUp(long epoch) throws Exception {
    List<Long> through = new ArrayList<>();
    for (Long each : blocks.keys()) {
      if (each <= epoch) {
        through.add(each);
      }
    }
    for (Long each : through) {
      byte[] before = total.value();
      byte[] block = blocks.get(each);
      held.update(total, before == null ? block : Block.sum(before, block));
      forget(each);
    }
  }

  private void forget(long epoch) throws Exception {
    held.remove(blocks, epoch);
    if (!cuts.contains(epoch)) {
      held.closed(epoch);
    }
  }

  /**
   * All rows up to the epoch's end, with the noise of its release. One that is published already is
   * made again: the committer finds that its body is another one, as all later ones would be.
   */
  private byte[] cumulative(CumulativeReleases turns, long epoch) throws Exception {
    turns.begin(epoch);
    addUp(epoch);
    byte[] block = turns.seal(epoch);
    if (epoch == settings.lastRelease(settings.schedule())) {
      held.clear(blocks);
    }
    return block;
  }
}
