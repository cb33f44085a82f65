package io.gauze.pipeline.again;

import io.gauze.config.ModelMemory;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.pipeline.JobMemory;
import io.gauze.pipeline.ProtocolGuard;
import io.gauze.pipeline.SealedBlock;
import io.gauze.pipeline.read.Tally;
import io.gauze.stream.Cell;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Reads the rows of sealed epochs again, and makes models of them, in threads of their own, so that
 * checkpoints do not wait for them. Each leaves when it is ready, and a model that waits for each
 * of its releases holds back no other one. The state is the list of tasks that are not done:
 * offsets, and no row, and the ids of the last models that were. After a crash a task is done
 * again, with new noise; nothing has left the job that was made with the noise before. It has one
 * subtask.
 */
public final class ModelFitOperator extends AbstractStreamOperator<SealedBlock>
    implements OneInputStreamOperator<FitTask, SealedBlock>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** Name and type belong to the savepoint format: never change them, add a -v2. */
  public static final ListStateDescriptor<byte[]> TASKS =
      new ListStateDescriptor<>(
          "fit-tasks-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  /**
   * The ids of the last releases that were fitted, one for each series. Name and type belong to the
   * savepoint format: never change them, add a -v2.
   */
  static final ListStateDescriptor<String> FITTED =
      new ListStateDescriptor<>("fitted-v1", BasicTypeInfo.STRING_TYPE_INFO);

  /** The lane of all models that wait for no release; no sketch has this name. */
  private static final String UNTRACKED = "untracked models";

  private final SketchJobSettings settings;
  private final int readers;
  private final EpochReader.Clients clients;
  private final PublishedModels.Factory published;

  private transient ListState<byte[]> state;
  private transient ListState<String> fittedState;
  private transient List<FitTask> restored;
  private transient Set<String> fitted; // the last of each series
  private transient Set<String> restoredFitted;
  private transient List<Fitting> fittings; // of each lane in the order of their epochs
  private transient Map<String, FitLane> lanes;
  private transient AtomicLong rows;
  private transient volatile long epochs;
  private transient MailboxExecutor mailbox;

  /** A task of one lane, what of it is ready and not sent, and its cells that are left. */
  private static final class Fitting {
    private final FitTask task;
    private final Queue<ModelFitter.Fitted> fitted = new ConcurrentLinkedQueue<>();
    private final List<Cell> left;
    private Future<Void> end;

    Fitting(FitTask task) {
      this.task = task;
      this.left = new ArrayList<>(task.cells());
    }
  }

  /**
   * Creates an operator.
   *
   * @param readers the most partitions that are read at once for one epoch
   */
  public ModelFitOperator(SketchJobSettings settings, int readers) {
    this(
        settings,
        readers,
        () -> EpochReader.client(settings.kafka()),
        () -> new PublishedModels.InTopic(settings));
  }

  public ModelFitOperator(
      SketchJobSettings settings,
      int readers,
      EpochReader.Clients clients,
      PublishedModels.Factory published) {
    this.settings = settings;
    this.readers = readers;
    this.clients = clients;
    this.published = published;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state = context.getOperatorStateStore().getListState(TASKS);
    restored = new ArrayList<>();
    for (byte[] task : state.get()) {
      restored.add(FitTask.fromBytes(task));
    }
    fittedState = context.getOperatorStateStore().getListState(FITTED);
    fitted = new LinkedHashSet<>();
    fittedState.get().forEach(fitted::add);
  }

  @Override
  public void open() throws Exception {
    super.open();
    ProtocolGuard.checkJob(getContainingTask());
    MetricGroup metrics = getMetricGroup().addGroup("gauze");
    rows = new AtomicLong();
    metrics.counter("rowsReadAgain", new Tally(rows::get));
    metrics.gauge("epochsReadAgain", () -> epochs);
    fittings = new ArrayList<>();
    lanes = new HashMap<>();
    restoredFitted = Set.copyOf(fitted);
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    restored.forEach(this::start);
  }

  @Override
  public void processElement(StreamRecord<FitTask> element) {
    start(element.getValue());
  }

  private void start(FitTask task) {
    Map<String, List<Cell>> byLane = new LinkedHashMap<>();
    for (Cell cell : task.cells()) {
      byLane.computeIfAbsent(lane(cell), name -> new ArrayList<>()).add(cell);
    }
    byLane.forEach((lane, cells) -> start(lane, task.of(cells)));
    countEpochs();
  }

  private String lane(Cell cell) {
    Mechanism mechanism = settings.plan().sketch(cell.sketch()).mechanism();
    return mechanism instanceof TrackingMechanism tracking && tracking.waitsForPublished()
        ? cell.sketch()
        : UNTRACKED;
  }

  private void start(String lane, FitTask task) {
    Fitting fitting = new Fitting(task);
    fitting.end =
        lanes
            .computeIfAbsent(lane, this::openLane)
            .submit(
                task,
                model -> {
                  fitting.fitted.add(model);
                  mailbox.execute(() -> send(fitting), "a model of an epoch is fitted");
                },
                failure -> mailbox.execute(() -> fail(failure), "a model could not be fitted"));
    fittings.add(fitting);
  }

  private FitLane openLane(String name) {
    Configuration job = getContainingTask().getEnvironment().getJobConfiguration();
    String id = getRuntimeContext().getJobInfo().getJobId().toString();
    JobMemory memory = JobMemory.open(id, ModelMemory.bytes(job));
    EpochCentres centres = new EpochCentres(settings, published.open(), restoredFitted);
    EpochReader reader = new EpochReader(settings, clients, readers, "gauze-read-again " + name);
    return FitLane.open(settings, centres, memory, reader, rows::addAndGet);
  }

  private void countEpochs() {
    epochs = fittings.stream().mapToLong(fitting -> fitting.task.epoch()).distinct().count();
  }

  private void send(Fitting fitting) {
    ModelFitter.Fitted next = fitting.fitted.poll();
    while (next != null) {
      next.parts().forEach(part -> output.collect(new StreamRecord<>(part)));
      remember(next.parts().get(0));
      fitting.left.remove(next.model());
      next = fitting.fitted.poll();
    }
    if (fitting.left.isEmpty()) {
      fittings.remove(fitting);
      countEpochs();
    }
  }

  private static void fail(Throwable failure) throws Exception {
    if (failure instanceof Error error) {
      throw error; // Flink knows what to do with it
    }
    throw (Exception) failure;
  }

  /** Remembers the last release of the part's series, which may be sent after a restore. */
  private void remember(SealedBlock part) {
    ReleaseId id = settings.releaseId(part.cell(), part.epoch());
    String begin = id.stream() + "/" + id.group() + "/";
    String end = "/" + id.sketch();
    fitted.removeIf(earlier -> earlier.startsWith(begin) && earlier.endsWith(end));
    if (!part.isPublished()) {
      fitted.add(id.toString());
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    List<byte[]> tasks = new ArrayList<>();
    for (Fitting fitting : fittings) {
      tasks.add(fitting.task.of(fitting.left).toBytes());
    }
    state.update(tasks);
    fittedState.update(List.copyOf(fitted));
  }

  /** Waits for the models that are left, since nothing comes after this call. */
  @Override
  public void endInput() throws Exception {
    lanes.values().forEach(FitLane::end);
    for (Fitting fitting : List.copyOf(fittings)) {
      try {
        fitting.end.get();
      } catch (ExecutionException e) {
        fail(e.getCause());
      }
      send(fitting);
    }
  }

  @Override
  public void close() throws Exception {
    if (lanes != null) {
      fittings.forEach(fitting -> fitting.end.cancel(true));
      lanes.values().forEach(FitLane::close);
    }
    super.close();
  }
}
