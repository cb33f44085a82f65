package io.gauze.solver;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * One answer for every request. Releases are read from their topic, from the beginning at every
 * start, and are no state; the state is the requests that wait for a release, each until its
 * deadline at most.
 */
final class SolveOperator extends AbstractStreamOperator<Answer>
    implements OneInputStreamOperator<RequestRecord, Answer>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** How often new releases and deadlines are looked for, in milliseconds. */
  static final long TICK = 50;

  /** Requests that may wait in a subtask; more are answered at once. */
  static final int MOST_WAITING = 50_000;

  /** The bytes that they may have together. */
  static final long MOST_WAITING_BYTES = 64L << 20;

  private static final ListStateDescriptor<byte[]> WAITING =
      new ListStateDescriptor<>(
          "waiting-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final String stream;
  private final String topic;
  private final ReleaseFeed.Factory releases;

  private transient ListState<byte[]> waitingState;
  private transient Deque<byte[]> restored;
  private transient PriorityQueue<Waiting> waiting;
  private transient long waitingBytes;
  private transient RequestReader reader;
  private transient ReleaseFeed feed;
  private transient Solver solver;
  private transient StreamRecord<Answer> outgoing;
  private transient ScheduledFuture<?> tick;
  private transient Counter requests;
  private transient Counter errors;

  /** A request that waits until a time in milliseconds. */
  private record Waiting(RequestRecord record, String id, SolveRequest request, long deadline) {
    int bytes() {
      return record.key().length + record.value().length;
    }
  }

  /**
   * An operator for the requests of {@code topic}.
   *
   * @param stream whose latest epoch is taken if a request names no release
   */
  SolveOperator(String stream, String topic, ReleaseFeed.Factory releases) {
    this.stream = stream;
    this.topic = topic;
    this.releases = releases;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    waitingState = context.getOperatorStateStore().getListState(WAITING);
    restored = new ArrayDeque<>();
    waitingState.get().forEach(restored::add);
  }

  @Override
  public void open() throws Exception {
    super.open();
    waiting = new PriorityQueue<>(Comparator.comparingLong(Waiting::deadline));
    reader = new RequestReader(topic);
    outgoing = new StreamRecord<>(null);
    MetricGroup group = getMetricGroup().addGroup("gauze");
    requests = group.counter("requests");
    errors = group.counter("requestErrors");
    group.gauge("requestsWaiting", (Gauge<Integer>) () -> waiting.size());
    group.gauge("answersKnown", (Gauge<Long>) () -> solver == null ? 0L : solver.hits());
    feed = releases.open();
    solver = new Solver(stream, feed);
    for (byte[] each : restored) {
      take(RequestRecord.ofState(each), Optional.of(RequestRecord.deadlineOf(each)));
    }
    restored.clear();
    scheduleTick();
  }

  private void scheduleTick() {
    tick = getProcessingTimeService().registerTimer(now() + TICK, time -> tick());
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  private void tick() throws IOException {
    if (solver.refresh(now())) {
      retry();
    }
    while (!waiting.isEmpty() && waiting.peek().deadline() <= now()) {
      Waiting late = waiting.remove();
      waitingBytes -= late.bytes();
      emit(late.id(), solver.late(late.request()));
    }
    scheduleTick();
  }

  private void retry() throws IOException {
    List<Waiting> all = new ArrayList<>(waiting);
    waiting.clear();
    waitingBytes = 0;
    for (Waiting each : all) {
      answer(each);
    }
  }

  @Override
  public void processElement(StreamRecord<RequestRecord> element) throws Exception {
    requests.inc();
    take(element.getValue(), Optional.empty());
  }

  private void take(RequestRecord record, Optional<Long> deadline) throws IOException {
    RequestReader.Parsed parsed = reader.read(record);
    if (parsed.error().isPresent()) {
      emit(parsed.id(), Answer.Body.of(parsed.error().get()));
      return;
    }
    SolveRequest request = parsed.request().orElseThrow();
    long until = deadline.orElseGet(() -> now() + request.deadline().toMillis());
    answer(new Waiting(record, parsed.id(), request, until));
  }

  private void answer(Waiting each) throws IOException {
    Optional<Answer.Body> answer = solve(each);
    if (answer.isPresent()) {
      emit(each.id(), answer.get());
    } else if (each.deadline() <= now() || isFull(each)) {
      emit(each.id(), solver.late(each.request()));
    } else {
      waiting.add(each);
      waitingBytes += each.bytes();
    }
  }

  private boolean isFull(Waiting each) {
    return waiting.size() >= MOST_WAITING || waitingBytes + each.bytes() > MOST_WAITING_BYTES;
  }

  // Whatever a request makes the solver do, the job goes on.
  private Optional<Answer.Body> solve(Waiting each) throws IOException {
    try {
      return solver.answer(each.request(), now());
    } catch (RuntimeException e) {
      LOG.error("The solver failed on the {}", each.record(), e);
      return Optional.of(
          Answer.Body.of(
              new RequestException(
                  ErrorCode.INTERNAL,
                  "the solver failed on this request ("
                      + e.getClass().getSimpleName()
                      + "), which is a fault of the solver; its log says more. Ask for other"
                      + " features or another loss, and report the fault")));
    }
  }

  private void emit(String id, Answer.Body body) {
    if (body.isError()) {
      errors.inc();
    }
    output.collect(outgoing.replace(body.to(id)));
  }

  /** What still waits at the end of bounded requests is answered. */
  @Override
  public void endInput() {
    while (!waiting.isEmpty()) {
      Waiting late = waiting.remove();
      emit(late.id(), solver.late(late.request()));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    List<byte[]> entries = new ArrayList<>();
    for (Waiting each : waiting) {
      entries.add(each.record().toState(each.deadline()));
    }
    waitingState.update(entries);
  }

  @Override
  public void close() throws Exception {
    if (tick != null) {
      tick.cancel(false);
    }
    if (feed != null) {
      feed.close();
    }
    super.close();
  }
}
