package io.gauze.solver;

import io.gauze.answer.AnswerBody;
import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseFeed;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.answer.SolveRequest;
import io.gauze.answer.Solver;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
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
 * Answers every request. Releases are not state: they are read from the beginning of their topic at
 * every start. The state is the requests that wait for a release, each until its deadline at most.
 * Waiting requests that may have their answer now are processed in slices, since the task's thread
 * handles no other request and no checkpoint meanwhile.
 */
final class SolveOperator extends AbstractStreamOperator<Answer>
    implements OneInputStreamOperator<RequestRecord, Answer>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** The interval at which new releases and deadlines are checked, in milliseconds. */
  static final long TICK = 50;

  /** The time of a slice of waiting requests, in nanoseconds; a single request may take longer. */
  static final long SLICE_NANOS = 20_000_000;

  /** The pause between two slices, in milliseconds, in which the task can do other work. */
  static final long PAUSE = 5;

  /** The most requests that may wait in a subtask; others are answered by an error at once. */
  static final int MOST_WAITING = 50_000;

  /** The most bytes of all waiting requests of a subtask. */
  static final long MOST_WAITING_BYTES = 64L << 20;

  private static final ListStateDescriptor<byte[]> WAITING =
      new ListStateDescriptor<>(
          "waiting-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final String stream;
  private final String topic;
  private final ReleaseFeed.Factory releases;
  private final Stopwatch stopwatch;

  private transient ListState<byte[]> waitingState;
  private transient Deque<byte[]> restored;
  private transient PriorityQueue<Waiting> waiting;
  private transient Deque<Waiting> due; // waiting requests to be tried again
  private transient long heldBytes; // of waiting and due requests
  private transient RequestReader reader;
  private transient ReleaseFeed feed;
  private transient Solver solver;
  private transient StreamRecord<Answer> outgoing;
  private transient ScheduledFuture<?> tick;
  private transient Counter requests;
  private transient Counter errors;

  /** A clock that measures intervals. */
  interface Stopwatch extends Serializable {
    /** Nanoseconds since an arbitrary moment. */
    long nanos();
  }

  /** A request that may wait until {@code deadline}, in milliseconds. */
  private record Waiting(RequestRecord record, String id, SolveRequest request, long deadline) {
    int bytes() {
      return record.key().length + record.value().length;
    }
  }

  /**
   * Creates an operator for the requests of {@code topic}.
   *
   * @param stream the stream whose latest epoch answers a request that names no release
   */
  SolveOperator(String stream, String topic, ReleaseFeed.Factory releases) {
    this(stream, topic, releases, System::nanoTime);
  }

  SolveOperator(String stream, String topic, ReleaseFeed.Factory releases, Stopwatch stopwatch) {
    this.stream = stream;
    this.topic = topic;
    this.releases = releases;
    this.stopwatch = stopwatch;
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
    due = new ArrayDeque<>();
    reader = new RequestReader(topic);
    outgoing = new StreamRecord<>(null);
    MetricGroup group = getMetricGroup().addGroup("gauze");
    requests = group.counter("requests");
    errors = group.counter("requestErrors");
    group.gauge("requestsWaiting", (Gauge<Integer>) () -> held());
    group.gauge("answersKnown", (Gauge<Long>) () -> solver == null ? 0L : solver.hits());
    feed = releases.open();
    solver = new Solver(stream, feed);
    for (byte[] each : restored) {
      long deadline = RequestRecord.deadlineOf(each);
      read(RequestRecord.ofState(each), Optional.of(deadline)).ifPresent(found -> hold(found, due));
    }
    restored.clear();
    work();
    scheduleTick();
  }

  private void scheduleTick() {
    long next = now() + (due.isEmpty() ? TICK : PAUSE);
    tick = getProcessingTimeService().registerTimer(next, time -> tick());
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  private void tick() throws IOException {
    boolean news = solver.refresh(now());
    while (!waiting.isEmpty() && (news || waiting.peek().deadline() <= now())) {
      due.add(waiting.remove());
    }
    work();
    scheduleTick();
  }

  private void work() throws IOException {
    long begin = stopwatch.nanos();
    while (!due.isEmpty()) {
      Waiting next = due.remove();
      heldBytes -= next.bytes();
      if (!answered(next)) {
        hold(next, waiting);
      }
      if (stopwatch.nanos() - begin >= SLICE_NANOS) {
        return;
      }
    }
  }

  private void hold(Waiting each, Queue<Waiting> where) {
    where.add(each);
    heldBytes += each.bytes();
  }

  private int held() {
    return waiting.size() + due.size();
  }

  @Override
  public void processElement(StreamRecord<RequestRecord> element) throws Exception {
    requests.inc();
    Optional<Waiting> read = read(element.getValue(), Optional.empty());
    if (read.isEmpty() || answered(read.get())) {
      return;
    }
    Waiting each = read.get();
    if (held() >= MOST_WAITING || heldBytes + each.bytes() > MOST_WAITING_BYTES) {
      emit(each.id(), AnswerBody.of(busy()));
    } else {
      hold(each, waiting);
    }
  }

  /**
   * Parses a record; a record that cannot be parsed is answered by an error, and the result is
   * empty.
   */
  private Optional<Waiting> read(RequestRecord record, Optional<Long> deadline) {
    RequestReader.Parsed parsed = reader.read(record);
    if (parsed.error().isPresent()) {
      emit(parsed.id(), AnswerBody.of(parsed.error().get()));
      return Optional.empty();
    }
    SolveRequest request = parsed.request().orElseThrow();
    long until = deadline.orElseGet(() -> now() + request.deadline().toMillis());
    return Optional.of(new Waiting(record, parsed.id(), request, until));
  }

  /**
   * Sends the answer if there is one by now, or if the deadline is over; returns whether it did.
   */
  private boolean answered(Waiting each) throws IOException {
    Optional<AnswerBody> answer = solve(each);
    if (answer.isEmpty() && each.deadline() > now()) {
      return false;
    }
    emit(each.id(), answer.orElseGet(() -> solver.late(each.request())));
    return true;
  }

  private static RequestException busy() {
    return new RequestException(
        ErrorCode.BUSY,
        "the release is not there, and as many requests wait for theirs as may: at most "
            + MOST_WAITING
            + ", and "
            + (MOST_WAITING_BYTES >> 20)
            + " MiB of them, in a subtask. Ask again once the release is there, or use more"
            + " subtasks.");
  }

  // The job goes on whatever exception a request causes.
  private Optional<AnswerBody> solve(Waiting each) throws IOException {
    try {
      return solver.answer(each.request(), now());
    } catch (RuntimeException e) {
      LOG.error("The solver failed on the {}", each.record(), e);
      return Optional.of(
          AnswerBody.of(
              new RequestException(
                  ErrorCode.INTERNAL,
                  "the solver failed on this request ("
                      + e.getClass().getSimpleName()
                      + "), which is a fault of the solver; its log says more. Ask for other"
                      + " features or another loss, and report the fault")));
    }
  }

  private void emit(String id, AnswerBody body) {
    if (body.isError()) {
      errors.inc();
    }
    output.collect(outgoing.replace(Answer.of(id, body)));
  }

  /** Answers the requests that still wait at the end of bounded input. */
  @Override
  public void endInput() throws IOException {
    while (!due.isEmpty()) {
      work();
    }
    while (!waiting.isEmpty()) {
      Waiting late = waiting.remove();
      emit(late.id(), solver.late(late.request()));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    List<byte[]> entries = new ArrayList<>();
    for (Queue<Waiting> queue : List.of(due, waiting)) {
      for (Waiting each : queue) {
        entries.add(each.record().toState(each.deadline()));
      }
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
