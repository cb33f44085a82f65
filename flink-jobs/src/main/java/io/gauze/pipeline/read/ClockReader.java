package io.gauze.pipeline.read;

import io.gauze.config.EpochSchedule;
import io.gauze.stream.CellMessage;
import io.gauze.stream.Offsets;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/**
 * The reader of {@link ClockSource}. It waits in its own thread until the next epoch is over and
 * looks up the epoch's cut there; it emits the cut in the task's thread.
 */
final class ClockReader implements SourceReader<CellMessage, ClockSource.Split> {
  /** The cuts to emit next: those of the epochs up to and including {@code lastEpoch}. */
  private record Due(long lastEpoch, Offsets ends) {}

  private final SketchJobSettings settings;
  private final List<String> accumulators;
  private final Callable<Offsets> endsNow;
  private final ScheduledExecutorService timer;

  private long nextEpoch;
  private Future<?> waiting = CompletableFuture.completedFuture(null);
  private boolean started;
  private CompletableFuture<Due> due = new CompletableFuture<>();

  /**
   * Creates a reader.
   *
   * @param accumulators the keys under which every accumulator gets a cut
   * @param endsNow looks up where the partitions of the rows topic end at the time of the call
   */
  ClockReader(SketchJobSettings settings, List<String> accumulators, Callable<Offsets> endsNow) {
    this.settings = settings;
    this.accumulators = accumulators;
    this.endsNow = endsNow;
    // The thread is created when it is first needed, perhaps by another thread than this one. Its
    // class loader must be this job's.
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "gauze-clock");
              thread.setDaemon(true);
              thread.setContextClassLoader(loader);
              return thread;
            });
  }

  @Override
  public void start() {}

  @Override
  public void addSplits(List<ClockSource.Split> splits) {
    for (ClockSource.Split split : splits) {
      nextEpoch = split.nextEpoch();
      started = true;
      if (settings.bounded()) {
        due.complete(new Due(settings.lastEpoch(), settings.ends()));
      } else {
        await();
      }
    }
  }

  private long lastCuttable(long now) {
    EpochSchedule schedule = settings.schedule();
    return Math.min(schedule.lastCuttable(now), settings.lastRelease(schedule));
  }

  private void await() {
    if (nextEpoch > settings.lastRelease(settings.schedule())) {
      return; // the cut of the last release has been sent
    }
    CompletableFuture<Due> result = due;
    long delay = Math.max(0, settings.schedule().cutMillis(nextEpoch) - System.currentTimeMillis());
    waiting = timer.schedule(() -> lookUp(result), delay, TimeUnit.MILLISECONDS);
  }

  private void lookUp(CompletableFuture<Due> result) {
    try {
      // The time is read first: every epoch that is over at that time ends at or before the offsets
      // that are looked up after it.
      long lastEpoch = lastCuttable(System.currentTimeMillis());
      result.complete(new Due(lastEpoch, endsNow.call()));
    } catch (Throwable e) { // an Error must not end unseen in the timer, either
      result.completeExceptionally(e);
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<CellMessage> output) throws IOException {
    if (!due.isDone()) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    Due now = due.handle((value, failure) -> failure == null ? value : rethrow(failure)).join();
    if (nextEpoch <= now.lastEpoch()) {
      for (String key : accumulators) {
        output.collect(CellMessage.cut(key, nextEpoch, now.lastEpoch(), now.ends()));
      }
      nextEpoch = now.lastEpoch() + 1;
    }
    if (settings.bounded()) {
      return InputStatus.END_OF_INPUT;
    }
    due = new CompletableFuture<>();
    await();
    return InputStatus.NOTHING_AVAILABLE;
  }

  private static Due rethrow(Throwable failure) {
    throw new IllegalStateException(
        "the ends of the rows topic's partitions could not be read; is the broker up?", failure);
  }

  @Override
  public List<ClockSource.Split> snapshotState(long checkpointId) {
    return started ? List.of(new ClockSource.Split(nextEpoch)) : List.of();
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return due.handle((value, failure) -> null);
  }

  @Override
  public void notifyNoMoreSplits() {}

  @Override
  public void close() {
    waiting.cancel(true);
    timer.shutdownNow();
  }
}
