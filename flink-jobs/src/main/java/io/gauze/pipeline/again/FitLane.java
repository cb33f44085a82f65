package io.gauze.pipeline.again;

import io.gauze.pipeline.JobMemory;
import io.gauze.stream.SketchJobSettings;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A thread that makes some of the models of a stream, one epoch after the other. A model that waits
 * for the release before has one of its own, so that no other model waits with it.
 */
final class FitLane implements AutoCloseable {
  private final ExecutorService thread;
  private final EpochCentres centres;
  private final JobMemory memory;
  private final EpochRows rows;
  private final ModelFitter fitter;

  private FitLane(
      SketchJobSettings settings, EpochCentres centres, JobMemory memory, EpochRows rows) {
    this.thread = Executors.newSingleThreadExecutor(FitLane::daemon);
    this.centres = centres;
    this.memory = memory;
    this.rows = rows;
    this.fitter = new ModelFitter(settings, centres, rows);
  }

  /**
   * Opens a lane.
   *
   * @param centres used by the lane alone, which closes them
   * @param memory one use of the job's memory, which the lane closes
   * @param reader used by the lane alone, which closes it
   * @param progress is told how many rows were read, now and then, from the lane's thread
   */
  static FitLane open(
      SketchJobSettings settings,
      EpochCentres centres,
      JobMemory memory,
      EpochReader reader,
      LongConsumer progress) {
    return new FitLane(
        settings, centres, memory, new EpochRows(settings, reader, progress, memory.room()));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "gauze-model-fit");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Makes the models of a task after those of the tasks before.
   *
   * @param fitted takes each one, from the lane's thread
   * @param failed is told when the fit has failed, from the lane's thread
   */
  Future<Void> submit(
      FitTask task, Consumer<ModelFitter.Fitted> fitted, Consumer<Throwable> failed) {
    Callable<Void> work =
        () -> {
          try {
            fitter.fit(task, fitted);
            return null;
          } catch (Exception | Error e) {
            failed.accept(e);
            throw e;
          }
        };
    return thread.submit(work);
  }

  /** Says that the input has ended, from any thread. */
  void end() {
    centres.end();
  }

  /** Ends the lane once its work is done or cancelled; does not wait. */
  @Override
  public void close() {
    thread.execute(centres::close); // no other thread may use its client
    thread.execute(rows::close);
    thread.execute(memory::close); // once no fit has rows any more
    thread.shutdown();
  }
}
