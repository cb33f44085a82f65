package io.gauze.pipeline;

import io.gauze.kafka.RowRecord;
import io.gauze.noise.Entropy;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LateRowException;
import io.gauze.stream.Offsets;
import io.gauze.stream.Partials;
import io.gauze.stream.SecondPartials;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Reads the rows of epochs again, and folds them into the partial sketches of the second stages in
 * memory. It sends the partials, and then which epochs have been read in which partitions,
 * downstream before every checkpoint barrier, at the memory limit, and when it has nothing left to
 * read. So this operator never puts a row or a sum without noise into a checkpoint. Its state is
 * what is left to read: public models, and offsets. The operator is keyed by {@link PartitionKeys}.
 *
 * <p>A record counts if its own content and timestamp say that it is a row of the epoch, as at the
 * first reading, and nothing else is reported of it: rejected and late records were sent to their
 * topics at the first reading.
 *
 * <p>The log is read in short slices of time, between which the task takes checkpoints and new
 * tasks.
 */
public final class SecondReadOperator extends AbstractStreamOperator<CellMessage>
    implements OneInputStreamOperator<SecondRead, CellMessage>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** The most records that are read at once; they take some milliseconds. */
  private static final String RECORDS = "2000";

  /**
   * How long the broker may wait for more records: short, as those that are to be read are there. A
   * fetch behind the end of one partition would keep back that of the next one.
   */
  private static final String FETCH_MILLIS = "10";

  /** How long the task reads before it looks whether a checkpoint begins. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Opens clients that fail at offsets which the log does not hold. */
  interface Clients extends Supplier<Consumer<byte[], byte[]>>, Serializable {}

  /** Name and type belong to the savepoint format: never change them, add a -v2. */
  static final ListStateDescriptor<byte[]> READS =
      new ListStateDescriptor<>(
          "second-reads-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final SketchJobSettings settings;
  private final PartitionKeys keys;
  private final Clients clients;
  private final long sliceNanos;

  private transient ListState<byte[]> state;
  private transient Set<Integer> keysInState;
  private transient RangeReader log;
  private transient boolean scheduled;
  private transient Optional<RecordReader> reader; // empty before the first task
  private transient Partials partials;
  private transient Map<Long, Map<Cell, byte[]>> models; // of the epochs in the partials
  private transient Map<Integer, Long> advanced; // since the last flush
  private transient Counter counter;
  private transient Folding rows;
  private transient Map<Long, Integer> partitionsByEpoch; // of the tasks
  private transient MetricGroup group;

  /**
   * Creates an operator.
   *
   * @param keys the keys by which it is keyed
   */
  public SecondReadOperator(SketchJobSettings settings, PartitionKeys keys) {
    this(settings, keys, () -> client(settings.kafka()), SLICE_NANOS);
  }

  SecondReadOperator(
      SketchJobSettings settings, PartitionKeys keys, Clients clients, long sliceNanos) {
    this.settings = settings;
    this.keys = keys;
    this.clients = clients;
    this.sliceNanos = sliceNanos;
  }

  static Consumer<byte[], byte[]> client(KafkaAccess kafka) {
    return kafka.strictConsumer(
        Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            RECORDS,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            FETCH_MILLIS));
  }

  @Override
  public void open() throws Exception {
    super.open();
    ProtocolGuard.checkJob(getContainingTask());
    ProtocolGuard.checkBackend(getKeyedStateBackend());
    group = getMetricGroup().addGroup("gauze");
    counter = group.counter("rowsReadAgain");
    rows = new Folding();
    partitionsByEpoch = new ConcurrentHashMap<>();
    group.gauge("epochsReadAgain", partitionsByEpoch::size);
    log = new RangeReader(settings, clients);
    reader = Optional.empty();
    models = new HashMap<>();
    advanced = new TreeMap<>();
    keysInState = new HashSet<>();
    state = getRuntimeContext().getListState(READS);
    restore();
    schedule();
  }

  private void restore() throws Exception {
    AbstractKeyedStateBackend<Integer> backend =
        (AbstractKeyedStateBackend<Integer>) this.<Integer>getKeyedStateBackend();
    List<SecondRead> all = new ArrayList<>();
    backend.applyToAllKeys(
        VoidNamespace.INSTANCE,
        VoidNamespaceSerializer.INSTANCE,
        READS,
        (key, held) -> {
          keysInState.add(key);
          for (byte[] each : held.get()) {
            all.add(SecondRead.fromBytes(each));
          }
        });
    all.forEach(this::take);
  }

  @Override
  public void processElement(StreamRecord<SecondRead> element) {
    take(element.getValue());
    schedule();
  }

  private void take(SecondRead read) {
    if (reader.isEmpty()) {
      reader = Optional.of(new RecordReader(settings, settings.schedule().from(read.firstEpoch())));
      Entropy entropy = settings.randomness().entropy("row hashes");
      partials =
          SecondPartials.of(
              settings,
              group,
              reader.get().encoder(),
              RowHasher.create(entropy::nextLong).ofBatches(),
              this::model);
    }
    log.add(read);
    partitionsByEpoch.merge(read.epoch(), 1, Integer::sum);
  }

  private Optional<long[]> model(String group, String sketch, long epoch) {
    int part = SketchParts.of(settings.plan().sketch(sketch).mechanism()).model();
    return Optional.ofNullable(models.get(epoch).get(new Cell(group, sketch, part)))
        .map(Block::longs);
  }

  // Flink fires no timer any more once a job is to stop with a savepoint: what is left to read is
  // then in the savepoint.
  private void schedule() {
    if (!scheduled && !log.isDone()) {
      scheduled = true;
      ProcessingTimeService timer = getProcessingTimeService();
      var unused = // a failure fails the task
          timer.registerTimer(timer.getCurrentProcessingTime() + 1, time -> readSlice());
    }
  }

  private void readSlice() throws IOException {
    scheduled = false;
    long begin = System.nanoTime();
    do {
      readOn();
    } while (!log.isDone() && System.nanoTime() - begin < sliceNanos);
    schedule();
  }

  private void readOn() throws IOException {
    settings.probe().reached(FaultInjection.Step.SECOND_READ);
    log.poll(rows);
    if (log.isDone()) {
      flush();
    }
  }

  /** Folds what is read. */
  private final class Folding implements RangeReader.Rows {
    @Override
    public void row(SecondRead read, RowRecord record) {
      try {
        RecordReader records = reader.orElseThrow();
        if (records.read(record) == read.epoch()) {
          fold(read, record, records.group());
        }
      } catch (RowRejectedException | LateRowException e) {
        // It was reported at the first reading.
      }
    }

    @Override
    public void done(SecondRead read) {
      advanced.put(read.partition(), SecondRead.progress(read.firstEpoch(), read.epoch()));
      partitionsByEpoch.computeIfPresent(
          read.epoch(), (epoch, left) -> left == 1 ? null : left - 1);
    }
  }

  private void fold(SecondRead read, RowRecord record, String group) {
    if (!partials.hasRoom(group, read.epoch())) {
      flush();
    }
    models.putIfAbsent(read.epoch(), read.models());
    partials.addAt(group, read.epoch(), record.partition(), record.offset());
    counter.inc();
  }

  private void flush() {
    if (reader.isEmpty()) {
      return;
    }
    settings.probe().reached(FaultInjection.Step.SECOND_FLUSH);
    partials.flush(this::send);
    models.clear();
    if (!advanced.isEmpty()) {
      Offsets progress = Offsets.of(advanced);
      settings.secondCells().forEach(cell -> send(CellMessage.progress(cell, progress)));
      advanced.clear();
    }
  }

  private void send(CellMessage message) {
    output.collect(new StreamRecord<>(message));
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    flush();
  }

  @Override
  public OperatorSnapshotFutures snapshotState(
      long checkpointId, long timestamp, CheckpointOptions options, CheckpointStreamFactory factory)
      throws Exception {
    ProtocolGuard.checkAligned(options);
    return super.snapshotState(checkpointId, timestamp, options, factory);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    Map<Integer, List<byte[]>> byKey = new HashMap<>();
    for (SecondRead read : log.rest()) {
      byKey.computeIfAbsent(keys.getKey(read), key -> new ArrayList<>()).add(read.toBytes());
    }
    keysInState.addAll(byKey.keySet());
    for (Integer key : keysInState) {
      setCurrentKey(key);
      state.update(byKey.getOrDefault(key, List.of()));
    }
    keysInState.retainAll(byKey.keySet());
  }

  /** Reads all that is left, since nothing comes after this call. */
  // No checkpoint is possible in between. Its barrier is behind the end of the data in the input,
  // which the task does not read before this call returns; yielding to the mailbox would only run
  // mails. Nor may an operator send anything later.
  @Override
  public void endInput() throws Exception {
    while (!log.isDone()) {
      readOn();
    }
  }

  @Override
  public void close() throws Exception {
    try {
      if (log != null) {
        log.close();
      }
    } finally {
      super.close();
    }
  }
}
