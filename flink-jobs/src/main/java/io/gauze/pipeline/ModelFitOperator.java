package io.gauze.pipeline;

import io.gauze.config.ModelMemory;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
 * Fits models to the rows of sealed epochs, one epoch after the other, in a thread of its own, so
 * that checkpoints do not wait for it. Its state is the list of tasks that are not done: offsets,
 * and no row, and the ids of the last models that were. After a crash a task is done again, with
 * new noise; nothing has left the job that was made with the noise before. The operator has one
 * subtask.
 */
public final class ModelFitOperator extends AbstractStreamOperator<SealedBlock>
    implements OneInputStreamOperator<FitTask, SealedBlock>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** Name and type belong to the savepoint format: never change them, add a -v2. */
  static final ListStateDescriptor<byte[]> TASKS =
      new ListStateDescriptor<>(
          "fit-tasks-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  /**
   * The ids of the releases of the last epoch that was fitted. Name and type belong to the
   * savepoint format: never change them, add a -v2.
   */
  static final ListStateDescriptor<String> FITTED =
      new ListStateDescriptor<>("fitted-v1", BasicTypeInfo.STRING_TYPE_INFO);

  private final SketchJobSettings settings;
  private final SecondReadOperator.Clients clients;
  private final PublishedModels.Factory published;

  private transient ListState<byte[]> state;
  private transient ListState<String> fittedState;
  private transient List<FitTask> restored;
  private transient Set<String> fitted; // of the last epoch that has models
  private transient Deque<Fitting> fittings; // in the order of their epochs
  private transient ExecutorService thread;
  private transient MailboxExecutor mailbox;
  private transient EpochCentres centres;
  private transient JobMemory memory;
  private transient ModelFitter fitter;

  /** A task and what will come of it. */
  private record Fitting(FitTask task, Future<List<SealedBlock>> models) {}

  public ModelFitOperator(SketchJobSettings settings) {
    this(
        settings,
        () -> SecondReadOperator.client(settings.kafka()),
        () -> new PublishedModels.InTopic(settings));
  }

  ModelFitOperator(
      SketchJobSettings settings,
      SecondReadOperator.Clients clients,
      PublishedModels.Factory published) {
    this.settings = settings;
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
    AtomicLong rows = new AtomicLong();
    metrics.counter("rowsReadAgain", new Tally(rows::get));
    fittings = new ArrayDeque<>();
    metrics.gauge("epochsReadAgain", () -> fittings.size());
    Configuration job = getContainingTask().getEnvironment().getJobConfiguration();
    centres = new EpochCentres(settings, published.open(), fitted);
    memory =
        JobMemory.open(
            getRuntimeContext().getJobInfo().getJobId().toString(), ModelMemory.bytes(job));
    EpochRows epochRows = new EpochRows(settings, clients, rows::addAndGet, memory.room());
    fitter = new ModelFitter(settings, centres, epochRows);
    thread = Executors.newSingleThreadExecutor(ModelFitOperator::daemon);
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    restored.forEach(this::start);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "gauze-model-fit");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void processElement(StreamRecord<FitTask> element) {
    start(element.getValue());
  }

  private void start(FitTask task) {
    Future<List<SealedBlock>> models =
        thread.submit(
            () -> {
              try {
                return fitter.fit(task);
              } finally {
                mailbox.execute(this::sendFitted, "models of an epoch are fitted");
              }
            });
    fittings.add(new Fitting(task, models));
  }

  // A mail may come just before its future is done; then the next lines wait for an instant.
  private void sendFitted() throws Exception {
    if (!fittings.isEmpty()) {
      sendFirst();
    }
  }

  private void sendFirst() throws Exception {
    Fitting first = fittings.element();
    try {
      send(first.models.get());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error; // Flink knows what to do with it
      }
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    fittings.remove();
  }

  private void send(List<SealedBlock> models) {
    fitted.clear();
    for (SealedBlock model : models) {
      output.collect(new StreamRecord<>(model));
      if (!model.isPublished()) {
        fitted.add(settings.releaseId(model.cell(), model.epoch()).toString());
      }
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    List<byte[]> tasks = new ArrayList<>();
    for (Fitting fitting : fittings) {
      tasks.add(fitting.task.toBytes());
    }
    state.update(tasks);
    fittedState.update(List.copyOf(fitted));
  }

  /** Waits for the models that are left, since nothing comes after this call. */
  @Override
  public void endInput() throws Exception {
    centres.end();
    while (!fittings.isEmpty()) {
      sendFirst();
    }
  }

  @Override
  public void close() throws Exception {
    if (thread != null) {
      fittings.forEach(fitting -> fitting.models.cancel(true));
      thread.execute(centres::close); // no other thread may use its client
      thread.execute(memory::close); // once no fit has rows any more
      thread.shutdown();
    }
    super.close();
  }
}
